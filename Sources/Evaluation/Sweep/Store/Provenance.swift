import Metrics
import Platform
import Subjects

/// Origin of a cell's measurements, stored beside them because subject, toolkit and machine change
/// over time.
public struct Provenance: Codable, Hashable, Sendable {
  public var subjectVersion: String
  public var toolkit: Toolkit
  /// `MachineClass.machine`.
  public var machine: String

  public init(subjectVersion: String, toolkit: Toolkit, machine: String) {
    (self.subjectVersion, self.toolkit, self.machine) = (subjectVersion, toolkit, machine)
  }

  /// Returns the provenance of a cell that this program measures now.
  public static func here(_ subject: any Subject) -> Provenance {
    Provenance(subjectVersion: subject.version, toolkit: .current, machine: MachineClass.machine)
  }
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
  /// Programs, as `Toolkit.program` names them.
  public var programs: [Share] = []
  public var machines: [Share] = []

  public init(of cells: [CellResult]) {
    func shares(_ cells: [CellResult], _ value: (Provenance) -> String) -> [Share] {
      cells.compactMap { $0.provenance.map(value) }.grouped { $0 }
        .map { Share(value: $0[0], cells: $0.count) }
    }
    let known = cells.filter { $0.provenance != nil }
    subjects = Dictionary(grouping: known, by: \.subject)
      .mapValues { shares($0) { $0.subjectVersion } }
    programs = shares(known) { $0.toolkit.program }
    machines = shares(known) { $0.machine }
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
