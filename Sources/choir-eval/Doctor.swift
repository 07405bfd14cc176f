import ArgumentParser
import Evaluation
import Foundation

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say what is installed, what is missing, and what to type.",
    discussion: "Exits with 2 where something is missing that a run or report needs.")

  @Option(help: "Folder that holds manifest.csv and audio.") var corpus = "Corpus"
  @Flag(help: "Print JSON.") var json = false

  /// One thing looked at.
  private struct Check: Encodable {
    var name: String
    var found: String?
    var remedy: String?
    var needed = true
  }

  func run() throws {
    let checks = [
      tool("gnuplot", arguments: ["--version"], for: "figures", package: "gnuplot-nox"),
      tool(
        "unzip", arguments: ["-v"], for: "data sets in ZIP files", package: "unzip",
        needed: false),
      tool(
        "chromium", arguments: ["--version"], for: "pictures of a report", package: "chromium",
        needed: false),
      corpusCheck(),
      Check(
        name: "processors", found: "\(ProcessInfo.processInfo.activeProcessorCount)", remedy: nil),
    ]
    if json {
      print(try JSON.text(checks))
    } else {
      for check in checks {
        let mark = check.found != nil ? "ok     " : check.needed ? "MISSING" : "absent "
        print("\(mark)  \(check.name): \(check.found ?? check.remedy ?? "")")
      }
    }
    if checks.contains(where: { $0.found == nil && $0.needed }) { throw ExitCode(2) }
  }

  private func tool(
    _ name: String, arguments: [String], for purpose: String, package: String,
    needed: Bool = true
  ) -> Check {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    var answer: String?
    if (try? process.run()) != nil {
      let data = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      if process.terminationStatus == 0 {
        answer = String(decoding: data, as: UTF8.self).split(separator: "\n").first.map(String.init)
      }
    }
    return Check(
      name: name, found: answer, remedy: "for \(purpose): apt-get install \(package)",
      needed: needed)
  }

  private func corpusCheck() -> Check {
    do {
      let corpus = try Corpus(folder: URL(fileURLWithPath: corpus))
      let findings = try corpus.verify().filter { if case .extra = $0 { false } else { true } }
      return findings.isEmpty
        ? Check(name: "corpus", found: "\(corpus.entries.count) recordings", remedy: nil)
        : Check(
          name: "corpus", found: nil,
          remedy: "\(findings.count) recordings missing or changed: scripts/fetch-corpus "
            + "(choir-eval corpus verify names them)")
    } catch {
      return Check(name: "corpus", found: nil, remedy: "\(error)")
    }
  }
}
