import AudioFile
import DSP
import Effects
import Harmonizer
import Music
import Platform
import Subjects

/// The sound of a take: made from its parts block by block, as `choir harmonize` makes it.
public struct RenderedTake: Sendable {
  /// Mono, or stereo if voices are panned or effects follow.
  public let mix: AudioFile
  /// One sound for each voice; empty for a take without voices.
  public let stems: [Signal]
  /// The target of each voice; `nil` for a take without voices.
  public let log: TruthLog?
  /// The notes that the voices sang; `nil` for a take without voices.
  public let midi: MIDIFile?
  /// The figures of the rendering in one line.
  public let summary: String
}

extension Project {
  static let blockSize = 128
  /// Lowest note of a held chord.
  static let lowestNote = NoteNumber(48)

  /// Renders a take. The same project gives the same samples every time.
  public func render(_ take: ProjectFile.Take) throws(ProjectError) -> RenderedTake {
    let parts = try parts(of: take)
    do { return try Self.render(take, parts) } catch {
      throw .take(take.name, problem: Cause(error))
    }
  }

  /// The parts of a take, read from their files.
  private struct Parts {
    var sample: Sample
    var preset: Preset?
    var score: Score?
  }

  private func parts(of take: ProjectFile.Take) throws(ProjectError) -> Parts {
    var parts = Parts(sample: try sample(of: recording(take.recording.description)))
    if let name = take.preset { parts.preset = try preset(of: preset(name.description)) }
    if let effects = take.effects {
      if parts.preset == nil { parts.preset = Preset("chain", "effects alone") }
      parts.preset?.effects.stages += effects.stages
    }
    if let name = take.sequence {
      parts.score = try score(of: sequence(name.description))
    } else if let chord = take.chord {
      parts.score = Score(
        id: "chord", .chords([ChordChange(atSeconds: 0, chord)], lowest: Self.lowestNote))
    }
    return parts
  }

  private static func render(_ take: ProjectFile.Take, _ parts: Parts) throws -> RenderedTake {
    let rateHz = parts.sample.sampleRateHz
    let played = parts.sample.rendered(sampleRateHz: rateHz, seconds: take.seconds)
    let recording = parts.preset.map { $0.speed == 1 ? played : $0.varispeed(played) } ?? played
    var around = AroundEffects()
    if let preset = parts.preset {
      around = try AroundEffects(of: preset, tuning: true, sampleRateHz: rateHz)
    }
    let source = around.tuned(recording, cuttingTail: false)
    let preset = parts.preset?.harmonizer
    let scored = try parts.score?.choir(playing: LivePlaying())
    guard var choir = preset.flatMap({ scored?.sounding(like: $0) }) ?? scored ?? preset else {
      return RenderedTake(
        mix: around.finished(AudioFile(source), cuttingTail: false), stems: [], log: nil, midi: nil,
        summary: "\(fixed(source.durationSeconds, 2)) s" + around.summary(rateHz))
    }
    if let dryGain = take.dryGain { choir.dryGain = dryGain }
    if let seed = take.seed { choir.seed = seed }
    // Voices of a preset follow the lead and ignore this score.
    let score = parts.score ?? Score(id: "preset", intervalsSemitones: [0])
    let singers = try ScoredChoir(choir, singing: score, sampleRateHz: rateHz, logging: true)
    let made = HarmonizedSound(
      source, singers, isStereo: choir.isStereo, blockSize: blockSize, keepingStems: true,
      cuttingTail: false)
    return RenderedTake(
      mix: around.finished(made.mix, cuttingTail: false),
      stems: made.stems.map { Signal($0, sampleRateHz: rateHz) }, log: made.log,
      midi: made.log.map { SungNotes(of: $0, lead: source).midi },
      summary: made.summary + around.summary(rateHz))
  }
}
