# Writes the commit of the checkout PACKAGE, and a digest of its files in FOLDERs, as Swift functions
# into FILE. A checkout that differs from its commit has "+changes"; what is no checkout of its own,
# such as an unpacked archive, "unknown". The digest depends on names and contents alone, so it is the
# same on every machine, with git or without.
#
#   note-commit.sh PACKAGE FILE FOLDER...
package=$1 file=$2
shift 2
commit=unknown
if [ -e "$package/.git" ] && hash=$(git -C "$package" rev-parse --short=12 HEAD 2>/dev/null); then
  commit=$hash
  changes=$(git -C "$package" status --porcelain -- Sources Package.swift 2>/dev/null)
  [ -z "$changes" ] || commit="$hash+changes"
fi
sha256=$(command -v sha256sum || echo "shasum -a 256")
files=$(
  cd "$package" || exit
  for folder; do find "${folder#"$package/"}" -type f ! -path '*/.*' ! -path '*.docc/*'; done |
    LC_ALL=C sort | tr '\n' '\0' | xargs -0 $sha256
)
if [ -z "$files" ]; then
  echo "note-commit.sh: can't digest the sources in $package; install sha256sum or shasum" >&2
  exit 1
fi
digest=$(printf '%s\n' "$files" | $sha256)
text="@inline(never) func notedCommit() -> String { \"$commit\" }
@inline(never) func notedSources() -> String { \"${digest%% *}\" }"
# Left alone where nothing changed, so that nothing is compiled again.
[ "$(cat "$file" 2>/dev/null)" = "$text" ] || printf '%s\n' "$text" > "$file"
