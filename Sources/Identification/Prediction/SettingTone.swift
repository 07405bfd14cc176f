import Corpus
import Files
import Foundation
import Subjects
import Sweep

/// One tone of 3.2 s through a subject at one setting. It takes less time than a cell, and predictions
/// begin with it.
public struct SettingTone: Codable, Equatable, Sendable {
  public let subject: String
  public let settings: SubjectSettings
  public let tone: ToneTrial
  /// Processor time over the duration; `nil` if it is not known.
  public let realtimeFactor: Double?

  private static let noteHz = 220.0
  private static let semitones = 4.0

  /// Sounds the tone.
  ///
  /// - Parameter settings: all settings of a cell; the sample rate is not the subject's.
  /// - Throws: the subject's error.
  init(of subject: any Subject, settings: SubjectSettings, ofSubject own: SubjectSettings) throws {
    let bench = try ProbeBench(subject, settings: own)
    let semitones = bench.takesShifts ? Self.semitones : 0
    let found = try ToneTrial.run(bench, noteHz: Self.noteHz, semitones: semitones)
    (self.subject, self.settings, tone) = (subject.id, settings, found.trial)
    realtimeFactor = found.cpuSeconds.map { $0 / ToneTrial.seconds }
  }

  /// Sounds a tone at every setting of a plan; settings at which the subject refuses it are left out.
  public static func all(of sweep: Sweep) -> [SettingTone] {
    let first = Dictionary(sweep.cells.map { (CellPlace($0).choice, $0) }) { first, _ in first }
    return Array(first.values).sorted { $0.label < $1.label }.concurrentMap { cell in
      sweep.subject(of: cell).flatMap { subject in
        try? SettingTone(of: subject, settings: cell.settings, ofSubject: cell.subjectSettings)
      }
    }.compactMap(\.self)
  }

  var choice: CellPlace.Choice { .init(subject: subject, settings: settings) }

  /// The figure that the tone suggests, on the figure's additive scale; `nil` if it tells nothing of
  /// it.
  func suggestion(for figure: PredictedFigure) -> Double? {
    switch figure {
    case .latency, .impulseLatency: tone.delayMs.value
    case .cost: realtimeFactor.flatMap { figure.additive($0) }
    case .pitch:
      // The median distance of a normal swing from its mean is two thirds of a deviation.
      tone.errorCents.value.flatMap { error in
        tone.swingCents.value.flatMap { figure.additive(abs(error) + 0.67 * $0) }
      }
    case .tremolo: tone.levelSwingDb.value
    case .formants, .missing, .gross, .tilt, .consonants, .clicks: nil
    }
  }
}
