import DSP
import Foundation

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
