import DSP
import Foundation

/// A degradation, of known strength, of the clean recording before the subject hears it.
///
/// Truth and targets always come from the clean recording. No condition delays the voice, so the
/// measured latency is that of the subject.
public enum Condition: Hashable, Sendable {
  /// The unchanged recording.
  case clean
  /// Steady noise, `snrDb` below the active level of the voice.
  case noise(snrDb: Double, colour: NoiseColour, seed: UInt64)
  /// A room: the direct sound and an exponentially decaying tail.
  case room(Room)
  /// A gain.
  case level(db: Double)
  /// Clipping, as if recorded `overDb` over full scale and turned down again.
  case clip(overDb: Double)
  /// A low-pass filter at `hz`.
  case bandwidth(hz: Double)
  /// Another recording of the corpus, its active level `levelDb` above this one's.
  case bleed(id: String, levelDb: Double)

  /// Version of the conditions' sound, part of a result's key. Raise it when the same text gives
  /// another sound.
  package static let version = 1

  /// The recording that bleeds in, if one does.
  public var otherRecording: String? {
    if case .bleed(let id, _) = self { id } else { nil }
  }
}

/// A room as its impulse response: the direct sound at sample 0 and, 3 ms later, Gaussian noise
/// that falls by 60 dB in `rt60S`.
///
/// The direct sound keeps its level; the tail's energy is exactly `directDb` below it. The late
/// reverberation of real rooms is such noise. Single early reflections are left out.
///
/// - Source: Polack's model, as in Kuttruff, "Room Acoustics", 2009; Moorer, "About this
///   reverberation business", Computer Music Journal 3(2), 1979.
public struct Room: Hashable, Sendable {
  /// Time in which the tail falls by 60 dB, in seconds.
  public var rt60S: Double
  /// Energy of the direct sound over that of the tail, in decibels.
  public var directDb = 5.0
  public var seed: UInt64 = 1

  /// Time from the direct sound to the tail.
  static let predelaySeconds = 0.003

  /// Returns the response up to where the tail has fallen by 90 dB.
  public func impulseResponse(sampleRateHz: Double) -> [Float] {
    let start = Int(Self.predelaySeconds * sampleRateHz)
    let count = Int(1.5 * rt60S * sampleRateHz)
    // 60 dB are a factor of a thousand in amplitude.
    let rate = log(1000) / (rt60S * sampleRateHz)
    let noise = NoiseColour.white.samples(
      count: count, sampleRateHz: sampleRateHz, rms: 1, seed: seed)
    let tail = noise.enumerated().map { Double($1) * exp(-rate * Double($0)) }
    let energy = tail.reduce(0) { $0 + $1 * $1 }
    let gain = (pow(10, -directDb / 10) / energy).squareRoot()
    return [1] + [Float](repeating: 0, count: start - 1) + tail.map { Float($0 * gain) }
  }
}

extension Condition {
  /// Returns the subject's input: as long as `clean`, at the same rate, the voice undelayed.
  ///
  /// - Parameter other: the recording that bleeds in; only `bleed` needs it.
  public func applied(to clean: Signal, other: Signal? = nil) -> Signal {
    switch self {
    case .clean: return clean
    case .noise(let snrDb, let colour, let seed):
      let wanted = ActiveLevel.rms(of: clean) * decibels(-snrDb)
      let noise = colour.samples(
        count: clean.count, sampleRateHz: clean.sampleRateHz, rms: wanted, seed: seed)
      return clean.mapped { zip($0, noise).map { $0 + $1 } }
    case .room(let room):
      let response = room.impulseResponse(sampleRateHz: clean.sampleRateHz)
      return clean.mapped { Array(Convolution.full($0, response).prefix(clean.count)) }
    case .level(let db):
      return clean.mapped { samples in samples.map { $0 * Float(decibels(db)) } }
    case .clip(let overDb):
      let peak = clean.samples.reduce(Float(0)) { max($0, abs($1)) }
      let limit = peak * Float(decibels(-overDb))
      return clean.mapped { samples in samples.map { max(-limit, min(limit, $0)) } }
    case .bandwidth(let hz):
      return LowPass(cutoffHz: hz, sampleRateHz: clean.sampleRateHz).applied(to: clean)
    case .bleed(_, let levelDb):
      guard let other else { preconditionFailure("bleed needs the recording that bleeds in") }
      return Self.bleeding(other, into: clean, levelDb: levelDb)
    }
  }

  /// Adds the other recording, from its middle and then from its start, so that a recording that
  /// bleeds into itself is out of step.
  private static func bleeding(_ other: Signal, into clean: Signal, levelDb: Double) -> Signal {
    let other = other.resampled(to: clean.sampleRateHz)
    let level = ActiveLevel.rms(of: other)
    guard level > 0 else { return clean }
    let gain = Float(ActiveLevel.rms(of: clean) * decibels(levelDb) / level)
    let (count, middle) = (other.count, other.count / 2)
    return clean.mapped { samples in
      samples.enumerated().map { $1 + gain * other.samples[($0 + middle) % count] }
    }
  }
}

/// Converts decibels to an amplitude ratio.
private func decibels(_ db: Double) -> Double { pow(10, db / 20) }

extension Signal {
  fileprivate func mapped(_ change: ([Float]) -> [Float]) -> Signal {
    Signal(change(samples), sampleRateHz: sampleRateHz)
  }
}
