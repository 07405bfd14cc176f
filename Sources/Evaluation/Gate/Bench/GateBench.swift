import Corpus
import Foundation
import Subjects
import Sweep

/// The answers of a gate's subjects to sounds that are no voice (`RobustnessTrial`), whatever the plan
/// lets them sing.
public struct GateBench: Equatable, Sendable {
  /// A subject as the bench had it, and a sound.
  public struct Place: Hashable, Comparable, Sendable {
    /// The subject with its settings; only the settings where two revisions are compared.
    public var configuration: String
    public var sound: String

    public static func < (a: Self, b: Self) -> Bool {
      (a.configuration, a.sound) < (b.configuration, b.sound)
    }
  }

  /// One answer.
  public struct Answer: Equatable, Sendable {
    public var verdict: ProbeFinding.Verdict
    public var words: String
  }

  public internal(set) var answers: [Place: Answer]

  init(_ answers: [Place: Answer] = [:]) { self.answers = answers }

  mutating func add(_ findings: [ProbeFinding], of configuration: String) {
    for finding in findings {
      answers[Place(configuration: configuration, sound: finding.name)] =
        Answer(verdict: finding.verdict, words: finding.words)
    }
  }

  /// Returns what changed since: a regression for each answer that was good and is poor now, an
  /// improvement the other way round, and a finding for each that was good and is undefined now. A
  /// poor answer to a sound that the baseline does not know is a note.
  func findings(against accepted: GateBench) -> [GateFinding] {
    let places = Set(answers.keys).union(accepted.answers.keys).sorted()
    return places.compactMap { place in
      let subject = ["bench", place.sound, place.configuration].filter { !$0.isEmpty }
        .joined(separator: " · ")
      let then = accepted.answers[place]
      guard let now = answers[place] else {
        return then?.verdict == .good
          ? GateFinding(.notComparable, subject, "is not answered any more; \(Self.remedy)") : nil
      }
      switch (then?.verdict, now.verdict) {
      case (nil, .poor):
        return GateFinding(
          .note, subject, "\(now.words); not in the baseline, accept it to guard it")
      case (.good?, .poor):
        return GateFinding(.regression, subject, "\(now.words); before: \(then!.words)")
      case (.poor?, .good):
        return GateFinding(.improvement, subject, "\(now.words); before: \(then!.words)")
      case (.good?, .undefined):
        return GateFinding(
          .notComparable, subject, "has no answer any more: \(now.words); \(Self.remedy)")
      default: return nil
      }
    }
  }

  private static let remedy =
    "mend the subject, or accept the change with choir-eval accept GATE --all --reason TEXT"

  /// Number of answers that differ from those of another bench.
  package func changes(from other: GateBench?) -> Int {
    let other = other?.answers ?? [:]
    return Set(answers.keys).union(other.keys).count { answers[$0] != other[$0] }
  }

  /// Returns the bench to accept over this one: new sounds, and answers that became poor; with
  /// `all`, every answer with another verdict. The others keep their words, so that a review shows
  /// only what changed.
  package func accepting(_ new: GateBench, all: Bool) -> GateBench {
    // Answers that are gone stay until `all` drops them.
    let kept = all ? [:] : answers.filter { new.answers[$0.key] == nil }
    return GateBench(
      new.answers.reduce(into: kept) { next, item in
        let (place, now) = item
        guard let then = answers[place], then.verdict == now.verdict || !all else {
          next[place] = now
          return
        }
        next[place] = (then.verdict, now.verdict) == (.good, .poor) ? now : then
      })
  }
}

/// The reviewed file of accepted answers: a line for each, in a fixed order.
extension GateBench {
  private static let title = "choir-eval.bench/2"

  /// Reads the accepted answers of a baseline.
  ///
  /// - Parameter accept: command that writes both again.
  /// - Throws: a `Refusal` with the line, or `OtherBaseline`.
  init(reading url: URL, of baseline: Baseline, accept: String) throws {
    let file = try AcceptedFile(reading: url, title: Self.title)
    try file.requireBelonging(to: baseline, accept: accept)
    answers = [:]
    for (row, columns) in file.rows.enumerated() {
      guard columns.count == 4,
        let verdict = ProbeFinding.Verdict(rawValue: columns[2]), verdict != .measured
      else {
        throw file.error(
          row: row, "must be subject, sound, good, poor or undefined, and words, with tabs")
      }
      answers[Place(configuration: columns[0], sound: columns[1])] =
        Answer(verdict: verdict, words: columns[3])
    }
  }

  /// Returns the text of the file, which names the baseline that it belongs to.
  func text(of baseline: Baseline) -> String {
    AcceptedFile(
      Self.title, header: ["\(AcceptedFile.baselineKey): \(baseline.digest)"],
      rows: answers.sorted { $0.key < $1.key }.map { place, answer in
        [place.configuration, place.sound, answer.verdict.rawValue, answer.words]
      }
    ).text
  }
}

extension GateRun {
  /// Puts every subject of the plan on the bench, with the settings of its first cell. A subject that is
  /// judged from its mix is the same program, and one that can't be put there has no answers.
  ///
  /// - Parameter ignoringSubject: true to name configurations by their settings only.
  public func bench(ignoringSubject: Bool = false) throws -> GateBench {
    var bench = GateBench()
    for (subject, settings) in try benchSettings() {
      guard let place = try? ProbeBench(subject, settings: settings), place.refusal == nil else {
        continue
      }
      let names = [ignoringSubject ? "" : subject.id, settings.canonical]
      bench.add(
        RobustnessTrial.findings(of: place),
        of: names.filter { !$0.isEmpty }.joined(separator: " "))
    }
    return bench
  }

  /// The subjects of the plan, each with the settings of its first cell.
  func benchSettings() throws -> [(subject: any Subject, settings: SubjectSettings)] {
    let subjects = try subjects ?? plan.subjects(in: corpus)
    let cells = try plan.resolved(in: corpus).cells(in: corpus, of: subjects)
    var known: [(subject: any Subject, settings: SubjectSettings)] = []
    for subject in subjects where !(subject is MixSubject) {
      guard !known.contains(where: { $0.subject.id == subject.id }),
        let cell = cells.first(where: { $0.subjectID == subject.id })
      else { continue }
      known.append((subject, cell.subjectSettings))
    }
    return known
  }
}
