import ArgumentParser
import CommandSupport
import Foundation
import Probes

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the installation and tell how to get what is missing.",
    discussion: """
      Use it after an installation, or when a command fails. It checks programs, recordings, the \
      store of results, permissions, disk space and the files that describe subjects.

        choir-eval doctor

      Exit codes: 0 runs and reports can work; 2 something they need is missing; 64 misuse.
      """)

  @OptionGroup var places: StoreOptions
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    let findings = Checkup(
      corpus: places.place.folder, store: places.storeFile, program: CommandLine.arguments[0]
    ).findings()
    if json {
      print(try JSON.text(findings))
    } else {
      for finding in findings {
        let mark = finding.found != nil ? "ok     " : finding.needed ? "MISSING" : "absent "
        print("\(mark)  \(finding.name): \(finding.found ?? finding.remedy ?? "")")
      }
    }
    if findings.contains(where: { $0.found == nil && $0.needed }) { throw ExitCode(2) }
  }
}
