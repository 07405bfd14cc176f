import Corpus
import Cost
import DSP
import Gate
import Statistics

/// Trials of one defect: in each, the gate compares a run of the right subject with one of the wrong
/// one and says what it says.
///
/// **What is drawn.** Measuring a tier a hundred times over would take a day, so a trial draws: the
/// voice (or voices) that it is in; four fifths of the tier's recordings, without repetition, and
/// every probe; and of each recording one of the renderings, which differ in the instants at which
/// it goes wrong. So trials share sound with each other; what they try is whether the verdict hangs
/// on which recordings a plan happens to have, and on where and when it goes wrong.
struct DefectTrials {
  struct Outcome {
    /// Trials in which an expected metric said regression, or a cell could not be measured any more.
    var found: Int
    var trials: Int
    /// How often each metric said regression.
    var said: [String: Int]
    /// Why cells failed, the first of them.
    var failure: String?
    /// Of the expected metrics, the median of how much worse they became, where they have a value.
    var worsening: [String: Double]
  }

  static func run(
    _ measured: MeasuredDefect, on bench: [SelftestBench.Measured], labels: [String],
    _ settings: Selftest.Settings
  ) throws -> Outcome {
    var outcome = Outcome(found: 0, trials: settings.trials, said: [:], worsening: [:])
    var worsenings: [String: [Double]] = [:]
    // Seeds a fixed step apart would give trials the same numbers, each a place later.
    var seeds = SeededGenerator(seed: settings.seed)
    for _ in 0..<settings.trials {
      var random = SeededGenerator(seed: seeds.next())
      let place = measured.places[Int(random.uniform() * Double(measured.places.count))]
      let drawn = draw(bench, settings.drawnShare, &random)
      let wrong = drawn.map { index -> ComparedCell in
        let rendering = Int(random.uniform() * Double(measured.renderings))
        let cells = measured.cells[bench[index].recording.id] ?? [:]
        return cells[.init(place: place, rendering: rendering)] ?? bench[index].right
      }
      let comparison = try RunComparison(baseline: drawn.map { bench[$0].right }, candidate: wrong)
      let wronged = place.voices.map { voices in
        Set(voices.map { $0 < labels.count ? labels[$0] : "" })
      }
      let alarms = comparison.differences.filter { $0.verdict == .regression }
      for metric in Set(alarms.map(\.metric)) { outcome.said[metric, default: 0] += 1 }
      let seen = alarms.contains { alarm in
        measured.defect.expected.contains(alarm.metric) && isIn(wronged, alarm.voice)
      }
      if seen || !comparison.broken.isEmpty { outcome.found += 1 }
      outcome.failure = outcome.failure ?? comparison.broken.first?.reason
      for difference in comparison.differences
      where measured.defect.expected.contains(difference.metric) && isIn(wronged, difference.voice)
      {
        if let worsening = difference.worsening {
          worsenings[difference.metric, default: []].append(worsening)
        }
      }
    }
    outcome.worsening = worsenings.compactMapValues { Statistics.median($0) }
    return outcome
  }

  /// Of a defect in one voice, what another voice says is no finding.
  private static func isIn(_ wronged: Set<String>?, _ voice: String?) -> Bool {
    guard let wronged, let voice else { return true }
    return wronged.contains(voice)
  }

  /// Places in the bench: a share of the voices, and every probe.
  static func draw(
    _ bench: [SelftestBench.Measured], _ share: Double, _ random: inout SeededGenerator
  ) -> [Int] {
    let isProbe = { (index: Int) in bench[index].recording.kind == "probe" }
    var voices = bench.indices.filter { !isProbe($0) }
    let count = Int((share * Double(voices.count)).rounded(.up))
    for i in voices.indices.dropLast() {
      voices.swapAt(i, i + Int(random.uniform() * Double(voices.count - i)))
    }
    return (voices.prefix(count) + bench.indices.filter(isProbe)).sorted()
  }
}
