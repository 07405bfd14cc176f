import ArgumentParser
import Evaluation
import Foundation

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say what is installed, what is missing, and what to type.",
    discussion: """
      Looks at programs, recordings, the store of results, permissions, disk and the files that describe \
      subjects. Exits with 2 where something is missing that a run or report needs.
      """)

  @OptionGroup var places: StoreOptions
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    let findings = Checkup(
      corpus: places.corpusFolder, store: places.storeFile, program: CommandLine.arguments[0]
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
