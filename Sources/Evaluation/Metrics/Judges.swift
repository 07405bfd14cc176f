import Analyzer
import Corpus
import Foundation
import Platform

/// The settings and named numbers of all judges, on which values depend beside the versions of metrics.
///
/// Cells are bound to a build. Baselines and noise outlive builds and are bound to this.
struct Judges: Encodable {
  var pitch = PitchTracker.standard.settings
  var envelopes = EnvelopeAnalyzer.Settings()
  /// Digest of the named numbers in the sources of the judges; `JudgesTests` computes it.
  var constants = "fa7b79cc0023365efebf5cb4f5de81e49da2c136077cd486df0e0dc18ade2bc4"
  var invalidGrades = GradeTable.invalid

  var fingerprint: String {
    // All settings are finite numbers and texts.
    Digest.sha256(try! JSONEncoder.canonical.encode(self))
  }

  static let fingerprint = Judges().fingerprint
}
