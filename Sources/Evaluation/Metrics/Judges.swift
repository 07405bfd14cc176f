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
  var constants = "f203bf7390c27394030f11864b6f4a78459a3de08b0694f6a157552bb2d3e9c4"
  var invalidGrades = GradeTable.invalid

  var fingerprint: String {
    // All settings are finite numbers and texts.
    Digest.sha256(try! JSONEncoder.canonical.encode(self))
  }

  static let fingerprint = Judges().fingerprint
}
