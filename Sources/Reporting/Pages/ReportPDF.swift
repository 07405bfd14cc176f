import Foundation
import Platform

/// Printer of a report's first page, by headless Chromium.
package struct ReportPDF: Sendable {
  private let browser: String

  /// - Parameter browsers: names or paths; the first one found is used.
  /// - Throws: `ReportError.browserMissing` if none is found.
  package init(
    browsers: [String] = ["chromium", "chromium-browser", "google-chrome"]
  ) throws(ReportError) {
    guard let browser = browsers.lazy.compactMap({ ProgramFile.path(of: $0) }).first else {
      throw .browserMissing(browsers.first ?? "a browser")
    }
    self.browser = browser
  }

  /// Prints to `target` and replaces an existing file; a failure leaves it unchanged.
  ///
  /// - Throws: `ReportError`.
  package func write(_ report: URL, to target: URL) throws(ReportError) {
    let page = report.appendingPathComponent(ReportFiles.page)
    do {
      let scratch = try ScratchFolder()
      defer { scratch.discard() }
      let draft = scratch.file("report.pdf")
      // Browsers reserve more address space than any machine has memory.
      _ = try ChildProcess(
        arguments: [browser, "--headless", "--disable-gpu", "--no-pdf-header-footer"]
          // Chromium's sandbox refuses to run as root, which is common in containers.
          + (getuid() == 0 ? ["--no-sandbox"] : [])
          + ["--print-to-pdf=\(draft.path)", page.absoluteURL.absoluteString],
        timeoutSeconds: 300, memoryMB: 1e7, folder: scratch.url,
        environment: ChildEnvironment.ofThisProcess
      ).run()
      try WholeFile.write(GivenFile.data(at: draft), to: target.path)
    } catch { throw .cannotPrint(target.path, message: "\(browser): \(error)") }
  }
}
