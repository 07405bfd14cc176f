# Writes the commit of the checkout PACKAGE as a Swift function into FILE. A checkout that differs from
# its commit has "+changes"; what is no checkout of its own, such as an unpacked archive, "unknown".
#
#   note-commit.sh PACKAGE FILE
package=$1 file=$2
commit=unknown
if [ -e "$package/.git" ] && hash=$(git -C "$package" rev-parse --short=12 HEAD 2>/dev/null); then
  commit=$hash
  changes=$(git -C "$package" status --porcelain -- Sources Package.swift 2>/dev/null)
  [ -z "$changes" ] || commit="$hash+changes"
fi
text="@inline(never) func notedCommit() -> String { \"$commit\" }"
# Left alone where nothing changed, so that nothing is compiled again.
[ "$(cat "$file" 2>/dev/null)" = "$text" ] || printf '%s\n' "$text" > "$file"
