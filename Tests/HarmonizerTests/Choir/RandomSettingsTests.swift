import AllocationProbe
import DSP
import Foundation
import TestSupport
import Testing

@testable import Harmonizer

/// Every engine with a choir of all parts, random events and random block lengths, on signals that
/// a microphone or a broken cable may send.
@Suite struct RandomSettingsTests {
  static let engines: [Engine] = [
    Engine(.delayline), .delayLine(.init { ($0.windowMs, $0.crossfadeMs) = (5, 1) }),
    .psola(.init()), .psola(.init { ($0.lookAheadPeriods, $0.formantShiftSemitones) = (0, 5) }),
    Engine(.vocoder),
  ]

  /// A voice of at most ±1 with varying pitch; silence; a constant; noise; full-scale clicks; and
  /// the voice again. Each lasts a sixteenth of a second, the last three times as long.
  static func sound(sampleRateHz rate: Double) -> [Float] {
    let part = Int(rate / 16)
    var turns = 0.0
    let levels = Array(repeating: 0.15, count: 6)
    let voice = (0..<3 * part).map { n -> Float in
      turns += 200 * exp2(0.1 * sin(2 * .pi * 5 * Double(n) / rate)) / rate
      return Float(sines(levels, atTurns: turns))
    }
    var noise = SeededGenerator(seed: 2)
    var sound = Array(voice[..<part])
    sound += [Float](repeating: 0, count: part)
    sound += [Float](repeating: 0.7, count: part)
    for _ in 0..<part { sound.append(Float(2 * noise.uniform() - 1)) }
    for n in 0..<part { sound.append(n % (part / 7) != 5 ? 0 : n % 2 == 0 ? 1 : -1) }
    return sound + voice
  }

  struct Run {
    var left: [Float]
    var right: [Float]
    var calls: Int
  }

  /// Renders in stereo with an event before each block and counts allocations, releases and locks.
  /// Blocks have 1 to 65,536 samples, log-uniformly distributed.
  static func run(_ engine: Engine, _ input: [Float], sampleRateHz: Double) throws -> Run {
    var settings = SweptHarmonizerTests.everything()
    settings.engine = engine
    settings.spread = 0.5
    var harmonizer = try Harmonizer(settings, sampleRateHz: sampleRateHz)
    var events = try RandomEvents()
    var left = [Float](repeating: 0, count: input.count)
    var right = left
    // Once before counting: the Swift runtime allocates when a generic type is first used.
    for seed in 0..<200 { events.happen(to: &harmonizer, seed: UInt64(seed)) }
    play(input.span.extracting(first: 100), on: &harmonizer, &events, into: &left, &right)
    harmonizer.reset()
    allocation_probe_start()
    play(input.span, on: &harmonizer, &events, into: &left, &right)
    let calls = allocation_probe_stop()
    return Run(left: left, right: right, calls: calls)
  }

  /// Plays the input in random blocks.
  private static func play(
    _ input: Span<Float>, on harmonizer: inout Harmonizer, _ events: inout RandomEvents,
    into left: inout [Float], _ right: inout [Float]
  ) {
    var sizes = SeededGenerator(seed: 9)
    var left = left.mutableSpan
    var right = right.mutableSpan
    var none = MutableSpan<Float>()
    var start = 0
    while start < input.count {
      let size = start == 0 ? 1 : min(65_536, Int(exp2(17 * sizes.uniform())))
      let range = start..<min(start + size, input.count)
      events.happen(to: &harmonizer, seed: UInt64(start))
      var leftPart = left._mutatingExtracting(range)
      var rightPart = right._mutatingExtracting(range)
      harmonizer.process(
        input.extracting(range), intoLeft: &leftPart, right: &rightPart, stems: &none)
      start = range.upperBound
    }
  }

  /// Ten voices of gain 2 at most, the lead at half. Overlapping grains, taps or frames of an
  /// engine may add up to four times the input at shifts of up to two octaves.
  @Test(arguments: engines, [8_000.0, 48_000, 192_000])
  func staysFiniteBoundedAndRealtime(engine: Engine, rate: Double) throws {
    let run = try Self.run(engine, Self.sound(sampleRateHz: rate), sampleRateHz: rate)
    for channel in [run.left, run.right] {
      #expect(channel.allSatisfy { abs($0) <= 0.5 + 10 * 2 * 4 })
      #expect(channel.contains { abs($0) > 0.05 })
    }
    #expect(run.calls == 0)
  }

  /// Bad samples in the last voice: from 50 ms later on the level is within 3 dB of the undisturbed
  /// run.
  @Test(arguments: engines)
  func recoversFromBadSamples(engine: Engine) throws {
    let clean = Self.sound(sampleRateHz: 48_000)
    let expected = try Self.run(engine, clean, sampleRateHz: 48_000)
    let at = 15_600
    for bad in [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude] {
      var broken = clean
      for n in at..<at + 3 { broken[n] = bad }
      let run = try Self.run(engine, broken, sampleRateHz: 48_000)
      #expect((run.left + run.right).allSatisfy { $0.isFinite })
      #expect(run.calls == 0)
      func levelDb(_ run: Run) -> Double {
        var power = 0.0
        for n in at + 2_400..<clean.count {
          power += Double(run.left[n]) * Double(run.left[n])
          power += Double(run.right[n]) * Double(run.right[n])
        }
        return 10 * log10(power)
      }
      #expect(abs(levelDb(run) - levelDb(expected)) < 3)
    }
  }
}
