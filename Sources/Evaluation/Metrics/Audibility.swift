/// A threshold of hearing: the smallest difference of one attribute that listeners notice.
///
/// Where sources of matching conditions disagree, the stricter counts. The conditions of each, the
/// range that other conditions have, and further attributes stand in docs/data/audibility.csv.
///
/// The raw values are axes of `tune`.
public enum Audibility: String, CaseIterable, Sendable {
  /// Frames without a voice, in percent: 10 ms in a second is a limit of this project.
  ///
  /// - Source: Snell and Hu, The effect of temporal placement on gap detectability, 1995: gaps of 2.0
  ///   to 5.7 ms within a noise, by place.
  case missing
  /// Frames with a wrong note, in percent: a limit of this project, as for missing voices.
  case gross
  /// Cents of a voice in a chord, by amateur musicians.
  ///
  /// - Source: Hill and Summers, Discrimination of interval size in short tone sequences, 2007, doi
  ///   10.1121/1.2697059: about 10 cents, melodic and together with a sustained tone.
  case pitch
  /// Decibels from trough to crest of a level that swings up to 50 times a second.
  ///
  /// - Source: Viemeister, Temporal modulation transfer functions based upon modulation thresholds,
  ///   1979: 23 to 26 dB below full modulation.
  case tremolo
  /// Percent that all formants are moved alike, in syllables.
  ///
  /// - Source: Ives, Smith and Patterson, Discrimination of speaker size from syllable phrases, 2005,
  ///   doi 10.1121/1.2118427: about 5 %. Not read in its own text.
  case formants
  /// Decibels an octave, by the level of the first harmonic against the second.
  ///
  /// - Source: Kreiman and Gerratt, Perceptual sensitivity to first harmonic amplitude in the voice
  ///   source, 2010, doi 10.1121/1.3478784: 3.2 dB in the mean.
  case tilt
  /// Lost consonants in percent: computed, with 4 % of the phonemes lost, one word in ten is.
  ///
  /// - Source: Boothroyd and Nittrouer, Mathematical treatment of context effects in phoneme and word
  ///   recognition, 1988, doi 10.1121/1.396976. Not read in its own text.
  case consonants
  /// Clicks that stand out of the voice and come within 46 dB of its level.
  ///
  /// - Source: ISO 389-6, Reference threshold of hearing for test signals of short duration, 2007. Not
  ///   read in its own text.
  case clicks
  /// Milliseconds of constant latency, for musicians who hear a sound after an action.
  ///
  /// - Source: Jack, Mehrabi, Stockman and McPherson, Action-sound latency and the perceived quality of
  ///   digital musical instruments, 2018: 10 ms are rated like none, 20 ms lower.
  case latency

  /// Just-noticeable difference, in the unit of the attribute.
  public var threshold: Double {
    switch self {
    case .missing, .gross, .clicks: 1
    case .pitch, .latency: 10
    case .tremolo: 0.87
    case .formants: 5
    case .tilt: 3.2
    case .consonants: 4
    }
  }

  /// One step of `tune`: the threshold, or the largest value that the measure gives an unharmed voice
  /// if that is larger. On speech the detector finds up to 4 clicks.
  public var step: Double { self == .clicks ? 4 : threshold }
}
