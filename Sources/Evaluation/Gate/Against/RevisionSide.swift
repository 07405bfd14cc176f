import Foundation
import Platform
import Subjects
import Sweep

/// A revision that is built and ready to be measured.
public struct RevisionSide: Sendable {
  public let commit: Commit
  /// True if its build was made earlier.
  public let wasBuilt: Bool
  /// Store of its cells; it stays for the next comparison with the same build.
  public let store: URL
  /// The plan with its subject, under a name of its own.
  public let plan: Plan
  /// The built choir-eval; `nil` if this program runs the subject.
  public let program: URL?
  /// Keep its files from being removed.
  let build: BuiltRevision
  let measurements: KeptMeasurements

  /// Id or file of its subject.
  public var subject: String { plan.subjects[0].id }

  /// Store of its cells under a perturbation, a run of the same name as that with the plain input.
  func store(under perturbation: Perturbation?) -> URL {
    guard let perturbation else { return store }
    return store.deletingLastPathComponent()
      .appendingPathComponent("perturbed-\(perturbation.number).sqlite")
  }

  /// The program that measures it; `nil` if this one does.
  var ownProgram: RevisionProgram? {
    program.map { RevisionProgram(path: $0, commit: commit.short) }
  }
}

extension GateReference {
  /// Builds the revision, unless it is built already.
  ///
  /// - Parameters:
  ///   - run: the candidate, whose plan is measured.
  ///   - commit: another commit of the same repository; by default the reference.
  public func side(
    of run: GateRun, at commit: Commit? = nil, builds: RevisionBuilds,
    isCancelled: (@Sendable () -> Bool)? = nil, report: (String) -> Void = { _ in }
  ) throws -> RevisionSide {
    let commit = commit ?? self.commit
    let built = try builds.build(commit, by: command, isCancelled: isCancelled, report: report)
    var plan = run.plan
    plan.name = "\(plan.name).\(commit.short)"
    let content: String
    var program: URL?
    switch kind {
    case .file(let now, let then, let prefix):
      let paths = [then, now].map { built.folder.appendingPathComponent($0) }
      guard let file = paths.first(where: { FileManager.default.fileExists(atPath: $0.path) })
      else { throw Refusal.noFile(path: then, commit: commit.short, earlier: nil) }
      for index in plan.subjects.indices { plan.subjects[index].id = prefix + file.path }
      content = try ExternalSubject(reading: file).version
    case .ofThisProgram:
      let file = built.folder.appendingPathComponent(programPath)
      guard FileManager.default.isExecutableFile(atPath: file.path) else {
        throw Refusal(
          "'\(command)' of the revision \(commit.short) built no \(programPath); correct 'build' "
            + "or 'program' in the gate")
      }
      program = file
      content = try Digest.sha256(ofFile: file)
    }
    let measurements = try builds.measurements(of: content)
    return RevisionSide(
      commit: commit, wasBuilt: built.wasBuilt,
      store: measurements.folder.appendingPathComponent("cells.sqlite"), plan: plan,
      program: program, build: built, measurements: measurements)
  }

  /// Builds the working tree like the revision. A subject of this program is built already.
  public func buildHere(
    _ builds: RevisionBuilds, isCancelled: (@Sendable () -> Bool)? = nil,
    report: (String) -> Void = { _ in }
  ) throws {
    guard case .file = kind else { return }
    report("building the working tree")
    try builds.buildHere(by: command, isCancelled: isCancelled)
  }
}

extension Refusal {
  static func program(path: String, commit: String, reason: String) -> Refusal {
    Refusal(
      "\(path) of the revision \(commit) could not measure the plan: \(reason); choose a later "
        + "revision, or compare with a baseline file: choir-eval accept")
  }

  static func referenceFailed(commit: String, reason: String) -> Refusal {
    Refusal(
      "no cell of the revision \(commit) could be measured: \(reason); choose another revision, or "
        + "correct 'build' in the gate")
  }
}
