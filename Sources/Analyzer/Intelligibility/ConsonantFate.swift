import DSP
import Foundation

/// What became of a consonant on its way through a system: kept, doubled, smeared or lost.
///
/// Above 2 kHz a consonant is noise that no pitch is needed for. How its power runs over time in the
/// output is explained in three ways by how it runs in the input: as it was; with a second copy of
/// itself 12 to 60 ms later; or drawn out by a decay. The simplest that fits well enough is its fate.
///
/// - Domain: phones with noise above 2 kHz: plosives, fricatives, affricates; hardly nasals and
///   liquids. Sounds of 8 kHz and up at one rate, aligned by a delay known to within a few
///   milliseconds. The pitch does not matter to voiceless ones; of voiced ones at another pitch about
///   one in seven is called doubled.
/// - Cost: about 0.01 of real time. Allocates.
public struct ConsonantFate: Codable, Equatable, Sendable {
  public enum Fate: String, Codable, CaseIterable, Sendable {
    case kept, doubled, smeared, lost
  }

  /// A phone in the input.
  public struct Phone: Codable, Equatable, Sendable {
    public var onsetSeconds: Double
    public var offsetSeconds: Double
    public var label: String

    public init(onsetSeconds: Double, offsetSeconds: Double, label: String) {
      (self.onsetSeconds, self.offsetSeconds) = (onsetSeconds, offsetSeconds)
      self.label = label
    }
  }

  /// Where one fate ends and the next begins.
  public struct Settings: Codable, Equatable, Sendable {
    /// A consonant whose energy falls by more than this, beyond what all else fell by, is lost.
    public var lossDb = 10.0
    /// A second copy weaker than this is none.
    public var leastCopyDb = -9.0
    /// A decay with a shorter time constant of its power is none.
    public var leastDecayMs = 10.0
    /// The share of what a plain copy leaves unexplained that another explanation may leave.
    public var largestRest = 0.6

    public init() {}

    public func validate() throws(SettingsError) {
      try require("lossDb", lossDb, in: 1...60)
      try require("leastCopyDb", leastCopyDb, in: -40...0)
      try require("leastDecayMs", leastDecayMs, in: 1...100)
      try require("largestRest", largestRest, in: 0.01...1)
    }
  }

  public struct Consonant: Codable, Equatable, Sendable {
    public var phone: Phone
    /// `nil` where the phone has no noise above 2 kHz to go by, or lies beyond the sounds.
    public var fate: Fate?
    /// Energy above 2 kHz, out over in, beyond that of all frequencies of what is no consonant.
    public var levelChangeDb: Double?
    /// Of a doubled one: its second copy.
    public var copyDelayMs: Double?
    public var copyGainDb: Double?
    /// Of a smeared one: the time in which the power falls to 1/e.
    public var decayMs: Double?
  }

  public var consonants: [Consonant]

  /// The share of those with a fate that had this one; `nil` where none has a fate.
  ///
  /// - Parameter labels: those of a class, such as the plosives; `nil` for all.
  public func share(_ fate: Fate, of labels: Set<String>? = nil) -> Double? {
    let known = consonants.filter { labels?.contains($0.phone.label) ?? true }.compactMap(\.fate)
    return known.isEmpty ? nil : Double(known.count { $0 == fate }) / Double(known.count)
  }

  /// - Parameters:
  ///   - phones: consonants only; their times are those of the input.
  ///   - delaySeconds: how much later the output is.
  /// - Throws: `ArtefactFailure`, or `SettingsError` for a setting that makes no sense.
  public init(
    of phones: [Phone], in output: Signal, from input: Signal, delaySeconds: Double = 0,
    _ settings: Settings = Settings()
  ) throws {
    try settings.validate()
    try output.checkedForArtefacts(against: input)
    guard input.sampleRateHz >= 8000 else {
      throw ArtefactFailure.rateTooLow(hz: input.sampleRateHz, leastHz: 8000)
    }
    let curves = (in: Self.highPower(input), out: Self.highPower(output))
    let audible = 1e-6 * (curves.in.max() ?? 0)
    let delay = Int((delaySeconds * 1000).rounded())
    let pairs = phones.map { Excerpt($0, curves.in, curves.out, delay: delay, least: audible) }
    let gains = pairs.compactMap { $0?.gain }.filter { $0 > 0 }
    let gain =
      Self.gain(of: output, from: input, delaySeconds: delaySeconds, besides: phones)
      ?? Statistics.median(gains) ?? 1
    consonants = zip(phones, pairs).map { phone, pair in
      pair.map { Self.judge($0, phone, gain, settings) } ?? Consonant(phone: phone)
    }
  }

  /// Power out over in of all that is loud in the input and no consonant; `nil` where nothing is.
  /// Consonants are no measure of themselves: were all as dull, none would be lost.
  private static func gain(
    of output: Signal, from input: Signal, delaySeconds: Double, besides phones: [Phone]
  ) -> Double? {
    let stepMs = 5.0
    let (x, y) = (
      PowerCurve(of: input, stepMs: stepMs).powers, PowerCurve(of: output, stepMs: stepMs).powers
    )
    let late = Int((delaySeconds * 1000 / stepMs).rounded())
    let loud = 0.01 * (Statistics.quantile(x, 0.95) ?? 0)
    var isConsonant = [Bool](repeating: false, count: x.count)
    for phone in phones {
      let span = Int(phone.onsetSeconds * 1000 / stepMs)...Int(phone.offsetSeconds * 1000 / stepMs)
      for step in span.clamped(to: 0...max(0, x.count - 1)) { isConsonant[step] = true }
    }
    var (heard, sung) = (0.0, 0.0)
    for step in x.indices where x[step] > loud && !isConsonant[step] {
      guard y.indices.contains(step + late) else { continue }
      heard += y[step + late]
      sung += x[step]
    }
    return heard > 0 ? heard / sung : nil
  }

  /// Power between 2 kHz and 16 kHz, every millisecond.
  private static func highPower(_ signal: Signal) -> [Double] {
    let top = min(16_000, 0.49 * signal.sampleRateHz)
    let band = ButterworthBand(2000, top, sampleRateHz: signal.sampleRateHz)
    let high = band.apply(signal.samples.map { Double($0) }).map { Float($0) }
    return PowerCurve(of: Signal(high, sampleRateHz: signal.sampleRateHz), stepMs: 1).powers
  }

  private static func judge(
    _ pair: Excerpt, _ phone: Phone, _ gain: Double, _ settings: Settings
  ) -> Consonant {
    var result = Consonant(phone: phone)
    let changeDb = 10 * log10(max(pair.gain / gain, 1e-12))
    result.levelChangeDb = changeDb
    guard changeDb > -settings.lossDb else {
      result.fate = .lost
      return result
    }
    let plain = pair.restOfPlain()
    let copy = pair.bestCopy(leastGain: pow(10, settings.leastCopyDb / 10))
    let decay = pair.bestDecay(leastMs: settings.leastDecayMs)
    let limit = settings.largestRest * plain
    // What already fits to 2 % of the energy needs no explanation.
    if plain < 0.02 || min(copy.rest, decay.rest) > limit {
      result.fate = .kept
    } else if copy.rest <= decay.rest {
      result.fate = .doubled
      result.copyDelayMs = Double(copy.delay)
      result.copyGainDb = 10 * log10(copy.gain)
    } else {
      result.fate = .smeared
      result.decayMs = decay.ms
    }
    return result
  }
}
