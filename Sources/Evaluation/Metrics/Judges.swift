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
  var constants = "d04f20fbb4c8fa78bb796209c9f2bc8a10fa83536589e186132bb057c87f2e99"
  var invalidGrades = GradeTable.invalid

  var fingerprint: String {
    // All settings are finite numbers and texts.
    Digest.sha256(try! JSONEncoder.canonical.encode(self))
  }

  static let fingerprint = Judges().fingerprint
}
