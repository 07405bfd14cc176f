import Corpus
import DSP
import Effects
import Foundation
import Harmonizer
import Music
import Platform

/// A preset as a subject: its auto-tuner, choir and effects as a listener gets them.
///
/// The preset defines its voices, so it accepts only its own `score`. Each voice goes through the
/// effects alone, as with `ThroughEffects`. Lead notes outside the key move in parallel, as in scores.
///
/// Settings: `blockSize` (frames, 128).
public struct PresetSubject: LiveSubject {
  /// The prefix of presets' ids: `preset:vader`, `preset:mine.json`.
  public static let prefix = "preset:"

  public let id: String
  /// A version that includes the preset's content.
  public let version: String
  public let preset: Preset
  /// The score of its voices.
  public let score: Score

  /// Reads a preset.
  ///
  /// - Parameter id: the prefix and the name of a built-in preset, or the path of its JSON.
  /// - Throws: an error if there is no such preset, or if the lead alone does not determine its voices.
  public init(id: String) throws {
    let name = String(id.dropFirst(Self.prefix.count))
    if let known = PresetBank.preset(named: name) {
      try self.init(known, id: id)
    } else if FileManager.default.fileExists(atPath: name) {
      do { try self.init(Preset(reading: URL(fileURLWithPath: name)), id: id) } catch {
        throw error is Refusal ? error : Refusal(id, error)
      }
    } else {
      throw Refusal(
        id,
        "there is no preset and no file of that name; write the path of a file or choose "
          + PresetBank.all.map(\.name).joined(separator: ", "))
    }
  }

  init(_ preset: Preset, id: String) throws {
    (self.id, self.preset) = (id, preset)
    version = ReferenceSubject().version + " " + Digest.sha256(try preset.json).prefix(12)
    do { score = try Self.score(of: preset) } catch {
      throw Refusal(id, error)
    }
  }

  private static func score(of preset: Preset) throws(SettingError) -> Score {
    guard preset.speed == 1 else {
      throw SettingError(
        description: "changes the speed of recordings, but a subject's output lasts as long as its "
          + "input; set speed to 1")
    }
    guard let choir = preset.harmonizer else {
      guard let tuner = preset.autotuner else {
        return Score(id: "preset", intervalsSemitones: [0])
      }
      guard case .key(let key) = tuner.target else {
        guard case .tones(let tones) = tuner.target, Set(tones.map(\.semitones)).count == 12 else {
          throw SettingError(
            description: "tunes to notes outside a key, which no score can express; tune to a key")
        }
        return Score(id: "preset", .tuned(.chromatic))
      }
      return Score(id: "preset", .tuned(key))
    }
    guard preset.autotuner == nil else {
      throw SettingError(
        description: "tunes the lead before its choir, so the recording does not determine the "
          + "voices' targets; measure tuner and choir separately")
    }
    let intervals = choir.voices.compactMap { voice -> Double? in
      if case .interval(let semitones) = voice.part.role { semitones } else { nil }
    }
    let degrees = choir.voices.compactMap { voice -> Int? in
      if case .degree(let degree) = voice.part.role { degree } else { nil }
    }
    switch choir.voices.count {
    case intervals.count: return Score(id: "preset", intervalsSemitones: intervals)
    case degrees.count: return Score(id: "preset", .degrees(degrees, of: choir.music.key))
    default:
      throw SettingError(
        description: "has voices that follow played keys or chords; write a plan with the subject "
          + "'reference' and a score with those notes")
    }
  }

  public func settingNames(beside settings: SubjectSettings) -> [String]? { ["blockSize"] }

  public func validate(_ settings: SubjectSettings, for score: Score) throws {
    guard score.form == self.score.form else {
      throw Refusal(
        id,
        "sings \(self.score.voiceLabels.joined(separator: ", ")), but the score "
          + "'\(score.id)' has \(score.voiceLabels.joined(separator: ", ")); use choir-eval compare, "
          + "which gives a preset its own score")
    }
    if let stray = settings.keys.filter({ $0 != "blockSize" }).min() {
      throw Refusal(id, "has no setting '\(stray)'; it has blockSize")
    }
    _ = try blockSize(settings)
  }

  private func blockSize(_ settings: SubjectSettings) throws -> Int {
    try settings["blockSize"].map { try Self.blockSize($0, of: id) } ?? 128
  }

  public func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    try validate(settings, for: score.score)
    let blockSize = try blockSize(settings)
    let sung: Rendering
    if let choir = choir {
      sung = try ReferenceSubject.render(signal, choir, blockSize: blockSize, following: score)
    } else if let tuner = preset.autotuner {
      sung = try AutoTunerSubject.render(signal, tuner, blockSize: blockSize)
    } else {
      sung = Rendering(mix: signal, stems: [signal], reportedLatencyMs: 0, cpuSeconds: 0)
    }
    return preset.effects.stages.isEmpty ? sung : try sung.through(preset.effects)
  }

  private var choir: Harmonizer.Settings? {
    var choir = preset.harmonizer
    choir?.music.outOfKey = .parallel
    return choir
  }

  public func start(
    _ score: ResolvedScore, settings: SubjectSettings, sampleRateHz: Double
  ) throws -> any LiveSound {
    try validate(settings, for: score.score)
    var heard = preset
    heard.harmonizer = choir
    return LivePreset(try PresetPlayer(heard, sampleRateHz: sampleRateHz))
  }
}

/// A running preset, one channel.
private final class LivePreset: LiveSound {
  private let player: PresetPlayer

  init(_ player: PresetPlayer) { self.player = player }

  var latencySamples: Int { player.latencySamples }
  func reset() { player.reset() }

  func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    player.process(input, into: &output)
  }
}

extension Preset {
  /// Reads a JSON file; an error says what to change in it.
  package init(reading url: URL) throws {
    let data = try GivenFile.data(at: url)
    do { try self.init(json: data) } catch let error as DecodingError {
      throw SettingError(description: error.text(in: String(decoding: data, as: UTF8.self)))
    }
  }
}
