import Analyzer
import Corpus
import DSP
import Foundation
import Probes
import Subjects
import Synchronization

/// A defect of a toy harmonizer that shows for few inputs.
struct ToyDefect: Sendable {
  /// The input as the toy knows it.
  struct Input {
    /// Median pitch of the lead; 0 if it has none.
    var leadHz: Double
    /// Highest and lowest pitch of the lead.
    var highestHz: Double
    var lowestHz: Double
    /// Root mean square of the whole input.
    var level: Double
    var peak: Double
    /// Time with a pitch, in seconds.
    var voicedSeconds: Double
    /// Number of stretches with a pitch.
    var stretches: Int
    /// The interval asked of the first voice; `nil` for notes.
    var semitones: Double?
    /// Number of notes asked of the first voice.
    var notes: Int
    var voices: Int
  }

  enum Damage: Sendable {
    case mute(seconds: Double)
    case semitones(Double)
    case cents(Double)
    case click
    case late(seconds: Double)
    case formants(semitones: Double)
    case cost(times: Double)
    case notANumber
  }

  var name: String
  var kind: FaultKind
  var damage: Damage
  var shows: @Sendable (Input) -> Bool

  /// Ten defects, one for each way in which harmonizers were seen to fail. The bench counts how
  /// many ordinary performances show each: about 1 % or less.
  static let all: [ToyDefect] = [
    ToyDefect(name: "high notes slip an octave", kind: .octaveSlip, damage: .semitones(-12)) {
      $0.leadHz > 800
    },
    ToyDefect(name: "the lowest notes drop out", kind: .dropout, damage: .mute(seconds: 0.15)) {
      0..<84 ~= $0.leadHz && $0.leadHz > 0
    },
    ToyDefect(
      name: "a fifth down on high notes is wrong", kind: .wrongNote, damage: .semitones(3)
    ) {
      $0.semitones == -7 && $0.leadHz > 480
    },
    ToyDefect(
      name: "a sixth down from wide singing is flat", kind: .mistuned, damage: .cents(-45)
    ) {
      $0.semitones == -9 && $0.highestHz > 1.5 * $0.lowestHz
    },
    ToyDefect(name: "loud input clicks", kind: .click, damage: .click) { $0.peak > 0.55 },
    ToyDefect(name: "soft low singing is late", kind: .lateOnset, damage: .late(seconds: 0.045)) {
      $0.leadHz < 125 && $0.leadHz > 0 && $0.level < 0.006
    },
    ToyDefect(
      name: "formants jump a fifth above low notes", kind: .formantJump,
      damage: .formants(semitones: 4)
    ) { $0.semitones == 7 && $0.leadHz < 110 && $0.leadHz > 0 },
    ToyDefect(name: "fast pads are dear", kind: .costSpike, damage: .cost(times: 12)) {
      $0.notes > 8
    },
    ToyDefect(name: "silence is no number", kind: .failure, damage: .notANumber) {
      $0.level < 0.0045
    },
    ToyDefect(name: "short notes drop out", kind: .dropout, damage: .mute(seconds: 0.12)) {
      $0.stretches >= 4 && $0.voicedSeconds < 1.02
    },
  ]
}

/// The offline harmonizer, which is given the lead's pitch and so errs little, with one defect.
struct DefectiveToy: Subject {
  let id = "toy"
  var version: String { defect?.name ?? "sound" }
  var defect: ToyDefect?
  /// Counts the inputs on which the defect acts.
  var shown: Tally?

  private static let source = ReferenceSubject()

  private static func settings(_ formants: Double = 0) -> SubjectSettings {
    [
      "engine": .text("offline"), "leadPitch": .text("given"),
      "formantShiftSemitones": .number(formants),
    ]
  }

  func validate(_ settings: SubjectSettings, for score: Score) throws {
    try Self.source.validate(Self.settings(), for: score)
  }

  func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    guard let defect, defect.shows(.init(signal, score)) else {
      return try Self.source.render(signal, score: score, settings: Self.settings())
    }
    shown?.add()
    var formants = 0.0
    var asked = score
    switch defect.damage {
    case .semitones(let semitones): asked = (try? score.raised(bySemitones: semitones)) ?? score
    case .cents(let cents): asked = (try? score.raised(bySemitones: cents / 100)) ?? score
    case .formants(let semitones): formants = semitones
    default: break
    }
    var rendering = try Self.source.render(signal, score: asked, settings: Self.settings(formants))
    rendering.damage(by: defect.damage)
    return rendering
  }
}

/// A counter that renderings on several threads share.
final class Tally: Sendable {
  private let total = Mutex(0)

  var count: Int { total.withLock { $0 } }

  func add() { total.withLock { $0 += 1 } }
}

extension ToyDefect.Input {
  init(_ signal: Signal, _ score: ResolvedScore) {
    let f0Hz = score.lead.f0Hz
    let voiced = f0Hz.filter { $0 > 0 }.sorted()
    (highestHz, lowestHz) = (voiced.last ?? 0, voiced.first ?? 0)
    leadHz = voiced.isEmpty ? 0 : voiced[voiced.count / 2]
    level = signal.rms
    peak = Double(signal.samples.reduce(Float(0)) { max($0, abs($1)) })
    voicedSeconds = Double(voiced.count) * score.lead.hopSeconds
    stretches = zip(f0Hz, f0Hz.dropFirst()).count { $0 == 0 && $1 > 0 }
    voices = score.voices.count
    let first = score.voices.first ?? []
    notes = first.count
    if case .interval(let interval)? = first.first?.target { semitones = interval }
  }
}

extension Rendering {
  mutating func damage(by damage: ToyDefect.Damage) {
    for voice in stems.indices { stems[voice].damage(by: damage) }
    if case .cost(let times) = damage { cpuSeconds = cpuSeconds.map { $0 * times } }
    if !stems.isEmpty { mix = .sum(of: stems) }
  }
}

extension Signal {
  /// The middle of the loudest 50 ms.
  private var loudest: Int {
    let block = Int(0.05 * sampleRateHz)
    let starts = stride(from: 0, to: max(1, count - block), by: block)
    let best = starts.max { power($0, block) < power($1, block) } ?? 0
    return best + block / 2
  }

  private func power(_ start: Int, _ block: Int) -> Float {
    samples[start..<min(count, start + block)].reduce(0) { $0 + $1 * $1 }
  }

  fileprivate mutating func damage(by damage: ToyDefect.Damage) {
    switch damage {
    case .mute(let seconds):
      let (start, length, ramp) = (loudest, Int(seconds * sampleRateHz), Int(0.01 * sampleRateHz))
      for i in 0..<max(0, min(length, count - start)) {
        let edge = max(0, ramp - i, i - (length - ramp))
        samples[start + i] *= Float(edge) / Float(ramp)
      }
    case .click: if count > 0 { samples[min(loudest, count - 1)] += 0.35 }
    case .late(let seconds):
      let length = Int(seconds * sampleRateHz)
      samples = [Float](repeating: 0, count: min(length, count)) + samples.dropLast(length)
    case .notANumber: if count > 0 { samples[count / 2] = .nan }
    case .semitones, .cents, .formants, .cost: break
    }
  }
}
