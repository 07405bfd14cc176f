import DSP
import Effects
import Foundation
import Testing

@Suite struct LimiterTests {
  /// Difficult sounds for a limiter, far above its ceiling; tests append silence.
  static let hard: [String: [Float]] = [
    "noise": (noise(amplitude: 10, seconds: 0.5)),
    "random signs": (noise(seconds: 0.5, seed: 2).map { $0 > 0 ? 4 : -4 }),
    "square": (sine(hz: 100, seconds: 0.5).map { $0 >= 0 ? 8 : -8 }),
    "quarter of the rate at 45°": ((0..<24_000).map { [2, 2, -2, -2][$0 % 4] }),
    "clicks": ((0..<24_000).map { $0 % 4801 == 0 ? 20 : 0 }),
    "bursts":
      (sine(hz: 15_013, amplitude: 10, seconds: 0.5).enumerated().map {
        $0.offset / 4000 % 2 == 0 ? $0.element : 0
      }),
  ]

  /// Annex 2 of BS.1770-4: one half of its table, whose other half is the mirror image.
  private func truePeak(_ samples: [Float]) -> Double {
    let table: [[Double]] = [
      [
        0.0017089843750, 0.0109863281250, -0.0196533203125, 0.0332031250000, -0.0594482421875,
        0.1373291015625, 0.9721679687500, -0.1022949218750, 0.0476074218750, -0.0266113281250,
        0.0148925781250, -0.0083007812500,
      ],
      [
        -0.0291748046875, 0.0292968750000, -0.0517578125000, 0.0891113281250, -0.1665039062500,
        0.4650878906250, 0.7797851562500, -0.2003173828125, 0.1015625000000, -0.0582275390625,
        0.0330810546875, -0.0189208984375,
      ],
    ]
    var peak = 0.0
    for phase in table + table.map({ $0.reversed() }) {
      for start in 0..<samples.count - 12 {
        var sum = 0.0
        for tap in 0..<12 { sum += phase[tap] * Double(samples[start + tap]) }
        peak = max(peak, abs(sum))
      }
    }
    return peak
  }

  @Test(arguments: hard.keys.sorted()) func peaksStayBelowTheCeiling(sound: String) throws {
    var settings = Limiter.Settings()
    settings.ceilingDb = -1
    let input = Self.hard[sound]! + [Float](repeating: 0, count: 1000)
    for releaseMs in [10.0, 100] {
      settings.releaseMs = releaseMs
      let output = try StereoRun(settings).render(Stereo(input, input.map { -0.5 * $0 })).left
      #expect(decibels(Double(output.map { abs($0) }.max()!)) <= -1)
      #expect(decibels(truePeak(output)) <= -1, "by the meter of the standard")
      // The output is not far below the ceiling either: the limiter aims 0.25 dB lower.
      #expect(decibels(truePeak(output)) > -1.6)
    }
  }

  /// The true peak by an interpolator far steeper than the standard's. The sound contains nothing
  /// above 0.4 of the sample rate: above 0.42 the standard's meter reads too little.
  @Test(arguments: hard.keys.sorted()) func waveStaysBelowTheCeiling(sound: String) throws {
    let banded = Signal(Self.hard[sound]!, sampleRateHz: 48_000).resampled(to: 38_400)
      .resampled(to: 48_000)
    let input = banded.samples + [Float](repeating: 0, count: 1000)
    let output = try StereoRun(Limiter.Settings()).render(input)
    let fourfold = Signal(output, sampleRateHz: 48_000).resampled(to: 192_000).samples
    #expect(decibels(Double(fourfold.map { abs($0) }.max()!)) <= -1)
  }

  /// A sound below the ceiling is delayed by the stated latency and otherwise unchanged, bit for
  /// bit.
  @Test func belowTheCeilingItIsADelay() throws {
    let settings = Limiter.Settings()
    let input = noise(amplitude: 0.3, seconds: 0.2)
    let latency = Limiter(settings, sampleRateHz: 48_000).latencySamples
    let output = try StereoRun(settings).render(input)
    #expect(Array(output.dropFirst(latency)) == Array(input.dropLast(latency)))
  }

  /// The gain for a peak 12 dB too high falls within the look-ahead and recovers by 63 % in the
  /// release time. It is read from a small constant around the peak.
  @Test func gainRecoversInTheReleaseTime() throws {
    var settings = Limiter.Settings()
    (settings.ceilingDb, settings.releaseMs) = (-6, 100)
    var input = [Float](repeating: 0.01, count: 48_000)
    for i in 9000..<10_000 { input[i] = 2 }
    let latency = Limiter(settings, sampleRateHz: 48_000).latencySamples
    let gains = try StereoRun(settings).render(input).map { $0 / 0.01 }
    #expect(gains[9000 - 1] == 1)
    let lowest: Float = 0.487 / 2  // -6.25 dB of 2
    let recovered: Float = lowest + 0.632 * (1 - lowest)
    let back: Int = gains[(latency + 10_020)...].firstIndex { $0 > recovered }!
    let releaseMs = Double(back - latency - 10_000) / 48
    // Hold and rounding add 2 ms.
    #expect(abs(releaseMs - 100) < 10)
  }

  @Test func channelsAreLinked() throws {
    let loud = noise(amplitude: 4, seconds: 0.2)
    let output = try StereoRun(Limiter.Settings()).render(Stereo(loud, loud.map { $0 / 4 }))
    #expect(zip(output.left, output.right).allSatisfy { $0 == 4 * $1 })
  }

  @Test func gainIsAppliedBeforeTheCeiling() throws {
    var settings = Limiter.Settings()
    settings.gainDb = 6
    let latency = Limiter(settings, sampleRateHz: 48_000).latencySamples
    let input = noise(amplitude: 0.1, seconds: 0.1)
    let output = try StereoRun(settings).render(input)
    let apart = zip(output.dropFirst(latency), input).map { abs($0 - 1.9952623 * $1) }.max()!
    #expect(apart < 1e-7)  // rounding of a product of single precision
  }
}
