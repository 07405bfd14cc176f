import Foundation
import Testing

/// Links that lead back to themselves, and pipes that nobody writes to, in place of every file.
@Suite struct OddFilesTests {
  /// Lines that read or write `ODD`.
  static let lines = [
    "analyze ODD.wav", "analyze in.wav --write f0 --output ODD.csv",
    "harmonize ODD.wav out.wav --intervals 4", "harmonize in.wav ODD.wav --intervals 4",
    "harmonize in.wav out.wav --midi ODD.mid",
    "harmonize in.wav out.wav --degrees 1 --tuning ODD.scl",
    "harmonize in.wav out.wav --preset ODD.json",
    "autotune ODD.wav out.wav", "autotune in.wav ODD.wav",
    "effects ODD.wav out.wav --chain limiter", "effects in.wav ODD.wav --chain limiter",
    "compare ODD.wav in.wav --semitones 4", "compare in.wav ODD.wav --semitones 4",
    "compare ODD.sqlite in.sqlite", "run ODD.yaml", "check ODD.yaml", "hunt ODD.yaml",
    "tune ODD.yaml", "gate ODD.yaml", "accept ODD.yaml --reason 'first baseline'",
    "bisect ODD.yaml --good v1",
    "report --store ODD.sqlite", "export --store ODD.sqlite --output out.csv",
    "merge ODD.sqlite --store out.sqlite", "explain x level.change --store ODD.sqlite",
    "history show --history ODD.tsv", "corpus import generic ODD.zip --corpus corpus",
    "corpus add ODD.wav --licence CC0-1.0 --voice alto --corpus corpus", "subjects ODD.yaml",
    "probe ODD.yaml",
    "listen pool ODD.json --key ODD.json",
  ]

  @Test(.timeLimit(.minutes(3)), arguments: lines) func noCommandWaitsOrCrashes(line: String) throws
  {
    let shell = try Shell()
    for ending in ["wav", "csv", "mid", "scl", "json", "sqlite", "yaml", "tsv", "zip"] {
      symlink("loop.\(ending)", shell.path("loop.\(ending)"))
      mkfifo(shell.path("pipe.\(ending)"), 0o600)
    }
    for kind in ["loop", "pipe"] {
      // A table may go to a pipe, and then waits for its reader.
      if kind == "pipe", line.contains("--write f0") { continue }
      let words = line.replacing("ODD", with: kind)
      let answer = try shell.type("timeout 60 \(Built.path(words))")
      #expect(
        [2, 64].contains(answer.status), "\(words): \(answer.status)\n\(answer.errors)")
      #expect(
        answer.errors.count < 1500 && !answer.errors.contains("Error Domain"), "\(answer.errors)")
    }
  }

  /// A folder for temporary files that does not exist is neither made nor blamed on the file.
  @Test func aMissingTemporaryFolderIsNamed() throws {
    let shell = try Shell()
    try shell.write(
      """
      id: copy
      kind: command
      command: [sh, -c, 'cp "$1" "$2"', sh, "{input}", "{output}", "{semitones}"]

      """, "copy.yaml")
    let answer = try shell.type("TMPDIR=$PWD/none choir-eval subjects copy.yaml")
    #expect(answer.output.contains("TMPDIR"), "\(answer.output)\(answer.errors)")
    #expect(!shell.contents.contains("none"))
  }
}
