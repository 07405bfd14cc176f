import Foundation
import Statistics

/// The answers of the listeners who count, by system, listener and clip.
struct AnswerSheet {
  struct Result {
    var scores: [PooledAnswers.Score]
    var differences: [PooledAnswers.Difference]
    var smallestDifference: Double
    var listenersForTenPoints: Int?
  }

  private let listeners: [ListeningAnswers]
  private let test: ListeningTest
  private let trials: [String: ListeningTest.Trial]
  private let stimuli: [String: ListeningTest.Stimulus]
  private let scored: [Row: [[Double?]]]

  init(_ listeners: [ListeningAnswers], of test: ListeningTest) {
    (self.listeners, self.test) = (listeners, test)
    trials = Dictionary(test.trials.map { ($0.id, $0) }) { first, _ in first }
    let stimuli = Dictionary(test.stimuli.map { ($0.id, $0) }) { first, _ in first }
    self.stimuli = stimuli
    scored = Self.scores(listeners, stimuli, clips: test.clips.count)
  }

  // MARK: - Scores

  /// A row of sounds: a system on every clip, or the reference or the anchor.
  private enum Row: Hashable {
    case system(Int)
    case role(ListeningTest.Stimulus.Role)

    init(_ stimulus: ListeningTest.Stimulus) {
      self = stimulus.system.map { .system($0) } ?? .role(stimulus.role)
    }
  }

  private var rows: [Row] {
    test.systems.indices.map { .system($0) }
      + (test.method == .mushra ? [.role(.reference), .role(.anchor)] : [])
  }

  /// Returns the scores of each row by listener and clip; repeated trials count with their mean.
  private static func scores(
    _ listeners: [ListeningAnswers], _ stimuli: [String: ListeningTest.Stimulus], clips: Int
  ) -> [Row: [[Double?]]] {
    var found: [Row: [[[Double]]]] = [:]
    let none = [[[Double]]](
      repeating: [[Double]](repeating: [], count: clips), count: listeners.count)
    for (listener, own) in listeners.enumerated() {
      for (id, score) in own.answers.flatMap({ $0.scores ?? [:] }) {
        guard let stimulus = stimuli[id] else { continue }
        found[Row(stimulus), default: none][listener][stimulus.clip].append(score)
      }
    }
    return found.mapValues { $0.map { $0.map { Statistics.mean($0) } } }
  }

  private func scores(of row: Row) -> [[Double?]] {
    scored[row] ?? listeners.map { _ in test.clips.map { _ in nil } }
  }

  func ratings() -> Result {
    let rows = rows
    // Clips and listeners without any answer would leave rows and columns empty.
    let all = rows.map(scores)
    let clips = test.clips.indices.filter { clip in
      all.allSatisfy { $0.contains { $0[clip] != nil } }
    }
    let values = all.map { of in of.map { own in clips.map { own[$0] } } }
    let means = values.map { CrossedMean($0) }
    let scores = zip(rows, means).compactMap { row, mean in
      mean.map {
        PooledAnswers.Score(
          label: label(row), system: index(row), score: $0.mean,
          interval: $0.interval.clamped(to: 0...100))
      }
    }
    var differences: [PooledAnswers.Difference] = []
    var crossed: [CrossedMean] = []
    for (better, worse) in pairs(by: { means[$0]?.mean }) {
      let own = zip(values[better], values[worse]).map {
        zip($0, $1).map { x, y in x.flatMap { x in y.map { x - $0 } } }
      }
      guard let difference = CrossedMean(own) else { continue }
      crossed.append(difference)
      differences.append(
        .init(
          better: better, worse: worse, difference: difference.mean,
          interval: difference.interval.clamped(to: -100...100), pValue: difference.pValue))
    }
    let needed = crossed.map { $0.listenersNeeded(forEffect: 10) }
    return Result(
      scores: scores, differences: Self.holm(differences),
      smallestDifference: Statistics.median(crossed.map(\.smallestEffect)) ?? .infinity,
      listenersForTenPoints: needed.contains(nil) ? nil : needed.compactMap(\.self).max())
  }

  private func label(_ row: Row) -> String {
    switch row {
    case .system(let index): test.systems[index].label
    case .role(.anchor): "anchor"
    case .role: "hidden reference"
    }
  }

  private func index(_ row: Row) -> Int? { if case .system(let index) = row { index } else { nil } }

  /// Returns all pairs of systems that have a value, the better one first; of equal ones the earlier.
  private func pairs(by value: (Int) -> Double?) -> [(better: Int, worse: Int)] {
    let systems = test.systems.indices
    return systems.flatMap { a in systems.map { (better: a, worse: $0) } }.filter { a, b in
      guard a != b, let first = value(a), let second = value(b) else { return false }
      return first > second || first == second && a < b
    }
  }

  private static func holm(
    _ differences: [PooledAnswers.Difference]
  ) -> [PooledAnswers.Difference] {
    let adjusted = Statistics.holmAdjusted(differences.map(\.pValue))
    return zip(differences, adjusted).map { difference, pValue in
      var difference = difference
      difference.pValue = pValue
      return difference
    }
  }

  // MARK: - Preferences

  /// Returns a listener's wins by winner and loser.
  private func wins(_ listener: ListeningAnswers) -> PreferenceModel.Wins {
    let count = test.systems.count
    var wins = PreferenceModel.Wins(repeating: [Double](repeating: 0, count: count), count: count)
    for answer in listener.answers {
      guard let pair = pair(answer) else { continue }
      wins[pair.a][pair.b] += pair.share
      wins[pair.b][pair.a] += 1 - pair.share
    }
    return wins
  }

  /// Returns the two systems of a trial, and 1 if the first is preferred, a half for no difference.
  private func pair(_ answer: ListeningAnswers.Answer) -> (a: Int, b: Int, share: Double)? {
    guard let trial = trials[answer.trial], trial.stimuli.count == 2,
      let a = stimuli[trial.stimuli[0]]?.system, let b = stimuli[trial.stimuli[1]]?.system
    else { return nil }
    guard let preferred = answer.preferred else { return (a, b, 0.5) }
    return (a, b, preferred == trial.stimuli[0] ? 1 : 0)
  }

  func preferences() -> Result {
    let wins = listeners.map(wins)
    let model = PreferenceModel(wins)
    let systems = test.systems.indices
    func percent(_ strength: Double, of system: Int) -> Double {
      let others = systems.filter { $0 != system }
      return 100 * others.reduce(0) { $0 + 1 / (1 + exp(model.strengths[$1] - strength)) }
        / Double(others.count)
    }
    let scores = systems.map { system in
      PooledAnswers.Score(
        label: test.systems[system].label, system: system,
        score: percent(model.strengths[system], of: system),
        interval: percent(
          model.intervals[system].lowerBound, of: system)...percent(
            model.intervals[system].upperBound, of: system))
    }
    var (differences, reaches): ([PooledAnswers.Difference], [Double]) = ([], [])
    for (better, worse) in pairs(by: { model.strengths[$0] }) {
      let strength = model.strengths[better] - model.strengths[worse]
      let error = model.error(ofDifference: better, worse)
      let degrees = Double(listeners.count - 1)
      let limit = Statistics.studentLimit(level: 0.025, degrees: degrees)
      func percent(_ strength: Double) -> Double { 100 / (1 + exp(-strength)) }
      differences.append(
        .init(
          better: better, worse: worse, difference: percent(strength) - 50,
          interval: percent(strength - limit * error) - 50...percent(strength + limit * error) - 50,
          pValue: CrossedMean.pValue(strength, error: error, degrees: degrees)))
      let reach = (limit + Statistics.studentLimit(level: 0.2, degrees: degrees)) * error
      reaches.append(percent(reach) - 50)
    }
    // A standard error falls with the root of the number of listeners.
    let needed = Statistics.median(reaches).map { reach in
      let strength = log((50 + reach) / (50 - min(reach, 49.99)))
      let wanted = log(60.0 / 40)
      return max(2, Int((Double(listeners.count) * pow(strength / wanted, 2)).rounded(.up)))
    }
    return Result(
      scores: scores, differences: Self.holm(differences),
      smallestDifference: Statistics.median(reaches) ?? .infinity, listenersForTenPoints: needed)
  }

  // MARK: - By clip

  /// Mean score by system and clip; of pairs the share of trials that it wins, in percent.
  var byClip: [[Double?]] {
    test.systems.indices.map { system in
      test.clips.indices.map { clip in
        if test.method != .pairs {
          return Statistics.mean(scores(of: .system(system)).compactMap { $0[clip] })
        }
        let shares = listeners.flatMap(\.answers).compactMap { answer -> Double? in
          guard trials[answer.trial]?.clip == clip, let pair = pair(answer) else { return nil }
          return pair.a == system ? pair.share : pair.b == system ? 1 - pair.share : nil
        }
        return Statistics.mean(shares).map { 100 * $0 }
      }
    }
  }
}
