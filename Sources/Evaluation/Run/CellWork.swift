import Analyzer
import DSP
import Foundation

/// What a finished cell leaves behind.
struct FinishedCell: Sendable {
  var result: CellResult
  var traces: [VoiceTrace]
}

/// Renders and measures cells; keeps the recordings in hand.
struct CellWork: Sendable {
  let corpus: Corpus
  /// By id.
  let subjects: [String: any Subject]
  /// Where the sound of the cells to listen to goes.
  let sounds: KeptSounds
  let time: WorkTime
  private let recordings: RecordingShelf

  init(corpus: Corpus, subjects: [String: any Subject], sounds: KeptSounds) {
    self.corpus = corpus
    self.subjects = subjects
    self.sounds = sounds
    time = WorkTime()
    recordings = RecordingShelf(time: time)
  }

  /// Never throws: what goes wrong with one cell is that cell's result.
  func finish(_ cell: Cell, keepingSound: Bool) async -> FinishedCell {
    var result = CellResult(
      key: cell.key, recording: cell.recording.id, kind: cell.recording.kind,
      condition: cell.condition.canonical, score: cell.score, subject: cell.subjectID,
      settings: cell.settings, sampleRateHz: 0, outcome: .failed(""))
    do {
      let heard = try await recordings.take(cell, from: corpus)
      let recording = heard.recording
      result.sampleRateHz = recording.signal.sampleRateHz
      let score = ResolvedScore(cell.score, lead: heard.lead)
      let rendering = try render(cell, heard, score)
      try Self.check(rendering, against: heard.signal, voices: score.voices.count)
      let oracle = try await recordings.oracle(
        of: cell, score, rateHz: recording.signal.sampleRateHz)
      let observation = time.note(.judges) {
        Observation(
          recording, score: score, rendering: rendering, heard: heard.signal, jury: heard.jury,
          oracle: oracle, leadSound: heard.sound, subject: cell.subjectID, settings: cell.settings)
      }
      let measured = time.note(.judges) {
        cell.metrics.metrics.map { ($0.id, $0.measure(observation)) }
      }
      result.outcome = .measured(Measurements(Dictionary(uniqueKeysWithValues: measured)))
      guard keepingSound else { return FinishedCell(result: result, traces: []) }
      try sounds.keep(cell, input: heard.signal, rendering: rendering, oracle: oracle)
      return FinishedCell(result: result, traces: Self.traces(of: observation))
    } catch {
      result.outcome = .failed("\(error)")
      return FinishedCell(result: result, traces: [])
    }
  }

  /// Only the time that rendering takes, and of how long a sound; `nil` where it fails.
  func cost(of cell: Cell) async -> (cpuSeconds: Double, soundSeconds: Double)? {
    guard let heard = try? await recordings.take(cell, from: corpus),
      let rendering = try? render(cell, heard, ResolvedScore(cell.score, lead: heard.lead))
    else { return nil }
    return (rendering.cpuSeconds, heard.signal.durationSeconds)
  }

  private func render(
    _ cell: Cell, _ heard: HeardRecording, _ score: ResolvedScore
  ) throws -> Rendering {
    let request = RenderRequest(
      signal: heard.signal, score: score, settings: cell.subjectSettings,
      recording: cell.recording.id, condition: cell.condition.canonical)
    let subject = subjects[cell.subjectID]!  // cells are made of these
    let rendering = try time.note(.subject) { try subject.render(request) }
    // A program's time is not on this thread.
    if subject is ExternalSubject { time.add(rendering.cpuSeconds, to: .subject) }
    return rendering
  }

  /// What a subject may do wrong, by name.
  private static func check(
    _ rendering: Rendering, against input: Signal, voices voiceCount: Int
  ) throws {
    func fail(_ problem: String) -> EvaluationError {
      .settings(subject: "the subject", problem: problem)
    }
    let stems = rendering.stems
    guard stems.isEmpty || stems.count == voiceCount else {
      throw fail("gave \(stems.count) voices of \(voiceCount)")
    }
    for sound in [rendering.mix] + stems {
      guard sound.sampleRateHz == input.sampleRateHz else {
        throw fail("gave sound at \(sound.sampleRateHz) Hz of \(input.sampleRateHz) Hz")
      }
      guard sound.count == input.count else {
        throw fail("gave \(sound.count) samples of \(input.count)")
      }
      if let bad = sound.firstNonFinite {
        throw fail("gave \(sound.samples[bad]) at sample \(bad)")
      }
    }
  }

  private static func traces(of observation: Observation) -> [VoiceTrace] {
    observation.voices.enumerated().map { index, voice in
      VoiceTrace(
        voice: index, hopSeconds: voice.heard.hopSeconds,
        targetHz: voice.target.f0Hz.map { Float($0) },
        heardHz: voice.heard.f0Hz.map { Float($0) })
    }
  }
}
