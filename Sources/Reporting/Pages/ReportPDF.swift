import Foundation
import Platform

/// Printer of a report's first page, by headless Chromium.
package struct ReportPDF: Sendable {
  private let browser: URL

  /// - Parameter browsers: names or paths; the first one found is used.
  /// - Throws: `ReportError.browserMissing` if none is found.
  package init(
    browsers: [String] = ["chromium", "chromium-browser", "google-chrome"]
  ) throws(ReportError) {
    guard let browser = browsers.lazy.compactMap({ ProgramFile.path(of: $0) }).first else {
      throw .browserMissing(browsers.first ?? "a browser")
    }
    self.browser = URL(fileURLWithPath: browser)
  }

  /// Prints to `target` and replaces an existing file; a failure leaves it unchanged.
  ///
  /// - Throws: `ReportError`.
  package func write(_ report: URL, to target: URL) throws(ReportError) {
    let page = report.appendingPathComponent(ReportFiles.page)
    let (process, scratch, draft): (Process, ScratchFolder, URL)
    do {
      (process, scratch) = (Process(), try ScratchFolder())
      draft = scratch.file("report.pdf")
    } catch { throw .cannotPrint(target.path, message: "\(error)") }
    defer { scratch.discard() }
    process.executableURL = browser
    process.arguments =
      ["--headless", "--disable-gpu", "--no-pdf-header-footer"]
      // Chromium's sandbox refuses to run as root, which is usual in containers.
      + (getuid() == 0 ? ["--no-sandbox"] : [])
      + ["--print-to-pdf=\(draft.path)", page.absoluteURL.absoluteString]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
      process.waitUntilExit()
      try WholeFile.write(GivenFile.data(at: draft), to: target.path)
    } catch {
      throw .cannotPrint(
        target.path, message: "\(browser.path) ended with status \(process.terminationStatus)")
    }
  }
}
