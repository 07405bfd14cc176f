import DSP
import Foundation
import Statistics

/// The effect of a system on each consonant: kept, doubled, smeared or lost.
///
/// Above 2 kHz a consonant is noise, which needs no pitch. Its power over time in the output is
/// explained in three ways from the input: as it was, with a second copy 12 to 60 ms later, or
/// prolonged by an exponential decay; each up to 2 ms earlier or later than the whole sound. The
/// simplest explanation that fits well enough is the consonant's fate.
///
/// - Domain: phones with noise above 2 kHz: plosives, fricatives, affricates; hardly nasals and
///   liquids. Sounds of one sample rate, 8 kHz and up, aligned by a delay known within 2 ms.
///   Pitch does not affect voiceless consonants; of voiced ones at another pitch
///   about one in seven is wrongly called doubled.
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

  /// Minimum loss of energy of a lost consonant, relative to the level of the other sound.
  private static let lossDb = 10.0
  /// Minimum level of a second copy.
  private static let minCopyDb = -9.0
  /// Minimum time constant of a decay of the power.
  private static let minDecayMs = 10.0
  /// Maximum unexplained energy of a copy or decay, relative to that of a plain copy.
  private static let maxRest = 0.6

  public struct Consonant: Codable, Equatable, Sendable {
    public var phone: Phone
    /// The fate; `nil` if the phone has no noise above 2 kHz or lies outside the sounds.
    public var fate: Fate?
    /// Change of the energy above 2 kHz, relative to the change of all sound but consonants.
    public var levelChangeDb: Double?
    /// Delay of the second copy, if doubled.
    public var copyDelayMs: Double?
    /// Level of the second copy, if doubled.
    public var copyGainDb: Double?
    /// Time in which the power falls to 1/e, if smeared.
    public var decayMs: Double?
  }

  public var consonants: [Consonant]

  /// Returns the share of consonants with this fate; `nil` if none has a known fate.
  ///
  /// - Parameter labels: labels of a class, such as the plosives; `nil` for all.
  public func share(_ fate: Fate, of labels: Set<String>? = nil) -> Double? {
    let known = consonants.filter { labels?.contains($0.phone.label) ?? true }.compactMap(\.fate)
    return known.isEmpty ? nil : Double(known.count { $0 == fate }) / Double(known.count)
  }

  /// - Parameters:
  ///   - phones: consonants only, with times in the input.
  ///   - delaySeconds: delay of the output.
  public init(
    of phones: [Phone], in output: Signal, from input: Signal, delaySeconds: Double = 0
  ) throws(Unmeasurable) {
    try output.checkedForArtefacts(against: input)
    guard input.sampleRateHz >= 8000 else {
      throw Unmeasurable.rateTooLow(hz: input.sampleRateHz, minHz: 8000)
    }
    let curves = (
      in: Self.highPower(input), out: Self.highPower(output, stepsPerMs: Excerpt.stepsPerMs)
    )
    let audible = 1e-6 * (curves.in.max() ?? 0)
    let delayMs = delaySeconds * 1000
    let pairs = phones.map { Excerpt($0, curves.in, curves.out, delayMs: delayMs, least: audible) }
    let gains = pairs.compactMap { $0?.gain }.filter { $0 > 0 }
    let gain =
      Self.gain(of: output, from: input, delaySeconds: delaySeconds, besides: phones)
      ?? Statistics.median(gains) ?? 1
    consonants = zip(phones, pairs).map { phone, pair in
      pair.map { Self.judge($0, phone, gain) } ?? Consonant(phone: phone)
    }
  }

  /// Window of noise, longer than a period of any voice, and its shortest stretch.
  private static let (noiseWindowMs, minNoiseMs) = (20.0, 20)
  /// Power of such a stretch over that of the loudest: what is softer is the room.
  private static let minNoiseShare = 1e-3

  /// Returns the voiceless noises of a sound whose phones nobody wrote down, breaths among them: stretches
  /// with most of their power above 2 kHz.
  public static func noises(in signal: Signal) -> [Phone] {
    guard signal.sampleRateHz >= 8000 else { return [] }
    return signal.derived("consonantNoises") {
      let high = highPower(signal, windowMs: noiseWindowMs)
      let whole = PowerCurve(of: signal, stepMs: 1, windowMs: noiseWindowMs).powers
      let least = minNoiseShare * (high.max() ?? 0)
      let isNoise = zip(high, whole).map { $0 > least && 2 * $0 > $1 }
      var (found, start) = ([Phone](), 0)
      for place in 0...isNoise.count where place == isNoise.count || !isNoise[place] {
        if place - start >= minNoiseMs {
          found.append(
            Phone(
              onsetSeconds: Double(start) / 1000, offsetSeconds: Double(place) / 1000, label: ""))
        }
        start = place + 1
      }
      return found
    }
  }

  /// The power gain of all loud input but the consonants; `nil` if there is none. Consonants can't
  /// be their own reference: if all were equally dull, none would count as lost.
  private static func gain(
    of output: Signal, from input: Signal, delaySeconds: Double, besides phones: [Phone]
  ) -> Double? {
    let (stepMs, windowMs, stepsOfOutput) = (5.0, 20.0, 20)
    let x = PowerCurve(of: input, stepMs: stepMs, windowMs: windowMs).powers
    let stepOfOutputMs = stepMs / Double(stepsOfOutput)
    let y = PowerCurve(of: output, stepMs: stepOfOutputMs, windowMs: windowMs).powers
    let late = Int((delaySeconds * 1000 / stepOfOutputMs).rounded())
    let loud = 0.01 * (Statistics.quantile(x, 0.95) ?? 0)
    var isConsonant = [Bool](repeating: false, count: x.count)
    for phone in phones {
      let (first, last) = (phone.onsetSeconds * 1000 / stepMs, phone.offsetSeconds * 1000 / stepMs)
      for step in x.indices where first - 1 < Double(step) && Double(step) <= last {
        isConsonant[step] = true
      }
    }
    var (after, before) = (0.0, 0.0)
    for step in x.indices where x[step] > loud && !isConsonant[step] {
      let place = step * stepsOfOutput + late
      guard y.indices.contains(place) else { continue }
      after += y[place]
      before += x[step]
    }
    return after > 0 ? after / before : nil
  }

  /// Power between 2 kHz and 16 kHz.
  private static func highPower(
    _ signal: Signal, stepsPerMs: Int = 1, windowMs: Double = 4
  ) -> [Double] {
    let top = min(16_000, 0.49 * signal.sampleRateHz)
    let band = ButterworthBand(2000, top, sampleRateHz: signal.sampleRateHz)
    let high = band.apply(signal.samples.map { Double($0) }).map { Float($0) }
    return PowerCurve(
      of: Signal(high, sampleRateHz: signal.sampleRateHz), stepMs: 1 / Double(stepsPerMs),
      windowMs: windowMs
    ).powers
  }

  private static func judge(_ pair: Excerpt, _ phone: Phone, _ gain: Double) -> Consonant {
    var result = Consonant(phone: phone)
    let changeDb = 10 * log10(max(pair.gain / gain, 1e-12))
    result.levelChangeDb = changeDb
    guard changeDb > -lossDb else {
      result.fate = .lost
      return result
    }
    let plain = pair.restOfPlain()
    let copy = pair.bestCopy(minGain: pow(10, minCopyDb / 10))
    let decay = pair.bestDecay(minMs: minDecayMs)
    let limit = maxRest * plain
    // A plain copy within 2 % of the energy is good enough.
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
