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
  var constants = "9e68e532c5b7d96922a172dc7de72c0f93ed2218d152a44a60e48529d008c773"
  var invalidGrades = GradeTable.invalid

  var fingerprint: String {
    // All settings are finite numbers and texts.
    Digest.sha256(try! JSONEncoder.canonical.encode(self))
  }

  static let fingerprint = Judges().fingerprint
}
