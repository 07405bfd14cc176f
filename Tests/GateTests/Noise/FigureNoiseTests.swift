import DSP
import Foundation
import Metrics
import Testing

@testable import Gate

@Suite struct FigureNoiseTests {
  /// A run whose figures differ from the others by normal noise of 1 unit; the judged voice is
  /// `offset` worse.
  private static func run(
    _ random: inout SeededGenerator, offset: Double = 0, spread: Double = 1
  ) -> MeasuredRun {
    var values: [Double] = []
    for _ in 0..<18 {
      values.append((0..<12).reduce(-6) { sum, _ in sum + random.uniform() })
    }
    return GateSamples.run { recording, metric, voice in
      let figure = metric == "latency.onset" ? 0 : voice == "+4" ? 1 : 2
      let value = values[3 * recording + figure]
      return voice == "+7" ? offset + spread * value : value
    }
  }

  private static func takes(
    _ random: inout SeededGenerator, offset: Double = 0, spread: Double = 1
  ) -> Takes {
    let runs = (0..<5).map { _ in run(&random, offset: offset, spread: spread).cells }
    return Takes(runs[0], runs: Array(runs.dropFirst()))
  }

  /// A fault that draws another error of eight units for each input is eight units worse on average. Its
  /// own noise would allow a mean of 8 · 4.7 · √(2 · π/2 / 5 / 6) = 12 units.
  @Test func aFaultDoesNotHideInItsOwnNoise() throws {
    var random = SeededGenerator(seed: 4)
    var settings = RunComparison.Settings()
    settings.minimumEffects = ["pitch.abs_error": 0.3, "latency.onset": 0.3]
    let found = try (0..<20).count { _ in
      let baseline = Self.takes(&random)
      let candidate = Self.takes(&random, offset: 8, spread: 8)
      return try RunComparison(baseline: baseline, candidate: candidate, settings)
        .differences.contains { $0.verdict == .regression && $0.voice == "+7" }
    }
    #expect(found >= 18, "\(found) of 20")
  }

  /// The limit of a mean of six recordings by theory: medians of five takes on both sides have a
  /// variance of 2 · π/2 / 5 each, and a t value of about 50 degrees exceeds 4.7 once in 100,000.
  @Test func theLimitFollowsTheory() throws {
    var random = SeededGenerator(seed: 1)
    let (baseline, candidate) = (Self.takes(&random), Self.takes(&random))
    let noise = FigureNoise(baseline: baseline, candidate: candidate)
    let key = baseline.cells[0].address.key(of: .init("pitch.abs_error", voice: "+4"))
    let limits = try #require(noise.limits(of: key, (0..<6).map { ("r\($0)", 1) }, effect: 2))
    let error = (2 * Double.pi / 2 / 5 / 6).squareRoot()
    // A deviation of 48 degrees is known to a tenth.
    #expect(abs(limits.error / error - 1) < 0.2)
    #expect(4.5...5.0 ~= limits.mean / limits.error)
    #expect(limits.recordings.count == 6 && limits.recordings[0] > limits.mean)
  }

  /// Nothing changed but noise: none of 300 comparisons says regression, although without knowing
  /// the noise many do. Noise is half the minimum effect, so single recordings often jump.
  @Test func noiseRaisesNoAlarms() throws {
    var random = SeededGenerator(seed: 2)
    var settings = RunComparison.Settings()
    settings.minimumEffects = ["pitch.abs_error": 0.3, "latency.onset": 0.3]
    var (alarms, bare) = (0, 0)
    for _ in 0..<300 {
      let (baseline, candidate) = (Self.takes(&random), Self.takes(&random))
      let known = try RunComparison(baseline: baseline, candidate: candidate, settings)
      let unknown = try RunComparison(
        baseline: baseline.cells, candidate: candidate.cells, settings)
      if known.verdict == .regression { alarms += 1 }
      if unknown.verdict == .regression { bare += 1 }
    }
    #expect(alarms == 0)
    #expect(bare > 100)
  }

  /// A change of three deviations in one voice is found in that voice, every time.
  @Test func aChangeBeyondNoiseIsFound() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<50 {
      let (baseline, candidate) = (Self.takes(&random), Self.takes(&random, offset: 4))
      let comparison = try RunComparison(baseline: baseline, candidate: candidate)
      let worse = comparison.differences.filter { $0.verdict == .regression }
      #expect(worse.map(\.key.figure) == [.init("pitch.abs_error", voice: "+7")])
    }
  }

  /// Each perturbation moves both sides alike, by 1 unit: a change of a fifth of it is found. One side
  /// measured under other perturbations hides it.
  @Test(arguments: [true, false])
  func whatMovesBothSidesIsNoNoise(sameTakes: Bool) throws {
    var random = SeededGenerator(seed: 4)
    var settings = RunComparison.Settings()
    settings.minimumEffects = ["pitch.abs_error": 0.1, "latency.onset": 0.1]
    let seeds: [UInt64] = [1, 2, 3, 4, 5]
    func takes(_ seeds: [UInt64], offset: Double) -> Takes {
      let runs = seeds.map { seed in
        var moved = SeededGenerator(seed: seed)
        return Self.run(&moved, offset: offset + 0.01 * random.uniform())
      }
      return Takes(runs[0].cells, runs: runs.dropFirst().map(\.cells))
    }
    let comparison = try RunComparison(
      baseline: takes(seeds, offset: 6),
      candidate: takes(sameTakes ? seeds : seeds.map { $0 + 10 }, offset: 6.2), settings)
    #expect((comparison.verdict == .regression) == sameTakes)
  }

  /// A figure that comes and goes in a third of the takes is not lost when it is away; one that is
  /// away in all takes is.
  @Test func presenceIsComparedByShare() throws {
    var random = SeededGenerator(seed: 5)
    func takes(losing share: Double) -> Takes {
      func run() -> [ComparedCell] {
        var lost: [Bool] = []
        for _ in 0..<6 { lost.append(random.uniform() < share) }
        return GateSamples.run { recording, metric, voice in
          voice == "+4" && lost[recording] ? nil : 0
        }.cells
      }
      let first = run()
      return Takes(first, runs: (0..<4).map { _ in run() })
    }
    for _ in 0..<100 {
      let comparison = try RunComparison(
        baseline: takes(losing: 0.33), candidate: takes(losing: 0.33))
      #expect(comparison.verdict != .regression)
    }
    let gone = try RunComparison(baseline: takes(losing: 0.33), candidate: takes(losing: 1))
    #expect(gone.verdict == .regression)
  }

  /// A figure that one of six recordings has, in half of its takes, is not lost when most takes lack it.
  /// A baseline keeps values only, so it does not say that the other recordings lack it as well.
  @Test func aFigureOfOneRecordingComesAndGoes() throws {
    var random = SeededGenerator(seed: 6)
    func takes(share: Double, keepingValuesOnly: Bool) -> Takes {
      let runs = (0..<5).map { _ in
        let isThere = random.uniform() < share
        return GateSamples.run { recording, _, voice in
          voice == "+4" && (recording > 0 || !isThere) ? nil : 0
        }.cells.map { keepingValuesOnly ? $0.keeping(["pitch.abs_error", "latency.onset"]) : $0 }
      }
      return Takes(runs[0], runs: Array(runs.dropFirst()))
    }
    var lost = 0
    for _ in 0..<100 {
      let comparison = try RunComparison(
        baseline: takes(share: 0.5, keepingValuesOnly: true),
        candidate: takes(share: 0.5, keepingValuesOnly: false))
      #expect(comparison.verdict != .regression)
      lost += comparison.differences.map(\.lost).max() ?? 0
    }
    // The median take has a value in half of the runs, so it is lost in a quarter of the comparisons.
    #expect(lost > 10)
  }

  /// A value that only the baseline's unperturbed take had is lost if it can't be measured under
  /// perturbations, and no loss if it was measured there and had none.
  @Test(arguments: [Undefined.Code.notObservable, .uncertain])
  func whatCameOnceIsLostOnlyIfItIsNotMeasuredAgain(code: Undefined.Code) throws {
    func cells(has: Bool) -> [ComparedCell] {
      GateSamples.run().cells.map { cell in
        var figures = cell.figures
        if !has { figures[.init("latency.onset")] = .undefined(Undefined(code, "no value")) }
        return ComparedCell(cell.address, figures: figures)
      }
    }
    func values(_ cells: [ComparedCell]) -> [ComparedCell] {
      cells.map { $0.keeping(["pitch.abs_error", "latency.onset"]) }
    }
    let none = cells(has: false)
    let comparison = try RunComparison(
      baseline: Takes(
        values(cells(has: true)), runs: Array(repeating: values(none), count: 4)),
      candidate: Takes(none, runs: Array(repeating: none, count: 4)))
    #expect((comparison.verdict == .regression) == (code == .notObservable))
  }

  /// Every inaudible change moves an onset to 15 or 30 ms, on both sides alike. The one take that the
  /// baseline lacks moves its median, which is no change of the program.
  @Test func aTakeWithoutAValueMovesNoMedian() throws {
    func runs(lacking: Bool) -> [[ComparedCell]] {
      [15.0, 30, 15, 15, 30].enumerated().map { take, milliseconds in
        GateSamples.run(figures: ["note.onset_displacement": 0]) { recording, _, voice in
          lacking && take == 2 && recording == 1 && voice == "+4" ? nil : milliseconds
        }.cells
      }
    }
    let (was, now) = (runs(lacking: true), runs(lacking: false))
    let comparison = try RunComparison(
      baseline: Takes(was[0], runs: Array(was.dropFirst())),
      candidate: Takes(now[0], runs: Array(now.dropFirst())))
    #expect(comparison.differences.allSatisfy { $0.reason == "identical on every recording" })
    #expect(comparison.differences.count == 2)
  }
}
