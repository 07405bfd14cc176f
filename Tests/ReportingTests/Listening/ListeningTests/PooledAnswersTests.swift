import DSP
import EvaluationSupport
import Foundation
import Testing

@testable import Reporting

/// Listeners who are simulated, so that the truth is known.
@Suite struct PooledAnswersTests {
  /// Simulated listeners of a test in which system 0 is the best.
  struct Room {
    var systems = 6
    var clips = 4
    /// Deviations of a score due to the listener, the clip and all else.
    var listenerSpread = 8.0
    var clipSpread = 6.0
    var noise = 10.0

    func test(_ method: ListeningTest.Method) -> ListeningTest {
      var stimuli: [ListeningTest.Stimulus] = []
      for clip in 0..<clips {
        for system in 0..<systems {
          stimuli.append(
            .init(
              id: "s\(clip)-\(system)", clip: clip, role: .system, system: system,
              cell: "c\(clip)-\(system)"))
        }
        if method == .mushra {
          stimuli.append(.init(id: "r\(clip)", clip: clip, role: .reference))
          stimuli.append(.init(id: "a\(clip)", clip: clip, role: .anchor))
        }
      }
      var trials: [ListeningTest.Trial] = []
      for clip in 0..<clips {
        let own = stimuli.filter { $0.clip == clip }.map(\.id)
        if method == .pairs {
          for (index, first) in own.enumerated() {
            for second in own[(index + 1)...] {
              trials.append(.init(id: "t\(trials.count)", clip: clip, stimuli: [first, second]))
            }
          }
        } else {
          trials.append(.init(id: "t\(clip)", clip: clip, stimuli: own))
        }
      }
      var test = ListeningTest(
        title: "simulated", method: method, seed: 1, run: "none",
        systems: (0..<systems).map { .init(subject: "x", settings: [:], label: "system \($0)") },
        clips: (0..<clips).map {
          .init(recording: "c\($0)", condition: "clean", score: "chord", credit: "")
        },
        stimuli: stimuli, trials: trials)
      test.id = "id"
      return test
    }

    /// The mean score of a system over all listeners and clips.
    func truth(_ system: Int) -> Double { 80 - 8 * Double(system) }

    /// Clips are drawn anew with each group of listeners.
    func answers(
      _ listeners: Int, to test: ListeningTest, seed: UInt64
    ) -> [(file: String, ListeningAnswers)] {
      var random = SeededGenerator(seed: seed)
      let ease = (0..<clips).map { _ in (0..<systems).map { _ in clipSpread * random.normal() } }
      return (0..<listeners).map { listener in
        let leniency = listenerSpread * random.normal()
        let answers = test.trials.map { trial in
          var scores: [String: Double] = [:]
          for id in trial.stimuli {
            let stimulus = test.stimulus(id)!
            scores[id] =
              switch stimulus.role {
              case .reference: 100
              case .anchor: 20
              case .system:
                truth(stimulus.system!) + leniency + ease[stimulus.clip][stimulus.system!]
                  + noise * random.normal()
              }
          }
          return ListeningAnswers.Answer(
            trial: trial.id, scores: scores, preferred: nil, seconds: 60)
        }
        return (
          "l\(listener)", ListeningAnswers(test: "id", listener: "l\(listener)", answers: answers)
        )
      }
    }

    /// Preferences with the probabilities of Bradley and Terry; neighbours differ by `step`.
    func preferences(
      _ listeners: Int, to test: ListeningTest, step: Double, seed: UInt64
    ) -> [(file: String, ListeningAnswers)] {
      var random = SeededGenerator(seed: seed)
      return (0..<listeners).map { listener in
        let answers = test.trials.map { trial in
          let (a, b) = (test.stimulus(trial.stimuli[0])!, test.stimulus(trial.stimuli[1])!)
          let share = 1 / (1 + exp(step * Double(a.system! - b.system!)))
          let preferred = trial.stimuli[random.uniform() < share ? 0 : 1]
          return ListeningAnswers.Answer(
            trial: trial.id, scores: nil, preferred: preferred, seconds: 15)
        }
        return (
          "l\(listener)", ListeningAnswers(test: "id", listener: "l\(listener)", answers: answers)
        )
      }
    }
  }

  /// The interval of a system holds its true mean over all listeners and clips in 95 % of tests.
  @Test(arguments: [(8.0, 6.0, 10.0), (3, 8, 12), (10, 2, 5)])
  func intervalsHoldTheTruth(listener: Double, clip: Double, noise: Double) throws {
    var room = Room()
    (room.systems, room.listenerSpread, room.clipSpread, room.noise) = (2, listener, clip, noise)
    let test = room.test(.rating)
    let draws = 1000
    let held = try (0..<draws).count { draw in
      let pooled = try PooledAnswers(
        room.answers(12, to: test, seed: UInt64(1000 + draw)), to: test)
      return pooled.scores.first { $0.system == 0 }!.interval.contains(room.truth(0))
    }
    // Three standard errors of a share of 1000 are 2.1 %.
    #expect(abs(100 * Double(held) / Double(draws) - 95) < 1.5 + 2.1)
  }

  /// Strengths are those of the simulated listeners in 95 % of tests.
  @Test func intervalsOfPreferencesHoldTheTruth() {
    var room = Room()
    (room.systems, room.clips) = (4, 2)
    let test = room.test(.pairs)
    let draws = 600
    var held = 0
    for draw in 0..<draws {
      let answers = room.preferences(12, to: test, step: 0.8, seed: UInt64(50 + draw)).map(\.1)
      let model = PreferenceModel(answers.map { wins($0, test) })
      held += model.intervals.enumerated().count { system, interval in
        interval.contains(0.8 * (1.5 - Double(system)))
      }
    }
    #expect(abs(100 * Double(held) / Double(draws * 4) - 95) < 1.5 + 1.4)
  }

  /// Three listeners who agree once each may have guessed: the chance is one in four.
  @Test func fewUnanimousAnswersAreNotCertain() throws {
    var room = Room()
    (room.systems, room.clips) = (2, 1)
    let test = room.test(.pairs)
    func pooled(_ listeners: Int) throws -> PooledAnswers {
      try PooledAnswers(room.preferences(listeners, to: test, step: 99, seed: 1), to: test)
    }
    let few = try pooled(3)
    #expect(few.differences[0].pValue > 0.05 && few.differences[0].interval.lowerBound < 0)
    #expect(few.scores.map(\.place) == [1, 1])
    #expect(try pooled(30).differences[0].pValue < 0.01)
  }

  /// Two clips leave one degree of freedom, where an interval would reach beyond any score.
  @Test(arguments: 1...20)
  func intervalsStayWithinTheScale(seed: UInt64) throws {
    var room = Room()
    (room.systems, room.clips, room.clipSpread) = (3, 2, 15)
    let test = room.test(.rating)
    let pooled = try PooledAnswers(room.answers(5, to: test, seed: seed), to: test)
    for score in pooled.scores {
      #expect(0...100 ~= score.interval.lowerBound && 0...100 ~= score.interval.upperBound)
    }
    for difference in pooled.differences {
      #expect((-100...100).contains(difference.interval.lowerBound))
      #expect(difference.interval.upperBound <= 100)
    }
  }

  private func wins(_ answers: ListeningAnswers, _ test: ListeningTest) -> PreferenceModel.Wins {
    var wins = PreferenceModel.Wins(
      repeating: [Double](repeating: 0, count: test.systems.count), count: test.systems.count)
    for answer in answers.answers {
      let trial = test.trials.first { $0.id == answer.trial }!
      let winner = test.stimulus(answer.preferred!)!.system!
      let loser = trial.stimuli.map { test.stimulus($0)!.system! }.first { $0 != winner }!
      wins[winner][loser] += 1
    }
    return wins
  }

  /// Twelve listeners put six systems in their order, by each method, within 20 minutes each.
  @Test(arguments: ListeningTest.Method.allCases)
  func twelveListenersRankSixSystems(method: ListeningTest.Method) throws {
    var room = Room()
    room.clips = method == .pairs ? 4 : 7
    let test = room.test(method)
    #expect(test.minutes <= 20)
    let right = try (0..<40).count { draw in
      let seed = UInt64(7 + draw)
      let answers =
        method == .pairs
        ? room.preferences(12, to: test, step: 0.8, seed: seed)
        : room.answers(12, to: test, seed: seed)
      let pooled = try PooledAnswers(answers, to: test)
      return pooled.scores.compactMap(\.system) == Array(0..<6)
    }
    #expect(right >= 36)
  }

  /// Few tests of systems that are all alike tell any two apart, though each compares 15 pairs.
  @Test func equalSystemsAreNotToldApart() throws {
    struct Alike { static let draws = 400 }
    let room = Room()
    let test = room.test(.rating)
    let told = try (0..<Alike.draws).count { draw in
      var answers = room.answers(12, to: test, seed: UInt64(draw + 1))
      for listener in answers.indices {
        for trial in answers[listener].1.answers.indices {
          for (id, score) in answers[listener].1.answers[trial].scores! {
            let system = test.stimulus(id)!.system!
            answers[listener].1.answers[trial].scores![id] = score - room.truth(system)
          }
        }
      }
      return try PooledAnswers(answers, to: test).differences.contains { $0.pValue < 0.05 }
    }
    #expect(Double(told) / Double(Alike.draws) < 0.05 + 0.033)
  }

  /// Trials that a listener left out are not guessed: the others' means stay where they were.
  @Test func missingTrialsMoveNothingFar() throws {
    let room = Room()
    let test = room.test(.rating)
    var answers = room.answers(12, to: test, seed: 3)
    let whole = try PooledAnswers(answers, to: test)
    answers[4].1.answers.removeLast()
    answers[7].1.answers.removeFirst(2)
    let part = try PooledAnswers(answers, to: test)
    for (a, b) in zip(whole.scores, part.scores) {
      #expect(a.system == b.system && abs(a.score - b.score) < 2)
    }
  }

  /// A balanced table, by hand.
  @Test func aTableWithoutNoiseIsExact() throws {
    let mean = try #require(CrossedMean([[10, 12], [16, 18], [22, 24]]))
    #expect(mean.mean == 17)
    // Rows differ by 6, columns by 2, nothing else: their variances are 36 and 2.
    #expect(abs(mean.listenerVariance - 36) < 1e-9 && abs(mean.clipVariance - 2) < 1e-9)
    #expect(mean.restVariance < 1e-9)
    // 36 / 3 + 2 / 2 = 13.
    let half = (mean.interval.upperBound - mean.interval.lowerBound) / 2
    #expect(half > 13.0.squareRoot() * 1.96)
    #expect(CrossedMean([[1, nil], [2, nil]]) == nil && CrossedMean([[1, 2]]) == nil)
  }

  @Test func listenersWhoDidNotListenAreLeftOut() throws {
    let room = Room()
    let test = room.test(.mushra)
    var answers = room.answers(6, to: test, seed: 9)
    func change(_ listener: Int, _ body: (inout ListeningAnswers.Answer) -> Void) {
      for trial in answers[listener].1.answers.indices { body(&answers[listener].1.answers[trial]) }
    }
    change(1) { answer in
      for id in answer.scores!.keys where id.hasPrefix("r") { answer.scores![id] = 70 }
    }
    change(2) { answer in
      for id in answer.scores!.keys where id.hasPrefix("a") { answer.scores![id] = 95 }
    }
    change(3) { $0.seconds = 1 }
    let pooled = try PooledAnswers(answers, to: test)
    #expect(pooled.listeners == ["l0", "l4", "l5"])
    #expect(
      pooled.excluded.map(\.reason) == [
        "the hidden reference has less than 90 points in 4 of 4 trials",
        "the anchor has more than 90 points in 4 of 4 trials", "4 of 4 trials took less than 2 s",
      ])
    #expect(
      pooled.scores.first?.label == "hidden reference" && pooled.scores.last?.label == "anchor")
    #expect(pooled.scores.first?.place == nil && pooled.scores[1].place == 1)
    expectRefusal("1 listener can be pooled, 3 screened out") {
      try PooledAnswers(Array(answers[0..<4]), to: test)
    }
    expectRefusal("'l0' answered twice (l0, l0)") {
      try PooledAnswers([answers[0], answers[0]], to: test)
    }
  }

  /// Listeners who turn half of their preferences, or whose scores come back turned, are left out.
  @Test(arguments: [ListeningTest.Method.pairs, .rating])
  func listenersWhoContradictThemselvesAreLeftOut(method: ListeningTest.Method) throws {
    let room = Room()
    var test = room.test(method)
    for (index, trial) in test.trials.prefix(4).enumerated() {
      test.trials.append(
        .init(id: "again\(index)", clip: trial.clip, stimuli: trial.stimuli, repeats: trial.id))
    }
    var answers =
      method == .pairs
      ? room.preferences(3, to: test, step: 99, seed: 1) : room.answers(3, to: test, seed: 1)
    #expect(try PooledAnswers(answers, to: test).excluded.isEmpty)
    for place in answers[1].1.answers.indices
    where answers[1].1.answers[place].trial.hasPrefix("again") {
      let trial = test.trials.first { $0.id == answers[1].1.answers[place].trial }!
      if let preferred = answers[1].1.answers[place].preferred {
        answers[1].1.answers[place].preferred = trial.stimuli.first { $0 != preferred }
      }
      answers[1].1.answers[place].scores = answers[1].1.answers[place].scores?.mapValues {
        100 - $0
      }
    }
    #expect(
      try PooledAnswers(answers, to: test).excluded.map(\.reason) == [
        method == .pairs
          ? "4 of 4 repeated preferences are turned"
          : "the scores of repeated trials have nothing in common"
      ])
  }

  /// The smallest difference found is 2.8 standard errors where many degrees of freedom are left.
  @Test func theSmallestDifferenceFollowsFromTheNoise() throws {
    var room = Room()
    (room.systems, room.clipSpread) = (2, 0.5)
    let test = room.test(.rating)
    let smallest = try PooledAnswers(room.answers(12, to: test, seed: 2), to: test)
      .smallestDifference
    // The true standard error: two systems, four clips, twelve listeners.
    let error = (2 * (room.clipSpread * room.clipSpread / 4 + room.noise * room.noise / 48))
      .squareRoot()
    #expect(smallest > 2 * error && smallest < 5 * error)
  }
}

extension SeededGenerator {
  /// A standard normal number (Box and Muller).
  mutating func normal() -> Double {
    (-2 * log(1 - uniform())).squareRoot() * cos(2 * .pi * uniform())
  }
}
