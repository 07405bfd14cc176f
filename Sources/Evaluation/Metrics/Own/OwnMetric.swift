import Foundation
import Platform
import Subjects
import Synchronization

/// A user's metric: a program that judges a sound, described by a YAML file.
///
/// `docs/reference/metrics.md#your-own-metric` shows every key. A plan holds the whole description, so a
/// store can be read where the file and the program are missing.
public struct OwnMetric: Codable, Equatable, Sendable {
  /// The sound that the program compares with.
  public enum Reference: String, NamedChoice, Sendable {
    /// The same synthetic singer at the target pitch.
    case oracle
    /// The sound that the subject received.
    case input
    /// The recording without the plan's condition.
    case clean
  }

  public var id: String
  /// Summary in one line.
  public var title: String
  public var unit: String
  public var direction: Metric.Direction
  /// Value of a perfect voice.
  public var ideal: Double?
  /// Smallest change that matters, in the unit; by default that of the unit, if it has one.
  public var minimumEffect: Double?
  /// Condition under which it is defined, in words.
  public var domain: String
  /// The program and its arguments, with places in braces.
  public var command: [String]
  public var reference: Reference?
  /// False to pass the output with its delay. Otherwise output and reference begin together, and a sound
  /// whose delay is unknown has no value.
  public var aligned: Bool?
  /// Sample rate of the files that the program gets; `nil` keeps the recording's.
  public var rateHz: Double?
  public var inputFormat: SubjectFile.InputFormat?
  /// Files and folders that the value depends on and that the command does not name.
  public var dependsOn: [String]?
  public var environment: SubjectEnvironment?
  public var timeoutSeconds: Double?
  public var memoryMB: Double?
  /// The command that installs the program.
  public var install: String?
  /// Beginnings of the names of faults whose doses it must follow, for `choir-dev metrics validate`.
  public var follows: [String]?

  /// Path of its file; paths in it start from there.
  var file = ""
  /// Digest of the description and of the program's files, computed when the file is read.
  var content = ""

  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, title, unit, direction, ideal, minimumEffect, domain, command, reference, aligned,
      rateHz
    case inputFormat, dependsOn, environment, timeoutSeconds, memoryMB, install, follows, file,
      content
  }

  /// Version: the beginning of the content's digest, so another program is another version.
  public var version: Int { Int(content.prefix(7), radix: 16) ?? 1 }

  /// Value of a perfect voice; 0 by default.
  public var perfect: Double { ideal ?? 0 }

  /// The metric as all others.
  public var metric: Metric {
    Metric(
      .init(
        id, version: version, unit: unit, direction, title, effect: minimumEffect, ideal: ideal),
      domain: [domain, reference.map { "against the \($0.words)" }].compactMap(\.self)
        .joined(separator: "; "), program: self)
  }

  // MARK: Those that are known

  /// The own metrics of every plan, store and file that this process has read.
  static var known: [Metric] { KnownMetrics.shared.all }

  /// Makes it one of all metrics. Another own one of the same id is replaced; a metric of this toolkit
  /// never is.
  public func register() {
    if !Self.isTaken(id) { KnownMetrics.shared.add(metric) }
  }
}

extension OwnMetric.Reference {
  fileprivate var words: String {
    switch self {
    case .oracle: "oracle of synthetic recordings"
    case .input: "subject's input"
    case .clean: "clean voice"
    }
  }
}

/// The own metrics of this process, by id.
private final class KnownMetrics: Sendable {
  static let shared = KnownMetrics()
  private let metrics = Mutex<[Metric]>([])

  var all: [Metric] { metrics.withLock { $0 } }

  func add(_ metric: Metric) {
    metrics.withLock { metrics in
      metrics.removeAll { $0.id == metric.id }
      metrics.append(metric)
      metrics.sort { $0.id < $1.id }
    }
  }
}
