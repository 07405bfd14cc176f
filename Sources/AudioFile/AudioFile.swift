import DSP

/// The sound of a file, decoded: one run of samples for each channel.
///
/// Samples are nominally ±1. Integer files divide by their full scale, 2^(bits-1), so that full
/// negative scale is exactly -1; floating-point files keep their values, above 1 as well.
public struct AudioFile: Equatable, Sendable {
  /// `channels[c][frame]`, all of one length.
  public var channels: [[Float]]
  public var sampleRateHz: Double

  /// The sample rates that files are read and written at.
  public static let ratesHz = 8_000.0...192_000.0

  /// Sound that is not in a file yet. The channels' lengths are compared when it is written.
  public init(channels: [[Float]], sampleRateHz: Double) {
    precondition(sampleRateHz > 0, "a sample rate is positive")
    self.channels = channels
    self.sampleRateHz = sampleRateHz
  }

  /// One channel of sound.
  public init(_ signal: Signal) {
    self.init(channels: [signal.samples], sampleRateHz: signal.sampleRateHz)
  }

  public var frameCount: Int { channels.first?.count ?? 0 }
  public var durationSeconds: Double { Double(frameCount) / sampleRateHz }

  /// One channel by itself, counted from 0.
  public func channel(_ index: Int) -> Signal {
    Signal(channels[index], sampleRateHz: sampleRateHz)
  }

  /// The mean of all channels: what a mono loudspeaker plays, never louder than the loudest.
  public var mono: Signal {
    guard channels.count > 1 else {
      return Signal(channels.first ?? [], sampleRateHz: sampleRateHz)
    }
    precondition(channels.allSatisfy { $0.count == frameCount }, "channels of different lengths")
    let share = 1 / Float(channels.count)
    let samples = (0..<frameCount).map { frame in
      channels.reduce(0) { $0 + $1[frame] } * share
    }
    return Signal(samples, sampleRateHz: sampleRateHz)
  }
}

extension AudioFile: CustomStringConvertible {
  /// Its size rather than its samples, which may be millions.
  public var description: String {
    "channels: \(channels.count), each of \(frameCount) frames at \(sampleRateHz) Hz"
  }
}
