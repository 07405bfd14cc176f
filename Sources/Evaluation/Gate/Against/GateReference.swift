import Foundation
import Platform
import Subjects
import Sweep

/// The revision that a gate compares with in place of a baseline: where its subject's repository is,
/// how it is built, and which of its files is the subject.
public struct GateReference: Sendable {
  /// Obstacles of a comparison that the user accepts.
  public struct Allowances: Sendable {
    /// Uncommitted changes in the repository.
    public var dirty = false
    /// A plan that differs between the two revisions.
    public var changedPlan = false

    public init() {}
  }

  /// The thing that is rebuilt.
  enum Kind: Sendable {
    /// A subject's file, by its path in the repository now and in the revision.
    ///
    /// The prefix is that of an id such as `mix:mine.yaml`.
    case file(now: String, then: String, prefix: String)
    /// A subject of choir-eval itself, which each side runs by its own program.
    case ofThisProgram(id: String)
  }

  public let gate: Gate
  public let repository: GitRepository
  public let commit: Commit
  /// The revision as the user named it.
  public let name: String
  let kind: Kind
  /// Shell lines of the build.
  let command: String

  /// Checks everything that can be known before the build.
  ///
  /// - Parameters:
  ///   - name: branch, tag, hash or expression of the revision.
  ///   - run: the candidate.
  ///   - subjectThen: path in the repository of the subject's file of then, if it was renamed.
  public init(
    _ name: String, of gate: Gate, for run: GateRun, subjectThen: String? = nil,
    allowing allowances: Allowances = Allowances()
  ) throws {
    (self.gate, self.name) = (gate, name)
    let ids = run.plan.subjects.map(\.id).uniqued()
    guard ids.count == 1, let id = ids.first else { throw Refusal.severalSubjects(ids) }
    let file = try Self.file(of: id, in: run)
    repository = try GitRepository(containing: file ?? gate.url)
    commit = try repository.commit(name)
    if !allowances.dirty {
      let changed = try repository.changedFiles()
      guard changed.isEmpty else {
        throw Refusal.dirty(files: changed, repository: repository.root.path)
      }
    }
    if let file {
      let now = try repository.path(of: file)
      let then = subjectThen ?? now
      guard try repository.text(of: then, at: commit) != nil else {
        throw Refusal.noFile(
          path: then, commit: commit.short,
          earlier: repository.earlierPath(of: then, at: commit))
      }
      kind = .file(
        now: now, then: then, prefix: id.hasPrefix(MixSubject.prefix) ? MixSubject.prefix : "")
    } else {
      kind = .ofThisProgram(id: id)
    }
    guard let command = gate.build ?? (file == nil ? Self.ownBuild : nil) else {
      throw Refusal(
        gate.url.relativePath,
        "lacks 'build', so no other revision can be built; add the shell command that builds the "
          + "subject, run in the top folder of the repository, such as build: make")
    }
    self.command = command
    if !allowances.changedPlan { try refuseChangedPlan() }
  }

  /// Returns the subject's file; `nil` for a subject of choir-eval itself.
  static func file(of id: String, in run: GateRun) throws -> URL? {
    if id.hasPrefix(MixSubject.prefix) {
      return try file(of: String(id.dropFirst(MixSubject.prefix.count)), in: run)
    }
    if id.hasSuffix(".yaml") || id.contains("/"), !id.hasPrefix(PresetSubject.prefix) {
      return URL(fileURLWithPath: id)
    }
    let described = run.corpus.subjectsFolder.appendingPathComponent("\(id).yaml")
    return FileManager.default.fileExists(atPath: described.path) ? described : nil
  }

  /// Compares the keys and values of both plans: comments may differ.
  private func refuseChangedPlan() throws {
    guard let path = try? repository.path(of: gate.planFile),
      let then = try repository.text(of: path, at: commit)
    else { return }  // a plan that the revision lacks can't have meant something else
    let now = try YAMLFile.text(of: gate.planFile)
    guard then != now else { return }
    let nodes = (try? YAMLFile.node(of: then), try? YAMLFile.node(of: now))
    guard nodes.0 != nil, nodes.0 == nodes.1 else {
      throw Refusal(
        "\(path) differs from that of \(commit.short), so the two revisions were meant to be measured "
          + "differently; commit the plan by itself first, or measure both by the present one: "
          + "--allow-changed-plan")
    }
  }

  // MARK: The program

  /// The build of choir-eval, in the kind of this program, so that both cost the same.
  private static var ownBuild: String {
    isDebug ? "swift build --product choir-eval" : "swift build -c release --product choir-eval"
  }

  private static var isDebug: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  /// Path of the built choir-eval in the repository.
  var programPath: String {
    gate.program ?? ".build/\(Self.isDebug ? "debug" : "release")/choir-eval"
  }
}
