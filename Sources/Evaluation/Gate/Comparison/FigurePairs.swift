import Metrics
import Statistics
import Sweep

/// The values of figures on both sides, by cell and take. They are read one metric at a time, so memory
/// holds those of a single metric.
struct FigurePairs {
  /// One metric of one voice with one score and configuration.
  struct Figure: Sendable {
    var key: FigureKey
    var metric: Metric
    /// Index of the first pair with this figure.
    var first: Int
    /// Takes of cells with a value on both sides; those of one cell follow each other.
    fileprivate(set) var takes: [Take] = []
    /// Number of values that only the baseline has.
    fileprivate(set) var lost = 0
    fileprivate(set) var lossReason: String?
    /// Number of values that only the candidate has.
    fileprivate(set) var gained = 0
    /// Number of values that both sides could have had, over all cells and takes.
    fileprivate(set) var possible = 0
    /// Largest number of takes of a cell.
    fileprivate(set) var maxTakes = 0

    /// Both values of one cell in one take. It takes 32 bytes, because a large run has a million cells.
    struct Take: Sendable {
      /// Index of the pair, index of its recording in alphabetical order, and number of the take.
      fileprivate var pair, recording, number: Int32
      var baseline, candidate: Double
    }

    /// Share of the values that were lost, less those that were gained.
    var lostShare: Double {
      lost == 0 ? 0 : Double(lost - gained) / Double(lost + takes.count)
    }

    /// The takes of each cell.
    var byCell: [ArraySlice<Take>] {
      var (cells, start) = ([ArraySlice<Take>](), 0)
      for place in takes.indices
      where place + 1 == takes.count || takes[place + 1].pair != takes[place].pair {
        cells.append(takes[start...place])
        start = place + 1
      }
      return cells
    }

    /// Returns the takes of each cell of one row of `rows`.
    func cells(ofRow row: Int) -> [ArraySlice<Take>] {
      let recording = Set(takes.map(\.recording)).sorted()[row]
      return byCell.filter { $0.first?.recording == recording }
    }

    /// Returns how much worse the candidate is in one take.
    func worsening(_ take: Take) -> Double {
      metric.loss(take.candidate)! - metric.loss(take.baseline)!
    }

    /// The baseline's mean of each recording over its conditions and takes.
    var means: [Double] { rows(\.baseline).map { Statistics.mean($0)! } }

    /// Returns a number of both sides for each recording and take.
    func sides(_ number: (Double) -> Double) -> [ExchangeTest.Group] {
      zip(rows { number($0.baseline) }, rows { number($0.candidate) }).map {
        ExchangeTest.Group(before: $0, after: $1)
      }
    }

    /// Returns a number for each recording, in alphabetical order, and take: its mean over conditions.
    func rows(_ number: (Take) -> Double) -> [[Double]] {
      var sums: [Int32: [Int32: (sum: Double, count: Double)]] = [:]
      for take in takes {
        let known = sums[take.recording]?[take.number] ?? (0, 0)
        sums[take.recording, default: [:]][take.number] = (
          known.sum + number(take), known.count + 1
        )
      }
      return sums.sorted { $0.key < $1.key }.map { _, row in
        row.sorted { $0.key < $1.key }.map { $0.value.sum / $0.value.count }
      }
    }
  }

  /// A figure of one metric by numbers, which are faster to look up than keys.
  private struct Index: Hashable {
    var setting: Int
    var voice: String?
  }

  private let pairs: [PairedCells.Pair]
  private let (before, after): (Takes, Takes)
  /// Number of the recording and number of the score and configuration of each pair.
  private let (recordings, settings): ([Int32], [Int])

  init(of all: [PairedCells.Pair], baseline: Takes, candidate: Takes) {
    (before, after) = (baseline, candidate)
    pairs = all.filter { $0.baseline.failure == nil && $0.candidate.failure == nil }
    let names = Set(pairs.map(\.address.recording)).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    recordings = pairs.map { Int32(numbers[$0.address.recording]!) }
    var known: [FigureKey: Int] = [:]
    settings = pairs.map { pair in
      let setting = pair.address.key(of: FigureID(""))
      let number = known[setting] ?? known.count
      known[setting] = number
      return number
    }
  }

  /// Pairs cells with themselves, for the values of one run.
  init(of cells: [ComparedCell]) {
    let takes = Takes(cells)
    self.init(
      of: cells.map { .init(baseline: $0, candidate: $0) }, baseline: takes, candidate: takes)
  }

  /// Returns the figures of one metric with a value on both sides or a lost one, in order of
  /// appearance.
  func figures(of metric: Metric) -> [Figure] {
    var found: [Figure] = []
    var known: [Index: Int] = [:]
    for (index, pair) in pairs.enumerated() {
      var now: [String?: MetricResult.Outcome] = [:]
      pair.candidate.forEachFigure(of: metric.id) { now[$0] = $1 }
      var then: [String?: MetricResult.Outcome?] = [:]
      pair.baseline.forEachFigure(of: metric.id) { then[$0] = $1 }
      for voice in before.voices(of: metric.id, at: pair.address) where then[voice] == nil {
        then[voice] = .some(nil)
      }
      for (voice, outcome) in then.sorted(by: { ($0.key ?? "") < ($1.key ?? "") }) {
        let id = FigureID(metric.id, voice: voice)
        let others = after.perturbed(id, at: pair.address)
        // The candidate did not measure it, so there is nothing to compare.
        guard now[voice] != nil || others.contains(where: { $0 != nil }) else { continue }
        let place = Index(setting: settings[index], voice: voice)
        let number = known[place] ?? found.count
        if number == found.count {
          known[place] = number
          found.append(Figure(key: pair.address.key(of: id), metric: metric, first: index))
        }
        let was = [outcome?.number] + before.perturbed(id, at: pair.address)
        let both = Array(zip(was, [now[voice]?.number] + others))
        found[number].possible += both.count
        found[number].maxTakes = max(found[number].maxTakes, both.count)
        for (take, values) in both.enumerated() {
          switch values {
          case (let baseline?, let candidate?):
            found[number].takes.append(
              .init(
                pair: Int32(index), recording: recordings[index], number: Int32(take),
                baseline: baseline, candidate: candidate))
          case (_?, nil):
            found[number].lost += 1
            if found[number].lossReason == nil, case .undefined(let why)? = now[voice] {
              found[number].lossReason = why.detail
            }
          case (nil, _?): found[number].gained += 1
          case (nil, nil): break
          }
        }
      }
    }
    return found.filter { !$0.takes.isEmpty || $0.lost > 0 }
  }

  /// Returns a cell, with the medians of its takes, and the names of its recording and condition.
  func instance(_ takes: ArraySlice<Figure.Take>) -> MetricDifference.Instance {
    let pair = pairs[Int(takes.first!.pair)]
    let (was, now) = (takes.map(\.baseline), takes.map(\.candidate))
    func range(_ values: [Double]) -> ClosedRange<Double>? {
      values.count > 1 ? values.min()!...values.max()! : nil
    }
    return MetricDifference.Instance(
      recording: pair.address.recording, condition: pair.address.condition,
      baseline: Statistics.median(was)!, candidate: Statistics.median(now)!,
      baselineTakes: range(was), candidateTakes: range(now), cell: pair.candidate.key)
  }
}
