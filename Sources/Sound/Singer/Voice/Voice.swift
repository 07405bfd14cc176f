/// A singer: a vocal tract and a pair of vocal folds.
public struct Voice: Codable, Equatable, Sendable {
  public var name: String
  /// Length from the glottis to the lips; formant frequencies are inversely proportional to it.
  public var tractLengthCm: Double
  /// Lowest written note, as a note number, and below the highest.
  public var lowestSemitones: Double
  public var highestSemitones: Double
  public var phonation: Phonation
  /// Strength of the singer's formant, at which F3 to F5 gather: 0 none, 1 full.
  public var ring: Double
  /// True if the first formant follows notes written above it, as in sopranos.
  public var tunesFirstFormant: Bool

  public init(
    name: String, tractLengthCm: Double, lowestSemitones: Double, highestSemitones: Double,
    phonation: Phonation, ring: Double = 0, tunesFirstFormant: Bool = false
  ) {
    self.name = name
    self.tractLengthCm = tractLengthCm
    self.lowestSemitones = lowestSemitones
    self.highestSemitones = highestSemitones
    self.phonation = phonation
    self.ring = ring
    self.tunesFirstFormant = tunesFirstFormant
  }

  /// Formant frequencies relative to the tables, which describe a 17.5 cm tract.
  var formantScale: Double { 17.5 / tractLengthCm }

  func validate() throws(SingerError) {
    try require("tractLengthCm", tractLengthCm, in: 10...20)
    try require("lowestSemitones", lowestSemitones, in: 24...96)
    try require("highestSemitones", highestSemitones, in: lowestSemitones...108)
    try require("ring", ring, in: 0...1)
    try phonation.validate()
  }
}

/// The house choir: ten voices from C2 to C6.
///
/// Ranges and tract lengths are our own choices: lengths increase plausibly from child to bass but
/// are not taken from a table. Pulse shapes and turbulence levels were set by comparing renderings
/// with recordings; docs/notes/voices.md#the-synthetic-singer shows how well they agree.
extension Voice {
  public static let bass = Voice(
    name: "bass", tractLengthCm: 18.4, lowestSemitones: 36, highestSemitones: 64,
    phonation: Phonation(pulseShape: 0.95, aspirationDb: -27), ring: 0.6)
  public static let baritone = Voice(
    name: "baritone", tractLengthCm: 17.7, lowestSemitones: 41, highestSemitones: 67,
    phonation: Phonation(pulseShape: 0.95, aspirationDb: -27), ring: 0.7)
  public static let tenor = Voice(
    name: "tenor", tractLengthCm: 16.8, lowestSemitones: 47, highestSemitones: 72,
    phonation: Phonation(pulseShape: 0.9, aspirationDb: -27), ring: 0.7)
  /// An untrained man, without a singer's formant and with more breath.
  public static let folkTenor = Voice(
    name: "folk tenor", tractLengthCm: 17.0, lowestSemitones: 45, highestSemitones: 69,
    phonation: Phonation(
      pulseShape: 1.15, aspirationDb: -24, jitterPercent: 0.4, shimmerPercent: 2.5, flutterCents: 10
    ))
  public static let countertenor = Voice(
    name: "countertenor", tractLengthCm: 16.6, lowestSemitones: 53, highestSemitones: 77,
    phonation: Phonation(pulseShape: 1.15, aspirationDb: -25), ring: 0.3, tunesFirstFormant: true)
  public static let alto = Voice(
    name: "alto", tractLengthCm: 15.6, lowestSemitones: 53, highestSemitones: 77,
    phonation: Phonation(pulseShape: 1.05, aspirationDb: -26), ring: 0.4, tunesFirstFormant: true)
  public static let mezzo = Voice(
    name: "mezzo", tractLengthCm: 15.2, lowestSemitones: 55, highestSemitones: 81,
    phonation: Phonation(pulseShape: 1.05, aspirationDb: -26), ring: 0.4, tunesFirstFormant: true)
  public static let soprano = Voice(
    name: "soprano", tractLengthCm: 14.7, lowestSemitones: 59, highestSemitones: 84,
    phonation: Phonation(pulseShape: 1.1, aspirationDb: -28), ring: 0.2, tunesFirstFormant: true)
  /// A woman singing close to a microphone, airy and straight.
  public static let popSoprano = Voice(
    name: "pop soprano", tractLengthCm: 15.0, lowestSemitones: 55, highestSemitones: 79,
    phonation: Phonation(
      pulseShape: 1.4, aspirationDb: -20, jitterPercent: 0.4, shimmerPercent: 2.5, flutterCents: 8),
    tunesFirstFormant: true)
  public static let child = Voice(
    name: "child", tractLengthCm: 12.8, lowestSemitones: 57, highestSemitones: 81,
    phonation: Phonation(
      pulseShape: 1.2, aspirationDb: -23, jitterPercent: 0.4, shimmerPercent: 2.5, flutterCents: 8),
    tunesFirstFormant: true)

  /// All voices, from low to high.
  public static let all: [Voice] = [
    bass, baritone, folkTenor, tenor, countertenor, alto, popSoprano, mezzo, child, soprano,
  ]
}
