import ArgumentParser
import CommandSupport
import Foundation
import Gate
import Platform
import Reporting

/// A form of a gate's result.
enum GateFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json, markdown, junit, sarif, github

  /// The form of a file by the ending of its name; `nil` for an unknown one.
  init?(fileNamed path: String) {
    switch URL(fileURLWithPath: path).pathExtension {
    case "json": self = .json
    case "md": self = .markdown
    case "xml": self = .junit
    case "sarif": self = .sarif
    default: return nil
    }
  }

  /// True if a gate wrote this text in this form.
  func isOwn(_ text: String) -> Bool {
    switch self {
    case .markdown: text.hasPrefix("#") && text.contains("choir-eval gate ")
    case .junit: text.hasPrefix("<") && text.prefix(400).contains("choir-eval gate ")
    case .sarif: text.hasPrefix("{") && text.contains("\"choir-eval\"") && text.contains("sarif")
    case .json: text.hasPrefix("{") && text.contains("\"choir-eval.gate/")
    case .text, .github: false
    }
  }
}

/// The options of what a gate prints and writes.
struct GateOutputs: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Format to print: \(GateFormat.allCases.map(\.rawValue).joined(separator: ", ")). github is the "
        + "text with annotations, and adds the Markdown to the job's summary."))
  var format = GateFormat.text
  @Flag(help: "Print JSON; the same as --format json.") var json = false
  @Option(
    help: """
      File to write; repeatable: .md Markdown, .xml JUnit, .sarif SARIF 2.1.0 or .json. A name without an \
      ending is a folder, for a page that plays what changed.
      """,
    completion: .file(extensions: ["md", "xml", "sarif", "json"]))
  var output: [String] = []
  @OptionGroup var overwriting: Overwriting

  var printed: GateFormat { json ? .json : format }

  func validate() throws {
    if json, format != .text, format != .json {
      throw ValidationError(
        "--json and --format \(format.rawValue) contradict each other; keep one.")
    }
    for path in files where GateFormat(fileNamed: path) == nil {
      throw ValidationError(
        "--output is '\(path)'; choose a name that ends in .md, .xml, .sarif or .json, or a folder's name "
          + "without an ending.")
    }
  }

  /// Claims the output files; those of earlier gates may be replaced, as CI jobs need. Removes them, so
  /// that nobody takes them for those of this run.
  func claim(reading inputs: [String?]) throws {
    var outputs = OutputFiles(reading: inputs, force: overwriting.force)
    for path in files {
      try outputs.claim(path) { path in
        let text = (try? GivenFile.text(at: URL(fileURLWithPath: path))) ?? ""
        return GateFormat(fileNamed: path)!.isOwn(text)
      }
    }
    for path in files where FileKind(of: path) == .file {
      try? FileManager.default.removeItem(atPath: path)
    }
    for folder in folders { try ReportWriter().clear(folder) }
  }

  private var files: [String] { output.filter { !Self.isFolder($0) } }
  /// The folders of pages.
  private var folders: [URL] { output.filter(Self.isFolder).map { URL(fileURLWithPath: $0) } }

  private static func isFolder(_ path: String) -> Bool {
    URL(fileURLWithPath: path).pathExtension.isEmpty
  }

  /// Prints the result and writes the files that were asked for.
  ///
  /// - Parameter sounds: the cells of the run, for a page.
  func show(
    _ result: GateResult, strict: Bool, sounds: @autoclosure () throws -> GateSounds
  ) throws {
    for path in files {
      let text = try text(of: result, in: GateFormat(fileNamed: path)!, strict)
      try WholeFile.write(text.hasSuffix("\n") ? text : text + "\n", to: path)
    }
    print(try text(of: result, in: printed, strict))
    if !folders.isEmpty {
      Terminal.stage("rendering again what decided, and drawing the page")
      let page = try GatePage(result, strict: strict).page(sounds())
      for folder in folders { try ReportWriter().write(page, to: folder) }
    }
    guard printed == .github else { return }
    if let path = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"], !path.isEmpty {
      let before =
        FileKind(of: path) == .file ? try GivenFile.data(at: URL(fileURLWithPath: path)) : Data()
      let page = try text(of: result, in: .markdown, strict)
      try WholeFile.write(before + Data(page.utf8), to: path)
    }
  }

  private func text(of result: GateResult, in format: GateFormat, _ strict: Bool) throws -> String {
    var lines: [FigureKey: Int] { Baseline.lines(of: URL(fileURLWithPath: result.baselineFile)) }
    return switch format {
    case .text: try GateText.text(result, strict: strict)
    case .json: try JSON.text(JudgedResult(result: result, outcome: result.outcome(strict: strict)))
    case .markdown: try ReportMarkdown().render(GatePage(result, strict: strict).page())
    case .junit: try GateJUnit(result, strict: strict).text()
    case .sarif: try GateSARIF(result, strict: strict, lines: lines).text()
    case .github:
      try GateText.text(result, strict: strict) + "\n"
        + GateAnnotations(result, strict: strict, lines: lines).text()
    }
  }
}

/// The result with its outcome as `verdict`.
private struct JudgedResult: Encodable {
  let result: GateResult
  let outcome: GateResult.Outcome

  private enum Key: CodingKey { case verdict, exitCode }

  func encode(to encoder: any Encoder) throws {
    try result.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(outcome, forKey: .verdict)
    try container.encode(outcome.exitCode, forKey: .exitCode)
  }
}
