import Foundation

extension Signal {
  /// The sound without infrasound: rumble, wind, breath on the microphone, DC.
  ///
  /// Infrasound may hold most of a recording's energy but doesn't characterize a voice, so every
  /// metric that weighs energy or compares waveforms uses this filter. It has eight poles,
  /// Butterworth's four passed twice, at `InfrasoundFilter.cornerHz`: 5 Hz is 112 dB down, 10 Hz 64
  /// dB, while 60 Hz, the lowest pitch searched for, loses 0.008 dB.
  ///
  /// Non-finite samples stay where they are and count as 0 for their neighbours.
  ///
  /// - Cost: about 0.002 of real time at 48 kHz, once for each sound. Allocates.
  public func withoutInfrasound(_ time: InfrasoundFilter.Time = .symmetric) -> Signal {
    guard let filter = InfrasoundFilter(sampleRateHz: sampleRateHz), !samples.isEmpty
    else { return self }
    return derived("withoutInfrasound \(time)") {
      Signal(filter.applied(to: samples, time), sampleRateHz: sampleRateHz)
    }
  }
}

/// The high-pass filter of `Signal.withoutInfrasound`.
///
/// - Source: Butterworth's poles by the bilinear transform, Oppenheim and Schafer, 7.1; the odd
///   extension beyond both ends, after Gustafsson, "Determining the initial states in
///   forward-backward filtering", IEEE Trans. Signal Processing 44(4), 1996, keeps the ends from
///   ringing.
public struct InfrasoundFilter: Sendable {
  /// The directions of the two passes.
  public enum Time: Sendable {
    /// Forwards and backwards, without delay: for pitch, alignment and levels.
    case symmetric
    /// Two forward passes, so that nothing sounds early: for sound before an onset.
    case causal
  }

  /// More than an octave below the lowest pitch, and a quarter above 20 Hz, the usual limit of
  /// hearing.
  public static let cornerHz = 25.0
  /// The length of the extension at either end: the filter's memory to -100 dB.
  private static let settlingSeconds = 0.2
  /// The height, relative to loud stretches, above which a sample is a defect, which must not ring.
  private static let faultFactor: Float = 8
  private static let stretchSeconds = 0.02
  /// The length at either end from which the level of the slow part is estimated.
  private static let levelSeconds = 0.03

  private let sections: (HighPassSection, HighPassSection)
  private let settlingCount: Int
  private let stretchCount: Int
  private let levelCount: Int

  /// Makes a filter; `nil` at sample rates too low for a voice.
  init?(sampleRateHz: Double) {
    guard sampleRateHz >= 8 * Self.cornerHz else { return nil }
    func section(_ pole: Double) -> HighPassSection {
      HighPassSection(
        cornerHz: Self.cornerHz, q: 0.5 / cos(pole * .pi / 8), sampleRateHz: sampleRateHz)
    }
    sections = (section(1), section(3))
    settlingCount = Int(Self.settlingSeconds * sampleRateHz)
    stretchCount = max(1, Int(Self.stretchSeconds * sampleRateHz))
    levelCount = max(1, Int(Self.levelSeconds * sampleRateHz))
  }

  func applied(to samples: [Float], _ time: Time) -> [Float] {
    let ceiling = faultless(samples)
    let sound = samples.map { $0.isFinite ? Double(min(max($0, -ceiling), ceiling)) : 0 }
    // The extension mirrors the sound about its end levels, which continues slow movements.
    let reach = min(settlingCount, sound.count - 1)
    // In causal mode sound before an onset must not depend on sound after it.
    let first = time == .causal ? sound[0] : level(sound.prefix(levelCount))
    let last = level(sound.suffix(levelCount).reversed()[...])
    var filtered = (0..<reach).map { 2 * first - sound[reach - $0] }
    filtered += sound
    filtered += (0..<reach).map { 2 * last - sound[sound.count - 2 - $0] }
    pass(over: &filtered)
    pass(over: &filtered, backwards: time == .symmetric)
    // Only the slow part of the clipped sound is subtracted, so defects keep their height.
    return samples.indices.map { i in
      samples[i].isFinite ? Float(Double(samples[i]) - sound[i] + filtered[reach + i]) : samples[i]
    }
  }

  /// The start of a sound's slow part, on a regression line through its first milliseconds. The
  /// first sample itself may be a voice's peak, and mirroring about it would make a step.
  private func level(_ sound: ArraySlice<Double>) -> Double {
    var (weights, times, squares, values, products) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (n, value) in sound.enumerated() {
      let place = (Double(n) + 0.5) / Double(sound.count)
      let weight = 0.5 - 0.5 * cos(2 * .pi * place)
      weights += weight
      times += weight * place
      squares += weight * place * place
      values += weight * value
      products += weight * place * value
    }
    let spread = weights * squares - times * times
    guard spread > 1e-9 else { return values / max(weights, 1e-30) }
    return (squares * values - times * products) / spread
  }

  /// Stretches in a row that hold a sound, not a defect.
  private static let soundingStretches = 3

  /// The height above which samples are defects, from the 90th percentile of stretch peaks or, for
  /// sound that is sparse, from the highest level that several stretches in a row reach.
  private func faultless(_ samples: [Float]) -> Float {
    var peaks = stride(from: 0, to: samples.count, by: stretchCount).map { start in
      samples[start..<min(start + stretchCount, samples.count)].reduce(Float(0)) {
        $1.isFinite ? max($0, abs($1)) : $0
      }
    }
    let sounding = peaks.indices.dropLast(Self.soundingStretches - 1).map {
      peaks[$0..<$0 + Self.soundingStretches].min()!
    }
    peaks.removeAll { $0 == 0 }
    guard !peaks.isEmpty else { return 0 }
    peaks.sort()
    return Self.faultFactor * max(peaks[Int(0.9 * Double(peaks.count - 1))], sounding.max() ?? 0)
  }
}

/// A second-order high-pass section with two zeros at 0 Hz.
private struct HighPassSection: Sendable {
  private let gain: Double
  private let a1: Double
  private let a2: Double

  init(cornerHz: Double, q: Double, sampleRateHz: Double) {
    let k = tan(.pi * cornerHz / sampleRateHz)
    gain = 1 / (1 + k / q + k * k)
    a1 = 2 * (k * k - 1) * gain
    a2 = (1 - k / q + k * k) * gain
  }

  /// The last two inputs, scaled, and outputs.
  struct Memory {
    var (x1, x2) = (0.0, 0.0)
    var (y1, y2) = (0.0, 0.0)
  }

  /// The state after a constant input of `value` since the infinite past.
  func settled(on value: Double) -> Memory {
    var memory = Memory()
    (memory.x1, memory.x2) = (gain * value, gain * value)
    return memory
  }

  /// Returns the next output. Only one product and one difference wait for the last one.
  @inline(__always) func next(_ value: Double, _ memory: inout Memory) -> Double {
    let x = value * gain
    let known = (x - 2 * memory.x1 + memory.x2) - a2 * memory.y2
    let y = known - a1 * memory.y1
    (memory.x2, memory.x1) = (memory.x1, x)
    (memory.y2, memory.y1) = (memory.y1, y)
    return y
  }
}

extension InfrasoundFilter {
  /// Filters in place, in either direction.
  private func pass(over values: inout [Double], backwards: Bool = false) {
    guard let start = backwards ? values.last : values.first else { return }
    let (one, two) = sections
    var (first, second) = (one.settled(on: start), two.settled(on: 0))
    var span = values.mutableSpan
    let count = span.count
    for n in 0..<count {
      let i = backwards ? count - 1 - n : n
      span[i] = two.next(one.next(span[i], &first), &second)
    }
  }
}
