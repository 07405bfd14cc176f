import DSP
import Foundation
import Testing

@testable import Analyzer

@Suite struct LevelTests {
  /// Consecutive sines, each with its peak level and length.
  private static func tones(
    _ parts: [(dbfs: Double, seconds: Double)], hz: Double = 1000, rateHz: Double = 48_000,
    phaseDegrees: Double = 0
  ) -> Signal {
    var samples: [Float] = []
    for part in parts {
      let amplitude = pow(10, part.dbfs / 20)
      let step = 2 * Double.pi * hz / rateHz
      for _ in 0..<Int((part.seconds * rateHz).rounded()) {
        let angle = step * Double(samples.count) + phaseDegrees * .pi / 180
        samples.append(Float(amplitude * sin(angle)))
      }
    }
    return Signal(samples, sampleRateHz: rateHz)
  }

  /// BS.1770-4, Annex 1: a full 997 Hz sine in one channel reads -3.01 LKFS.
  @Test(arguments: [16_000.0, 22_050, 44_100, 48_000, 96_000, 192_000])
  func aFullScaleSineHasMinusThreeLUFS(rateHz: Double) throws {
    let lufs = try #require(Level(of: Self.tones([(0, 5)], hz: 997, rateHz: rateHz)).integratedLufs)
    // Half the last digit given. At other rates the bilinear transform changes the treble shelf: by
    // 0.04 dB at 997 Hz from 16 to 48 kHz, where EBU Tech 3341 allows 0.1.
    #expect(abs(lufs - -3.01) < (rateHz == 48_000 ? 0.005 : 0.05))
  }

  /// BS.1770-4, Annex 1, tables 1 and 2.
  @Test func filtersAreTheStandardsAt48kHz() {
    let head = Biquad.preFilter(sampleRateHz: 48_000)
    let bass = Biquad.rlbFilter(sampleRateHz: 48_000)
    let pairs = [
      (head.b0, 1.53512485958697), (head.b1, -2.69169618940638), (head.b2, 1.19839281085285),
      (head.a1, -1.69065929318241), (head.a2, 0.73248077421585), (bass.b0, 1), (bass.b1, -2),
      (bass.b2, 1), (bass.a1, -1.99004745483398), (bass.a2, 0.99007225036621),
    ]
    for (found, table) in pairs { #expect(abs(found - table) < 1e-10) }
  }

  private static let sequences: [(parts: [(dbfs: Double, seconds: Double)], lufs: Double)] = [
    ([(-23, 20)], -23), ([(-33, 20)], -33), ([(-36, 10), (-23, 60), (-36, 10)], -23),
    ([(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)], -23),
    ([(-26, 20), (-20, 20.1), (-26, 20)], -23),
  ]

  /// EBU Tech 3341, table 1, cases 1 to 5: stereo sines of 1 kHz, within 0.1 LU.
  @Test(arguments: sequences.indices) func loudnessOfStereoSequences(index: Int) throws {
    let sequence = Self.sequences[index]
    let channel = Self.tones(sequence.parts)
    let lufs = try #require(Level.ofChannels([channel, channel]).all.integratedLufs)
    #expect(abs(lufs - sequence.lufs) <= 0.1)
  }

  /// BS.1770-4 sums the powers of channels, whatever their phase: two equal or opposite ones are 3.01 dB
  /// louder than one (ffmpeg's ebur128 reads -13.6 where one channel has -16.6).
  @Test(arguments: [Float(1), -1]) func twoChannelsAreThreeDecibelsLouderThanOne(sign: Float) throws
  {
    let left = Self.tones([(-20, 2)])
    let right = Signal(left.samples.map { sign * $0 }, sampleRateHz: 48_000)
    let (all, each) = Level.ofChannels([left, right])
    let alone = try #require(each[0].integratedLufs)
    #expect(abs(try #require(all.integratedLufs) - alone - 3.0103) < 1e-3)
    #expect(abs(try #require(all.rmsDbfs) - #require(each[0].rmsDbfs)) < 1e-6)
  }

  @Test func aFaultOfOneChannelIsOneOfTheSound() throws {
    let clean = Self.tones([(-40, 1)])
    let loud = Self.tones([(6, 1)])
    let clipped = Signal(loud.samples.map { min(max($0, -1), 1) }, sampleRateHz: 48_000)
    let (all, each) = Level.ofChannels([clean, clipped])
    #expect(all.samplePeakDbfs == 0)
    #expect(each[0].clippedSamples == 0)
    #expect(all.clippedSamples == each[1].clippedSamples && all.clippedSamples > 1000)
  }

  /// EBU Tech 3341, case 6: five channels, the surrounds counted 1.41 times.
  @Test func loudnessOfSurroundSound() throws {
    let front = Self.tones([(-28, 20)])
    let centre = Self.tones([(-24, 20)])
    let back = Self.tones([(-30, 20)])
    let lufs = try #require(
      Level.ofChannels([front, front, centre, back, back]).all.integratedLufs)
    #expect(abs(lufs - -23) <= 0.1)
  }

  /// EBU Tech 3341, cases 15 to 19: peaks between samples, within +0.2 and -0.4 dB.
  @Test(arguments: [
    (4.0, 0.0, 0.50, -6.0), (4, 45, 0.50, -6), (6, 60, 0.50, -6), (8, 67.5, 0.50, -6),
    (4, 45, 1.41, 3),
  ])
  func truePeaks(divisor: Double, phase: Double, amplitude: Double, expected: Double) throws {
    // Fades in and out, so that the true peak is that of the sine.
    var tone = Self.tones([(0, 0.2)], hz: 48_000 / divisor, phaseDegrees: phase)
    for i in tone.samples.indices {
      let edge = Double(min(i, tone.count - 1 - i)) / 1000
      tone.samples[i] *= Float(amplitude * min(1, edge))
    }
    let peak = try #require(Level(of: tone).truePeakDbtp)
    #expect(peak <= expected + 0.2 && peak >= expected - 0.4)
  }

  @Test func aSineIsThreeDecibelsUnderItsPeak() throws {
    let level = Level(of: Self.tones([(-6, 1)]))
    #expect(abs(try #require(level.rmsDbfs) - -9.0103) < 1e-3)
    // The sine has 48 samples a cycle, some on the peak.
    #expect(abs(try #require(level.samplePeakDbfs) - -6) < 1e-4)
    #expect(level.clippedSamples == 0 && abs(level.dcOffset) < 1e-6)
  }

  @Test func offsetAndClippingAreMeasured() {
    // 0.9 of a full sine, raised by 0.25, is clipped at 1 where the sine exceeds 0.8333: for (π - 2
    // asin 0.8333) / 2π = 18.64 % of the time.
    let sine = Self.tones([(20 * log10(0.9), 1)], hz: 100)
    let cut = Signal(sine.samples.map { min(1, $0 + 0.25) }, sampleRateHz: 48_000)
    let level = Level(of: cut)
    #expect(abs(level.clippedSamples - 8949) <= 200)  // a sample on each side, 100 times
    // The mean of the clipped part is (0.9 cos 0.9851 - 0.75 · (π/2 - 0.9851)) / π = 0.0185.
    #expect(abs(level.dcOffset - (0.25 - 0.0185)) < 1e-3)
  }

  @Test func badSamplesAreCountedAndExcluded() throws {
    var tone = Self.tones([(-6, 1)])
    let whole = Level(of: tone)
    for i in [0, 100, 48, 47_999] { tone.samples[i] = [.nan, .infinity, -.infinity][i % 3] }
    let level = Level(of: tone)
    #expect(level.nonFiniteSamples == 4)
    // Four samples of 48,000 are 0.0004 dB of RMS, and at most 0.01 dB of loudness in clicks.
    #expect(abs(level.rmsDbfs! - whole.rmsDbfs!) < 1e-3)
    #expect(abs(level.integratedLufs! - whole.integratedLufs!) < 0.01)
  }

  @Test func silenceHasNoLevel() {
    for samples in [[], [Float](repeating: 0, count: 48_000)] {
      let level = Level(of: Signal(samples, sampleRateHz: 48_000))
      #expect(level.rmsDbfs == nil && level.samplePeakDbfs == nil && level.truePeakDbtp == nil)
      #expect(level.integratedLufs == nil && level.dcOffset == 0 && level.clippedSamples == 0)
    }
    // Loudness is undefined below one block of 400 ms.
    #expect(Level(of: Self.tones([(-6, 0.399)])).integratedLufs == nil)
    #expect(Level(of: Self.tones([(-6, 0.4)])).integratedLufs != nil)
  }
}
