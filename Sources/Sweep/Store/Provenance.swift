import BuildInfo
import Cost
import Subjects

/// Origin of a cell's measurements, stored beside them because subject, toolkit and machine change
/// over time.
public struct Provenance: Codable, Hashable, Sendable {
  public var subjectVersion: String
  /// Version of this package.
  public var toolkit: String
  /// Commit of this package, `BuildInfo.commit`.
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

  /// Returns the provenance of a cell that this program measures now.
  public static func here(_ subject: any Subject) -> Provenance {
    Provenance(
      subjectVersion: subject.version, toolkit: BuildInfo.version, commit: BuildInfo.commit,
      build: BuildInfo.kind, machine: MachineClass.machine)
  }

  /// Text such as `choir-eval 0.1.0 (commit 0123456789ab, release build)`.
  public var program: String { "choir-eval \(toolkit) (commit \(commit), \(build))" }
}

/// The provenance of several cells: each distinct value in order of appearance, with its number of
/// cells.
public struct ProvenanceSummary: Codable, Equatable, Sendable {
  public struct Share: Codable, Equatable, Sendable {
    public var value: String
    public var cells: Int
  }

  /// Versions by subject id.
  public var subjects: [String: [Share]] = [:]
  /// Programs, as `Provenance.program` names them.
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

  /// Returns one line: the value alone if all cells share it, otherwise each with its cell count.
  public static func line(_ shares: [Share]) -> String {
    shares.count == 1
      ? shares[0].value
      : shares.map { "\($0.value) (\($0.cells) cells)" }.joined(separator: "; ")
  }

  /// Returns one line for each difference between two sets of cells.
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
