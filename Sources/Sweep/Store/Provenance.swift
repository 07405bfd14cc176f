import BuildInfo
import Cost
import Subjects

/// What measured a cell: kept beside its numbers, since subject, toolkit and machine change while
/// results stay.
public struct Provenance: Codable, Hashable, Sendable {
  public var subjectVersion: String
  /// Version of this package.
  public var toolkit: String
  /// Of this package, `BuildInfo.commit`.
  public var commit: String
  /// `debug build` or `release build`.
  public var build: String
  /// `MachineClass.machine`.
  public var machine: String

  public init(
    subjectVersion: String, toolkit: String, commit: String, build: String, machine: String
  ) {
    (self.subjectVersion, self.toolkit, self.commit) = (subjectVersion, toolkit, commit)
    (self.build, self.machine) = (build, machine)
  }

  /// What a cell that is measured now by this program gets.
  public static func here(_ subject: any Subject) -> Provenance {
    Provenance(
      subjectVersion: subject.version, toolkit: BuildInfo.version, commit: BuildInfo.commit,
      build: BuildInfo.kind, machine: MachineClass.machine)
  }

  /// `choir-eval 0.1.0 (commit 0123456789ab, release build)`.
  public var program: String { "choir-eval \(toolkit) (commit \(commit), \(build))" }
}

/// The provenance of several cells: what each part was, in the order in which it comes first, and how
/// many cells had it.
public struct ProvenanceSummary: Codable, Equatable, Sendable {
  public struct Share: Codable, Equatable, Sendable {
    public var value: String
    public var cells: Int
  }

  /// Versions by the subject's id.
  public var subjects: [String: [Share]] = [:]
  /// As `Provenance.program` says.
  public var programs: [Share] = []
  public var machines: [Share] = []

  public init(of cells: [CellResult]) {
    for cell in cells {
      guard let provenance = cell.provenance else { continue }
      Self.count(provenance.subjectVersion, in: &subjects[cell.subject, default: []])
      Self.count(provenance.program, in: &programs)
      Self.count(provenance.machine, in: &machines)
    }
  }

  private static func count(_ value: String, in shares: inout [Share]) {
    if let place = shares.firstIndex(where: { $0.value == value }) {
      shares[place].cells += 1
    } else {
      shares.append(Share(value: value, cells: 1))
    }
  }

  /// One line: the value alone where all cells share it, else each with its number of cells.
  public static func line(_ shares: [Share]) -> String {
    shares.count == 1
      ? shares[0].value
      : shares.map { "\($0.value) (\($0.cells) cells)" }.joined(separator: "; ")
  }

  /// What differs between two sets of cells, a line each; none where nothing does.
  public func changes(to other: ProvenanceSummary) -> [String] {
    var lines: [String] = []
    func compare(_ what: String, _ before: [Share], _ after: [Share]) {
      guard Set(before.map(\.value)) != Set(after.map(\.value)) else { return }
      lines.append("\(what): \(Self.line(before)) → \(Self.line(after))")
    }
    for id in Set(subjects.keys).intersection(other.subjects.keys).sorted() {
      compare("\(id) version", subjects[id]!, other.subjects[id]!)
    }
    compare("measured by", programs, other.programs)
    compare("machine", machines, other.machines)
    return lines
  }
}
