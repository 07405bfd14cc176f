import Analyzer
import Corpus
import Files
import Foundation

/// The settings of all judges, on which values depend beside the versions of metrics.
///
/// Cells are bound to a build. Baselines and noise outlive builds and are bound to this.
struct Judges: Encodable {
  var pitch = PitchTracker.standard.settings
  var harmonics = HarmonicFit.Settings()
  var harmonicsOfMixes = JointHarmonicFit.Settings()
  var notes = NoteSegmenter.Settings()
  var vibrato = VibratoFit.Settings()
  var steps = StepResponse.Settings()
  var events = EventDelay.Settings()
  var envelopes = EnvelopeAnalyzer.Settings()
  var harmonicity = Harmonicity.Settings()
  var clicks = Clicks.Settings()
  var defects = SignalDefects.Settings()
  var consonants = ConsonantFate.Settings()
  /// Digest of the named numbers in the sources of the judges; `JudgesTests` computes it.
  var constants = "0693f83f897280b9df71493c66c014724835ad21bf1434b03e0d04ef5846757d"
  var invalidGrades = GradeTable.invalid

  var fingerprint: String {
    // All settings are finite numbers and texts.
    Digest.sha256(try! JSONEncoder.canonical.encode(self))
  }

  static let fingerprint = Judges().fingerprint
}
