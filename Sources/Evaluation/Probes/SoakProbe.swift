import AllocationProbe
import Analyzer
import Corpus
import DSP
import Foundation
import Metrics
import Platform
import Statistics
import Subjects

/// Plays one phrase again and again, and finds what drifts: delay, level, pitch, memory and block time.
///
/// Every phrase is compared with the second one. Delay is that of the waveform where phrases correlate,
/// else that of their loudness.
enum SoakProbe {
  private static let rateHz = 48_000.0
  private static let blockSize = 128
  /// A phrase of 2 s with silence, in whole blocks: what comes late belongs to it.
  private static let cycleBlocks = 960
  /// Silence after a phrase, in blocks. By the golden ratio it differs from phrase to phrase, up to 1 s, or the
  /// sweep of a shifter that nearly keeps step with the phrases would look like a drift. It is whole steps of
  /// 160 ms, hops of 5 ms and of 512 samples, so that a subject which works in hops sings each phrase to the bit.
  private static func pauseBlocks(after cycle: Int) -> Int {
    60 * Int(7 * (Double(cycle) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1))
  }

  /// Phrases that are measured, evenly spaced; more would not narrow the intervals of most subjects.
  private static let maxMeasured = 240

  /// Figures that may drift, in the order of the findings.
  private enum Figure: String, CaseIterable {
    case delay, level, pitch, memory, time

    var unit: String {
      switch self {
      case .delay: "samples/h"
      case .level: "dB/h"
      case .pitch: "cents/h"
      case .memory: "MB/h"
      case .time: "%/h"
      }
    }
  }

  /// Values of one figure by hours.
  private typealias Series = [(hours: Double, value: Double)]

  /// - Cost: that of processing the sound, and of measuring up to 240 phrases, 0.3 s each.
  static func findings(_ bench: ProbeBench, minutes: Double) -> [ProbeFinding] {
    do {
      let series = try played(bench, minutes: minutes)
      return Figure.allCases.map { figure in
        guard let values = series[figure], values.count >= DriftLine.minCount else {
          let reason =
            figure == .memory || figure == .time
            ? "it runs in its own process"
            : "its phrases could not be measured, or were fewer than \(DriftLine.minCount)"
          return .undefined(.soak, figure.rawValue, reason)
        }
        return finding(figure, values, minutes: minutes)
      }
    } catch { return [.undefined(.soak, "delay", error)] }
  }

  private static func finding(_ figure: Figure, _ all: Series, minutes: Double) -> ProbeFinding {
    let isWork = figure == .memory || figure == .time
    // Caches fill at first.
    let values = isWork ? Array(all.dropFirst(all.count / 8)) : all
    let line = DriftLine(values)
    let limit: Double =
      switch figure {
      case .delay: 0.5
      case .level: 0.1
      case .pitch: 0.5
      case .memory: 0.1
      // The clock of the machine moves by less in one run.
      case .time: 25 * 60 / minutes
      }
    let words =
      "\(text(line.slope)) \(figure.unit), 99.9 % interval \(text(line.lower)) to "
      + "\(text(line.upper)), over \(fixed(minutes)) min"
    // Memory that grows once, and a machine that slows down once, are no drift.
    let isSteady = !isWork || DriftLine.halves(of: values).allSatisfy { $0.slope > limit }
    let verdict: ProbeFinding.Verdict =
      if line.lower > 0 || line.upper < 0, abs(line.slope) > limit, isSteady {
        .poor
      } else {
        max(abs(line.lower), abs(line.upper)) <= limit ? .good : .measured
      }
    let judgement =
      switch verdict {
      case .poor: "drifts: "
      case .good: "stays: "
      default: "no drift stands out: "
      }
    return ProbeFinding(.soak, figure.rawValue, line.slope, figure.unit, verdict, judgement + words)
  }

  private static func text(_ value: Double) -> String {
    abs(value) < 1e-4 ? "0" : String(format: "%.3g", value)
  }

  // MARK: Sound

  private static func played(_ bench: ProbeBench, minutes: Double) throws -> [Figure: Series] {
    let length = cycleBlocks * blockSize
    let voice = try ProbeSounds.phrase(seconds: 2, sampleRateHz: rateHz).samples
    let phrase = Signal(
      voice + [Float](repeating: 0, count: length - voice.count), sampleRateHz: rateHz)
    var starts = [0]  // samples
    while Double(starts.last!) < minutes * 60 * rateHz || starts.count < 3 {
      let cycle = starts.count - 1
      starts.append(starts[cycle] + length + pauseBlocks(after: cycle) * blockSize)
    }
    let cycles = starts.count - 1
    let score = bench.followingScore(noteHz: 220, semitones: 4)
    let apart = max(1, cycles / maxMeasured)
    guard let live = bench.live else {
      var input = [Float](repeating: 0, count: starts[cycles])
      for start in starts.dropLast() {
        input.replaceSubrange(start..<start + length, with: phrase.samples)
      }
      let whole = try bench.render(Signal(input, sampleRateHz: rateHz), score).mix.samples
      return measured(
        phrase,
        stride(from: 1, to: cycles, by: apart).lazy.map { cycle in
          let part = whole[starts[cycle]..<min(whole.count, starts[cycle] + length)]
          return Cycle(
            number: cycle, startSamples: starts[cycle],
            sound: Signal(Array(part), sampleRateHz: rateHz))
        })
    }
    let sound = try live.start(score, settings: bench.settings, sampleRateHz: rateHz)
    var output = [Float](repeating: 0, count: length)
    let silence = [Float](repeating: 0, count: blockSize)
    var pause = silence
    let played = (0..<cycles).lazy.map { cycle -> Cycle in
      var cpuSeconds = [Double](repeating: 0, count: cycleBlocks)
      for block in 0..<cycleBlocks {
        let range = block * blockSize..<(block + 1) * blockSize
        var target = output.mutableSpan
        var part = target._mutatingExtracting(range)
        let before = ThreadClock.seconds
        sound.process(phrase.samples.span.extracting(range), into: &part)
        cpuSeconds[block] = sound.workElsewhere?.cpuSeconds ?? ThreadClock.seconds - before
      }
      var played = Cycle(
        number: cycle, startSamples: starts[cycle], sound: Signal(output, sampleRateHz: rateHz))
      played.blockSeconds = Statistics.median(cpuSeconds)
      for _ in 0..<pauseBlocks(after: cycle) {
        var rest = pause.mutableSpan
        sound.process(silence.span, into: &rest)
      }
      played.heapBytes = sound.heapBytes ?? allocation_probe_heap_bytes()
      return played
    }
    let series = measured(phrase, played.filter { $0.number > 0 && $0.number % apart == 0 })
    if let failure = sound.failure { throw failure }
    return series
  }

  private struct Cycle {
    var number: Int
    var startSamples: Int
    var sound: Signal
    /// Processor time of the median block.
    var blockSeconds: Double?
    var heapBytes: Int?
  }

  private static func measured(
    _ phrase: Signal, _ cycles: some Sequence<Cycle>
  ) -> [Figure: Series] {
    // Room from the start, which is not to count as the subject's memory.
    func room() -> Series {
      var series = Series()
      series.reserveCapacity(2 * maxMeasured)
      return series
    }
    var series = Dictionary(uniqueKeysWithValues: Figure.allCases.map { ($0, room()) })
    var (waveform, loudness) = (room(), room())
    var first: (cycle: Cycle, track: PitchTrack)?
    var last: (sound: Signal, reading: Reading)?
    for cycle in cycles {
      let hours = Double(cycle.startSamples) / rateHz / 3600
      guard let first else {
        first = (cycle, PitchTracker.standard.track(cycle.sound))
        continue
      }
      // Most subjects sing each phrase to the bit.
      let reading =
        if let last, last.sound == cycle.sound { last.reading } else {
          Reading(of: cycle.sound, beside: first.cycle.sound, first.track, phrase)
        }
      last = (cycle.sound, reading)
      func add(_ value: Double?, to series: inout Series) {
        if let value, value.isFinite { series.append((hours, value)) }
      }
      add(reading.waveformSamples, to: &waveform)
      add(reading.loudnessSamples, to: &loudness)
      add(reading.levelDb, to: &series[.level]!)
      add(reading.cents, to: &series[.pitch]!)
      add(cycle.heapBytes.map { Double($0) / 1_048_576 }, to: &series[.memory]!)
      add(
        cycle.blockSeconds.flatMap { own in first.cycle.blockSeconds.map { 100 * own / $0 } },
        to: &series[.time]!)
    }
    series[.delay] = 10 * waveform.count >= 9 * loudness.count ? waveform : loudness
    return series
  }

  /// The sound of a phrase beside the first one's.
  private struct Reading {
    /// Delay from the first phrase by the waveform, and from the input by the loudness.
    var waveformSamples, loudnessSamples: Double?
    var levelDb: Double
    var cents: Double?

    init(of sound: Signal, beside first: Signal, _ track: PitchTrack, _ phrase: Signal) {
      waveformSamples = try? WaveformDelay(of: sound, from: first, minCorrelation: minCorrelation)
        .delaySamples
      loudnessSamples = (try? OnsetDelay(of: sound, from: phrase)).map {
        $0.delayMs / 1000 * rateHz
      }
      levelDb = 20 * log10(sound.rms / first.rms)
      cents = Statistics.median(
        zip(PitchTracker.standard.track(sound).f0Hz, track.f0Hz).filter { $0 > 0 && $1 > 0 }
          .map { 1200 * log2($0 / $1) })
    }
  }

  /// Correlation of phrases of one waveform; a shifter that goes on from another phase has less.
  private static let minCorrelation = 0.95
}

/// A line through values over time, with an interval of its slope.
///
/// The values are averaged in 20 stretches first, whose residuals hardly depend on each other.
struct DriftLine {
  private(set) var slope: Double
  /// The interval of 99.9 %: one finding in 1000 is a drift by chance.
  private(set) var lower: Double
  private(set) var upper: Double

  private static let stretches = 20
  /// Fewest values whose halves have a line.
  static let minCount = 8

  init(_ values: [(hours: Double, value: Double)]) {
    let count = min(Self.stretches, values.count)
    let points = (0..<count).map { stretch in
      let part = values[stretch * values.count / count..<(stretch + 1) * values.count / count]
      return (x: Statistics.mean(part.map(\.hours))!, y: Statistics.mean(part.map(\.value))!)
    }
    let (meanX, meanY) = (Statistics.mean(points.map(\.x))!, Statistics.mean(points.map(\.y))!)
    let xx = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
    let slope = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) } / xx
    let rest = points.reduce(0) {
      let error = $1.y - meanY - slope * ($1.x - meanX)
      return $0 + error * error
    }
    let degrees = Double(count - 2)
    let half =
      Statistics.studentLimit(level: 0.0005, degrees: degrees) * (rest / degrees / xx).squareRoot()
    (self.slope, lower, upper) = (slope, slope - half, slope + half)
  }

  /// Returns the lines of the first and the second half.
  static func halves(of values: [(hours: Double, value: Double)]) -> [DriftLine] {
    let middle = values.count / 2
    return [DriftLine(Array(values[..<middle])), DriftLine(Array(values[middle...]))]
  }
}
