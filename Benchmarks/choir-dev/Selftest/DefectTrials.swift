import Corpus
import DSP
import Gate
import Metrics
import Statistics

/// Trials of one defect: each compares a run of the right subject with one of the defective
/// subject, as the gate does.
///
/// **Random choices.** Measuring a tier a hundred times would take a day, so each trial draws from
/// measured cells: the place of the defect; four fifths of the tier's recordings, without
/// replacement, and every probe; and for each recording one of the renderings, which differ in the
/// instants of the fault. Trials therefore share sound. They test whether the verdict depends on
/// the choice of recordings and on the place and time of the fault. A trial whose sounds happen to be
/// free of a random fault, sample by sample, is drawn again; one whose fault no metric shows counts as
/// missed.
///
/// **Noise.** With `Selftest.Settings.perturbations`, the right subject's figures under inaudible changes
/// of its input say how far each figure moves by itself. A gate measures a suspicious run under the same
/// changes and compares medians; here a defective cell is measured once, so a gate sees a little more.
struct DefectTrials {
  struct Outcome {
    /// Trials in which an expected metric reported a regression, or a cell failed as the defect makes
    /// it fail. A trial with another failed cell detects nothing.
    var detected: Int
    var trials: Int
    /// Number of trials in which each metric reported a regression.
    var regressions: [String: Int]
    /// Reason of the first failed cell.
    var failure: String?
    /// Median worsening of each expected metric that has a value.
    var worsening: [String: Double]
  }

  static func run(
    _ measured: MeasuredDefect, on bench: [SelftestBench.Measured], labels: [String],
    _ settings: Selftest.Settings
  ) throws -> Outcome {
    var outcome = Outcome(detected: 0, trials: settings.trials, regressions: [:], worsening: [:])
    let right = takes(of: bench)
    var worsenings: [String: [Double]] = [:]
    // Seeds a fixed step apart would give trials the same numbers, shifted by one place.
    var seeds = SeededGenerator(seed: settings.seed)
    for _ in 0..<settings.trials {
      var random = SeededGenerator(seed: seeds.next())
      let (place, wrong) = faulty(measured, bench, settings, &random)
      let names = Set(wrong.map(\.address.recording))
      let comparison = try RunComparison(
        baseline: right.keeping { names.contains($0.recording) }, candidate: Takes(wrong))
      let wronged = place.voices.map { voices in
        Set(voices.map { $0 < labels.count ? labels[$0] : "" })
      }
      let alarms = comparison.differences.filter { $0.verdict == .regression }
      for metric in Set(alarms.map(\.metric)) { outcome.regressions[metric, default: 0] += 1 }
      let seen = alarms.contains { alarm in
        measured.defect.expected.contains(alarm.metric) && isIn(wronged, alarm.voice)
      }
      let isSeen = measured.defect.damage.failsCells && !comparison.broken.isEmpty
      if comparison.broken.isEmpty ? seen : isSeen { outcome.detected += 1 }
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

  /// The right subject's cells with their takes.
  private static func takes(of bench: [SelftestBench.Measured]) -> Takes {
    let count = bench.map(\.takes.count).min() ?? 0
    return Takes(
      bench.map(\.right), runs: (0..<count).map { number in bench.map { $0.takes[number] } })
  }

  /// Largest number of draws of a trial.
  private static let maxDraws = 50

  /// Draws a place and the cells of a trial. A random fault is in at least one of them, if any rendering
  /// has it.
  private static func faulty(
    _ measured: MeasuredDefect, _ bench: [SelftestBench.Measured], _ settings: Selftest.Settings,
    _ random: inout SeededGenerator
  ) -> (place: Damage.Place, cells: [ComparedCell]) {
    var draws = 0
    while true {
      draws += 1
      let place = measured.places[Int(random.uniform() * Double(measured.places.count))]
      var hasFault = !measured.defect.damage.isRandom || draws == maxDraws
      let cells = draw(bench, settings.drawnShare, &random).map { index -> ComparedCell in
        let variant = MeasuredDefect.Variant(
          place: place, rendering: Int(random.uniform() * Double(measured.renderings)))
        guard let renderings = measured.renderingsOf[bench[index].recording.id],
          let wrong = renderings.cells[variant]
        else { return bench[index].right }
        hasFault = hasFault || !renderings.intact.contains(variant)
        return wrong
      }
      if hasFault { return (place, cells) }
    }
  }

  /// True unless an alarm concerns a voice that the defect leaves alone.
  private static func isIn(_ wronged: Set<String>?, _ voice: String?) -> Bool {
    guard let wronged, let voice else { return true }
    return wronged.contains(voice)
  }

  /// Draws places in the bench: a share of the voices, and every probe.
  static func draw(
    _ bench: [SelftestBench.Measured], _ share: Double, _ random: inout SeededGenerator
  ) -> [Int] {
    let isProbe = { (index: Int) in bench[index].recording.isProbe }
    var voices = bench.indices.filter { !isProbe($0) }
    let count = Int((share * Double(voices.count)).rounded(.up))
    for i in voices.indices.dropLast() {
      voices.swapAt(i, i + Int(random.uniform() * Double(voices.count - i)))
    }
    return (voices.prefix(count) + bench.indices.filter(isProbe)).sorted()
  }
}
