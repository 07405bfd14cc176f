import Corpus
import Files
import Foundation
import Subjects

/// The coordinates of a plan's cells as numbers, and the effects that its figures may have.
struct PlanSpace: Sendable {
  /// One observed or predicted number: a voice of a cell.
  struct Row: Sendable {
    var recording: Int
    var condition: Int
    /// The voice of a score.
    var voice: Int
    /// The subject with its settings.
    var choice: Int
  }

  /// A coordinate that two rows may share.
  enum Factor: Hashable, Sendable {
    case recording, condition, voice
    /// The same subject with the same settings.
    case choice
    /// Settings that are alike in all respects.
    case likeChoice
    /// Like values of one setting.
    case value(Int)
    /// A straight line over the values of one setting.
    case line(Int)
    /// A straight line over what a tone suggests (`SettingTone`).
    case suggestion
  }

  /// A random effect: rows are as alike as the product of its factors. Without factors it is the
  /// mean.
  typealias Effect = [Factor]

  private let recordings: [String: Int]
  private let conditions: [String: Int]
  private let choices: [CellPlace.Choice: Int]
  private let voices: [VoiceKey: Int]
  /// Settings, and the subject, that have more than one value.
  private let names: [String]
  private let numeric: [Bool]
  /// Likeness of choices by factor, choice by choice.
  private let likeness: [Factor: [Double]]

  private struct VoiceKey: Hashable {
    var score: String
    var voice: Int?
  }

  private static let subjectName = "subject"

  /// - Parameter suggestions: what a tone suggests of each choice; used if it is known of all and
  ///   differs.
  init(
    _ places: [CellPlace], voicesOfScores: [String: Set<Int?>],
    suggestions: [CellPlace.Choice: Double] = [:]
  ) {
    func numbered<Value: Hashable>(_ values: [Value]) -> [Value: Int] {
      Dictionary(uniqueKeysWithValues: values.uniqued().enumerated().map { ($1, $0) })
    }
    recordings = numbered(places.map(\.recording))
    conditions = numbered(places.map(\.condition))
    let all = places.map(\.choice).uniqued()
    choices = numbered(all)
    voices = numbered(
      voicesOfScores.sorted { $0.key < $1.key }.flatMap { score, own in
        own.sorted { ($0 ?? -1) < ($1 ?? -1) }.map { VoiceKey(score: score, voice: $0) }
      })
    let settings = all.map { choice in
      choice.settings.merging([Self.subjectName: .text(choice.subject)]) { own, _ in own }
    }
    let known = Set(settings.flatMap(\.keys)).sorted()
    let varied = known.filter { name in Set(settings.map { $0[name] }).count > 1 }
    names = varied
    let kernels = varied.map { name in ValueKernel(settings.map { $0[name] }) }
    numeric = kernels.map(\.isNumeric)
    var likeness: [Factor: [Double]] = [:]
    func table(_ alike: (Int, Int) -> Double) -> [Double] {
      all.indices.flatMap { a in all.indices.map { b in alike(a, b) } }
    }
    for (index, name) in varied.enumerated() {
      likeness[.value(index)] = table { a, b in
        kernels[index].likeness(settings[a][name], settings[b][name])
      }
      likeness[.line(index)] = table { a, b in
        kernels[index].line(settings[a][name], settings[b][name])
      }
    }
    let suggested = all.compactMap { suggestions[$0] }
    let mean = suggested.reduce(0, +) / Double(max(1, suggested.count))
    let spread =
      suggested.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      / Double(max(1, suggested.count))
    if suggested.count == all.count, spread > 0 {
      likeness[.suggestion] = table { a, b in
        (suggested[a] - mean) * (suggested[b] - mean) / spread
      }
    }
    likeness[.choice] = table { $0 == $1 ? 1 : 0 }
    likeness[.likeChoice] = table { a, b in
      varied.indices.reduce(1) { product, index in
        product * kernels[index].likeness(settings[a][varied[index]], settings[b][varied[index]])
      }
    }
    self.likeness = likeness
  }

  /// Returns the row of a voice; `nil` if the plan has no such cell.
  func row(_ place: CellPlace, voice: Int?) -> Row? {
    guard let recording = recordings[place.recording], let condition = conditions[place.condition],
      let choice = choices[place.choice],
      let voice = voices[VoiceKey(score: place.score, voice: voice)]
    else { return nil }
    return Row(recording: recording, condition: condition, voice: voice, choice: choice)
  }

  /// All effects that the plan can tell: the mean, each axis alone, and the interactions of two or
  /// three.
  var effects: [Effect] {
    var effects: [Effect] = [[]]
    var settings: [Factor] = names.indices.map { .value($0) }
    settings += names.indices.filter { numeric[$0] }.map { .line($0) }
    if names.count > 1 { settings.append(.likeChoice) }
    if choices.count > 1 { settings.append(.choice) }
    effects += settings.map { [$0] }
    if likeness[.suggestion] != nil { effects.append([.suggestion]) }
    if recordings.count > 1 {
      effects.append([.recording])
      effects += settings.filter { $0 != .choice }.map { [$0, .recording] }
    }
    if voices.count > 1 {
      effects.append([.voice])
      effects += settings.map { [$0, .voice] }
      if recordings.count > 1 { effects.append([.recording, .voice]) }
    }
    if recordings.count > 1, voices.count > 1, choices.count > 1 {
      effects.append([.likeChoice, .recording, .voice])
    }
    if conditions.count > 1 {
      effects.append([.condition])
      effects += settings.map { [$0, .condition] }
      effects.append([.recording, .condition])
    }
    // What the voices of one cell share beyond all this.
    if voices.count > 1 { effects.append([.choice, .recording, .condition]) }
    return effects
  }

  /// Returns the correlation of two rows by one effect.
  func correlation(_ effect: Effect, _ a: Row, _ b: Row) -> Double {
    var product = 1.0
    for factor in effect {
      switch factor {
      case .recording: if a.recording != b.recording { return 0 }
      case .condition: if a.condition != b.condition { return 0 }
      case .voice: if a.voice != b.voice { return 0 }
      case .choice: if a.choice != b.choice { return 0 }
      case .likeChoice, .value, .line, .suggestion:
        product *= likeness[factor]![a.choice * choices.count + b.choice]
      }
    }
    return product
  }
}
