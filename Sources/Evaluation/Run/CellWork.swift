import Analyzer
import AudioFile
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
  let subject: any Subject
  /// Where the sound of the cells to listen to goes.
  let audioFolder: URL
  private let recordings = RecordingShelf()

  init(corpus: Corpus, subject: any Subject, audioFolder: URL) {
    self.corpus = corpus
    self.subject = subject
    self.audioFolder = audioFolder
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
      let rendering = try subject.render(
        heard.signal, score: cell.score, settings: cell.settings)
      try Self.check(rendering, against: heard.signal, voices: cell.score)
      let observation = Observation(
        recording, lead: heard.lead, score: cell.score, rendering: rendering,
        heard: heard.signal, jury: heard.jury)
      let measured = Metric.all.map { ($0.id, $0.measure(observation)) }
      result.outcome = .measured(Dictionary(uniqueKeysWithValues: measured))
      guard keepingSound else { return FinishedCell(result: result, traces: []) }
      try keep(heard.signal, rendering, cell)
      return FinishedCell(result: result, traces: Self.traces(of: observation))
    } catch {
      result.outcome = .failed("\(error)")
      return FinishedCell(result: result, traces: [])
    }
  }

  /// What a subject may do wrong, by name.
  private static func check(
    _ rendering: Rendering, against input: Signal, voices score: Score
  ) throws {
    func fail(_ problem: String) -> EvaluationError {
      .settings(subject: "the subject", problem: problem)
    }
    let stems = rendering.stems
    guard stems.isEmpty || stems.count == score.intervalsSemitones.count else {
      throw fail("gave \(stems.count) voices of \(score.intervalsSemitones.count)")
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

  /// Where the sound of a cell is kept.
  static func soundFile(_ key: String, in folder: URL) -> URL {
    folder.appendingPathComponent("\(key.prefix(16)).flac")
  }

  /// Where the sound that went in is kept.
  static func inputFile(_ recording: String, condition: String, in folder: URL) -> URL {
    let through = condition == "clean" ? "" : "-\(Digest.sha256(condition).prefix(8))"
    return folder.appendingPathComponent("input-\(recording)\(through).flac")
  }

  private func keep(_ input: Signal, _ rendering: Rendering, _ cell: Cell) throws {
    try FileManager.default.createDirectory(at: audioFolder, withIntermediateDirectories: true)
    let inputFile = Self.inputFile(
      cell.recording.id, condition: cell.condition.canonical, in: audioFolder)
    if !FileManager.default.fileExists(atPath: inputFile.path) {
      try input.scaled(under: 1).write(to: inputFile.path)
    }
    let voices = Double(max(1, rendering.stems.count))
    let output = Signal(
      rendering.mix.samples.map { $0 / Float(voices.squareRoot()) },
      sampleRateHz: rendering.mix.sampleRateHz)
    try output.scaled(under: 1).write(to: Self.soundFile(cell.key, in: audioFolder).path)
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

extension Signal {
  /// Made quieter, if it must be, so that no sample reaches `peak`.
  fileprivate func scaled(under peak: Float) -> Signal {
    let highest = samples.reduce(Float(0)) { max($0, abs($1)) }
    guard highest >= peak else { return self }
    let gain = 0.999 * peak / highest
    return Signal(samples.map { $0 * gain }, sampleRateHz: sampleRateHz)
  }
}
