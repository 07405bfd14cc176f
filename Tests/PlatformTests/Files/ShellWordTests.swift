import Foundation
import Testing

@testable import Platform

@Suite struct ShellWordTests {
  /// A shell reads every word as it was.
  @Test(arguments: [
    ("plain-1.yaml", "plain-1.yaml"), ("two words", "'two words'"), ("it's", #"'it'\''s'"#),
    ("", "''"), ("$(rm x)", "'$(rm x)'"), ("ä.wav", "'ä.wav'"),
  ])
  func wordsAreQuotedForAShell(word: String, typed: String) throws {
    #expect(word.forShell == typed)
    let (shell, output) = (Process(), Pipe())
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", "printf %s \(word.forShell)"]
    shell.standardOutput = output
    try shell.run()
    #expect(output.fileHandleForReading.readDataToEndOfFile() == Data(word.utf8))
    shell.waitUntilExit()
  }
}
