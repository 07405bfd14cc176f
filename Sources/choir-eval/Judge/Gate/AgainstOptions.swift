import ArgumentParser
import CommandSupport
import Foundation
import Gate
import Subjects

/// Options of commands that build other revisions of a subject.
struct RevisionOptions: ParsableArguments {
  @Option(
    help:
      "Path in the repository of the subject's file at the older revision, if it was renamed since.",
    completion: .yaml)
  var againstSubject: String?
  @Option(
    help: "Folder of revisions' builds and measurements; default: ~/.cache/choir-eval/revisions.",
    completion: .directory)
  var builds: String?

  var buildsFolder: URL? { builds.map { URL(fileURLWithPath: $0, isDirectory: true) } }
}

/// Options of commands that compare with another revision.
struct AgainstOptions: ParsableArguments {
  @OptionGroup var older: RevisionOptions
  @Flag(help: "Measure although the repository has uncommitted changes.") var allowDirty = false
  @Flag(help: "Measure both revisions by the present plan even if the plan of the other differs.")
  var allowChangedPlan = false

  /// Names of the given options, for a command that has no use for them.
  var given: [String] {
    [
      older.againstSubject == nil ? nil : "--against-subject",
      allowDirty ? "--allow-dirty" : nil, allowChangedPlan ? "--allow-changed-plan" : nil,
      older.builds == nil ? nil : "--builds",
    ].compactMap(\.self)
  }

  func reference(_ name: String, of gate: Gate, for run: GateRun) throws -> GateReference {
    var allowances = GateReference.Allowances()
    (allowances.dirty, allowances.changedPlan) = (allowDirty, allowChangedPlan)
    return try GateReference(
      name, of: gate, for: run, subjectThen: older.againstSubject, allowing: allowances)
  }
}
