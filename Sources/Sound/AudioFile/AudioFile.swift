import DSP

/// The decoded sound of a file, as samples by channel.
///
/// Samples are nominally ±1. Integers are divided by their full scale, 2^(bits-1), so that negative
/// full scale is exactly -1. Floating-point files keep their values, also above 1.
public struct AudioFile: Equatable, Sendable {
  /// Samples as `channels[c][frame]`, all of one length.
  public var channels: [[Float]]
  public var sampleRateHz: Double
  /// Deviations of the file from its format that leave the sound whole; see `AudioFileInfo`.
  public var remarks: [String] = []

  /// Range of sample rates for reading and writing.
  public static let ratesHz = 8_000.0...192_000.0

  /// Creates sound from samples. The lengths of the channels are checked when it is written.
  public init(channels: [[Float]], sampleRateHz: Double) {
    precondition(sampleRateHz > 0, "a sample rate is positive")
    self.channels = channels
    self.sampleRateHz = sampleRateHz
  }

  /// Creates sound with one channel.
  public init(_ signal: Signal) {
    self.init(channels: [signal.samples], sampleRateHz: signal.sampleRateHz)
  }

  public var frameCount: Int { channels.first?.count ?? 0 }
  public var durationSeconds: Double { Double(frameCount) / sampleRateHz }

  /// Returns one channel, counted from 0.
  public func channel(_ index: Int) -> Signal {
    Signal(channels[index], sampleRateHz: sampleRateHz)
  }

  /// Mean of all channels, the output of a mono loudspeaker, never louder than the loudest channel.
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
  /// The size of the sound instead of its samples, which may be millions.
  public var description: String {
    "channels: \(channels.count), each of \(frameCount) frames at \(sampleRateHz) Hz"
  }
}

extension Signal {
  /// The same sound, scaled down where a sample exceeds full scale.
  public var withoutClipping: Signal {
    let peak = samples.reduce(Float(0)) { max($0, abs($1)) }
    let gain = min(1, 0.999 / max(peak, 1e-9))
    return Signal(samples.map { $0 * gain }, sampleRateHz: sampleRateHz)
  }
}
