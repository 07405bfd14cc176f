import Corpus
import DSP
import Foundation
import Platform
import Sweep
import Tuning

/// The plan of a listening test: which sounds of a run are judged, how, and in which trials.
package struct ListeningTestDesign: Sendable {
  /// Largest number of systems that are judged side by side: with reference and anchor ten sounds.
  static let maxTogether = 8
  /// Number of trials that are heard twice, of ratings and pairs.
  static let repeated = 6

  package var method: ListeningTest.Method
  /// Words of the labels of the systems to compare; all if empty.
  package var settings: [String]
  package var seed: UInt64
  /// Largest number of pairs, drawn from all.
  package var maxTrials: Int

  package init(method: ListeningTest.Method, settings: [String], seed: UInt64, maxTrials: Int) {
    (self.method, self.settings, self.seed, self.maxTrials) = (method, settings, seed, maxTrials)
  }

  /// A sound of the test before it is made as loud as the others.
  struct Source {
    var file: URL
    /// True to take the treble away.
    var isAnchor = false
  }

  /// A test with the files of its sounds.
  package struct Plan {
    package let test: ListeningTest
    /// Sources by stimulus.
    let sources: [String: Source]
    /// The reference of each clip that is named as such: the ideal choir, or the singer alone.
    let references: [URL?]
    /// Recordings that were left out for want of an ideal choir.
    package let withoutIdeal: [String]
  }

  package func plan(of run: StoredRun, in store: ResultStore, corpus: Corpus) throws -> Plan {
    let heard = run.cells.filter { store.soundFile(of: $0.key) != nil }
    guard !heard.isEmpty else {
      throw Refusal(
        "the run '\(run.plan.name)' kept no sound; name recordings under 'listen:' in its plan and "
          + "run it again"
      )
    }
    let systems = try chosen(of: heard, run: run.plan.name)
    let places = Dictionary(uniqueKeysWithValues: systems.enumerated().map { ($1.choice, $0) })
    var clips: [(first: CellResult, cells: [Int: CellResult])] = []
    for cell in heard {
      guard let place = places[SettingChoice(cell)] else { continue }
      if let known = clips.firstIndex(where: { $0.first.isSameClip(as: cell) }) {
        clips[known].cells[place] = cell
      } else {
        clips.append((cell, [place: cell]))
      }
    }
    clips.removeAll { $0.cells.count < systems.count }
    var withoutIdeal: [String] = []
    if method == .mushra {
      withoutIdeal = clips.filter { store.oracleFile(of: $0.first) == nil }.map(\.first.recording)
        .uniqued()
      clips.removeAll { store.oracleFile(of: $0.first) == nil }
      guard !clips.isEmpty else {
        throw Refusal(
          "no recording that the run '\(run.plan.name)' kept has an ideal choir, which a MUSHRA "
            + "test needs as its reference; choose --method rating or pairs, or listen to "
            + "recordings of the synthetic singer"
        )
      }
    }
    guard !clips.isEmpty else { throw Refusal.tooFewSystems(0, run: run.plan.name) }

    var random = SeededGenerator(seed: seed)
    var sources: [(stimulus: ListeningTest.Stimulus, source: Source)] = []
    for (clip, own) in clips.enumerated() {
      for system in systems.indices {
        let cell = own.cells[system]!
        sources.append(
          (
            .init(id: "", clip: clip, role: .system, system: system, cell: cell.key),
            Source(file: store.soundFile(of: cell.key)!)
          ))
      }
      if method == .mushra, let ideal = store.oracleFile(of: own.first) {
        sources.append((.init(id: "", clip: clip, role: .reference), Source(file: ideal)))
        sources.append(
          (.init(id: "", clip: clip, role: .anchor), Source(file: ideal, isAnchor: true)))
      }
    }
    // Numbers in an order drawn anew tell nothing about the sounds.
    sources.shuffle(using: &random)
    for index in sources.indices { sources[index].stimulus.id = Self.name("s", index + 1) }
    let stimuli = sources.map(\.stimulus)
    let trials = trials(of: stimuli, clips: clips.count, &random)
    var test = ListeningTest(
      title: run.plan.title, method: method, seed: seed, run: run.plan.name,
      systems: systems.map(\.system), clips: try clips.map { try clip($0.first, corpus) },
      stimuli: stimuli, trials: trials)
    test.id = Digest.sha256(try JSONEncoder.readable.encode(test))
    return Plan(
      test: test,
      sources: Dictionary(uniqueKeysWithValues: sources.map { ($0.stimulus.id, $0.source) }),
      references: clips.map {
        method == .mushra ? store.oracleFile(of: $0.first) : store.inputFile(of: $0.first)
      }, withoutIdeal: withoutIdeal)
  }

  private static func name(_ letter: String, _ number: Int) -> String {
    letter + (number < 10 ? "0" : "") + "\(number)"
  }

  private func clip(_ cell: CellResult, _ corpus: Corpus) throws -> ListeningTest.Clip {
    let entry = try corpus.entry(id: cell.recording)
    guard entry.mayBeEmbedded else {
      throw Refusal(
        "the licence of \(cell.recording) forbids passing it on; remove it from 'listen:' in the plan"
      )
    }
    return .init(
      recording: cell.recording, condition: cell.condition, score: cell.score.id,
      credit: "\(entry.licence); \(entry.attribution)")
  }

  // MARK: - Systems

  private func chosen(
    of cells: [CellResult], run: String
  ) throws -> [(choice: SettingChoice, system: ListeningTest.System)] {
    let choices = cells.map { SettingChoice($0) }.uniqued()
    let all = zip(choices, SettingChoice.labels(of: choices)).map { choice, label in
      (
        choice,
        ListeningTest.System(subject: choice.subject, settings: choice.settings, label: label)
      )
    }
    var wanted = Set<Int>()
    for words in settings {
      let asked = Set(words.lowercased().split { " ,=".contains($0) })
      let found = all.indices.filter {
        asked.isSubset(of: Set(all[$0].1.label.lowercased().split { " ,=".contains($0) }))
      }
      guard !found.isEmpty else {
        throw Refusal(
          "no setting of the run is '\(words)'; choose among: "
            + "\(all.map(\.1.label).joined(separator: "; "))"
        )
      }
      wanted.formUnion(found)
    }
    let chosen = settings.isEmpty ? all : wanted.sorted().map { all[$0] }
    guard chosen.count > 1 else { throw Refusal.tooFewSystems(chosen.count, run: run) }
    guard method == .pairs || chosen.count <= Self.maxTogether else {
      throw Refusal(
        "\(chosen.count) settings are too many to judge at once; name at most \(Self.maxTogether) "
          + "with --setting, or choose --method pairs")
    }
    return chosen
  }

  // MARK: - Trials

  private func trials(
    of stimuli: [ListeningTest.Stimulus], clips: Int, _ random: inout SeededGenerator
  ) -> [ListeningTest.Trial] {
    var sets: [(clip: Int, stimuli: [String])] = []
    for clip in 0..<clips {
      let own = stimuli.filter { $0.clip == clip }
      if method != .pairs {
        sets.append((clip, own.map(\.id)))
        continue
      }
      for (index, first) in own.enumerated() {
        for second in own[(index + 1)...] { sets.append((clip, [first.id, second.id])) }
      }
    }
    sets.shuffle(using: &random)
    if method == .pairs { sets = Array(sets.prefix(maxTrials)) }
    var trials = sets.enumerated().map { index, set in
      ListeningTest.Trial(id: Self.name("t", index + 1), clip: set.clip, stimuli: set.stimuli)
    }
    if method != .mushra {
      let again = trials.prefix(Self.repeated).enumerated().map { index, trial in
        ListeningTest.Trial(
          id: Self.name("t", sets.count + index + 1), clip: trial.clip, stimuli: trial.stimuli,
          repeats: trial.id)
      }
      trials += again
    }
    return trials
  }
}

extension ListeningTest {
  /// About how long a listener takes: 20 s a sound, 15 s a pair.
  package var minutes: Double {
    let sounds = trials.reduce(0) { $0 + $1.stimuli.count }
    return method == .pairs ? Double(trials.count) / 4 : Double(sounds) / 3
  }
}

extension CellResult {
  fileprivate func isSameClip(as other: CellResult) -> Bool {
    recording == other.recording && condition == other.condition && score.id == other.score.id
  }
}

extension SettingChoice {
  /// Describes each of several choices by what differs between them.
  static func labels(of choices: [SettingChoice]) -> [String] {
    let severalSubjects = Set(choices.map(\.subject)).count > 1
    let names = Set(choices.flatMap(\.settings.keys)).sorted { (a: String, b: String) -> Bool in
      // What makes the sound comes before how it is set.
      a == "engine" ? b != "engine" : b != "engine" && a < b
    }.filter { name in Set(choices.map { $0.settings[name] }).count > 1 }
    return choices.map { choice in
      let parts =
        (severalSubjects ? [choice.subject] : [])
        + names.compactMap { name in choice.settings[name].map { "\(name)=\($0)" } }
      return parts.isEmpty ? choice.subject : parts.joined(separator: " ")
    }
  }
}

extension Refusal {
  fileprivate static func tooFewSystems(_ count: Int, run: String) -> Refusal {
    Refusal(
      "the run '\(run)' has the sound of \(count == 1 ? "one setting" : "no setting") on any clip; "
        + "a test compares two or more; run a plan with several")
  }
}
