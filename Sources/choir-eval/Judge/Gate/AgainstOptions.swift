import ArgumentParser
import CommandSupport
import Foundation
import Gate
import Subjects

/// Options of commands that build other revisions of a subject.
struct AgainstOptions: ParsableArguments {
  @Option(
    help: "Path in the repository of the subject's file at that revision, if it was renamed since.",
    completion: .yaml)
  var againstSubject: String?
  @Flag(help: "Measure although the repository has uncommitted changes.") var allowDirty = false
  @Flag(help: "Measure both revisions by the present plan even if the plan of the other differs.")
  var allowChangedPlan = false
  @Option(
    help: "Folder of revisions' builds and measurements; default: ~/.cache/choir-eval/revisions.",
    completion: .directory)
  var builds: String?

  /// Names of the given options, for a command that has no use for them.
  var given: [String] {
    [
      againstSubject == nil ? nil : "--against-subject", allowDirty ? "--allow-dirty" : nil,
      allowChangedPlan ? "--allow-changed-plan" : nil, builds == nil ? nil : "--builds",
    ].compactMap(\.self)
  }

  var buildsFolder: URL? { builds.map { URL(fileURLWithPath: $0, isDirectory: true) } }

  func reference(_ name: String, of gate: Gate, for run: GateRun) throws -> GateReference {
    var allowances = GateReference.Allowances()
    (allowances.dirty, allowances.changedPlan) = (allowDirty, allowChangedPlan)
    return try GateReference(
      name, of: gate, for: run, subjectThen: againstSubject, allowing: allowances)
  }
}
