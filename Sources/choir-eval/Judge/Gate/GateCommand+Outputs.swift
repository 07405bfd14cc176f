import CommandSupport
import Foundation
import Gate
import Platform
import Reporting

/// The files and the text that a gate writes.
extension GateCommand {
  /// Claims the output files; those of earlier gates may be replaced, as CI jobs need.
  func claimFiles() throws {
    let gate = try? options.read()
    var outputs = OutputFiles(
      reading: [
        options.gate, gate?.baselineFile.path, gate?.noiseFile.path, gate?.benchFile.path,
        options.subject, baselineSubject, baselineProgram, store,
      ], force: overwriting.force)
    func text(_ path: String) -> String {
      (try? GivenFile.text(at: URL(fileURLWithPath: path))) ?? ""
    }
    try outputs.claim(markdown) {
      text($0).split(separator: "\n").first?.contains("choir-eval gate ") ?? false
    }
    try outputs.claim(junit) { path in
      let start = text(path).prefix(400)
      return start.hasPrefix("<") && start.contains("choir-eval gate ")
    }
    try outputs.claim(sarif) { path in
      let text = text(path)
      return text.hasPrefix("{") && text.contains("\"choir-eval\"") && text.contains("sarif")
    }
  }

  /// Prints the result and writes the files that were asked for.
  func show(_ result: GateResult) throws {
    let lines = Baseline.lines(of: URL(fileURLWithPath: result.baselineFile))
    func write(_ text: String, to path: String?) throws {
      guard let path else { return }
      try WholeFile.write(text, to: path)
    }
    let page = GateMarkdown(result, strict: strict).text()
    try write(page, to: markdown)
    try write(GateJUnit(result, strict: strict).text(), to: junit)
    let alerts = GateSARIF(result, strict: strict, lines: lines)
    try write(alerts.text(), to: sarif)
    switch json ? .json : format {
    case .text: print(GateText(result, strict: strict).text())
    case .json: print(try JSON.text(GateOutput(result, strict: strict)))
    case .markdown: print(page)
    case .junit: print(try GateJUnit(result, strict: strict).text())
    case .sarif: print(try alerts.text())
    }
    guard github else { return }
    annotate(GateAnnotations(result, strict: strict, lines: lines).text())
    if let path = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"], !path.isEmpty {
      try append(page, to: path)
    }
  }

  /// Prints annotations, on standard error where standard output is for a program to read. GitHub
  /// reads both.
  func annotate(_ text: String) {
    if !json, format == .text { print(text) } else { Terminal.printError(text) }
  }

  private func append(_ text: String, to path: String) throws {
    let isThere = FileKind(of: path) == .file
    let before = isThere ? try GivenFile.data(at: URL(fileURLWithPath: path)) : Data()
    try WholeFile.write(before + Data(text.utf8), to: path)
  }
}
