import Analyzer

extension PitchTracker {
  /// The judge's own tracker, with default settings.
  package static let standard = try! PitchTracker()

  /// The judge's tracker for voices up to the edge of the domain: its ceiling lies above, because a
  /// vibrato that meets the ceiling would be taken for the octave below.
  package static let ofVoices: PitchTracker = {
    var settings = Settings()
    settings.ceilingHz = 1600
    return try! PitchTracker(settings)
  }()
}
