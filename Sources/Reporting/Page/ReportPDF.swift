import Evaluation
import Foundation

/// Prints the first page of a report with headless Chromium.
public struct ReportPDF: Sendable {
  private let browser: URL

  /// - Parameter browsers: names or paths; the first that is found is used.
  /// - Throws: where none is.
  public init(
    browsers: [String] = ["chromium", "chromium-browser", "google-chrome"]
  ) throws(ReportError) {
    guard let browser = Executable.locate(browsers) else {
      throw .browserMissing(browsers.first ?? "a browser")
    }
    self.browser = browser
  }

  /// Replaces what is at `target`; a failure leaves it as it was.
  ///
  /// - Throws: `ReportError`.
  public func write(_ report: URL, to target: URL) throws(ReportError) {
    let draft = Scratch.folder
      .appendingPathComponent("report-\(UUID().uuidString).pdf")
    defer { try? FileManager.default.removeItem(at: draft) }
    let page = report.appendingPathComponent(ReportFiles.page)
    let process = Process()
    process.executableURL = browser
    process.arguments =
      ["--headless", "--disable-gpu", "--no-pdf-header-footer"]
      // Its sandbox refuses to run for the administrator, as in containers.
      + (getuid() == 0 ? ["--no-sandbox"] : [])
      + ["--print-to-pdf=\(draft.path)", page.absoluteURL.absoluteString]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
      process.waitUntilExit()
      try Data(contentsOf: draft).write(to: target, options: .atomic)
    } catch {
      throw .cannotPrint(
        target.path, message: "\(browser.path) ended with status \(process.terminationStatus)")
    }
  }
}
