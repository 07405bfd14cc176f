import Analyzer
import AudioFile
import Corpus
import DSP
import Foundation
import Platform
import Probes
import Sweep

/// An instant of a cell that was rendered again: its picture, and the sounds around it.
struct InstantFigure {
  let replay: CellReplay
  let atSeconds: Double
  /// The voice; `nil` for the whole output.
  let voice: Int?

  /// Time drawn and played on either side of the instant.
  private static let reachSeconds = 0.8
  /// Time on either side that a press of the instant's time plays.
  private static let loopSeconds = 0.3

  /// The sound before a change, of the whole output.
  struct Before {
    var file: URL
    /// The program that made it, in words.
    var detail: String
  }

  private var sound: Signal { replay.sound(ofVoice: voice) }

  private var window: ClosedRange<Double> {
    let end = sound.durationSeconds
    let low = max(0, min(atSeconds - Self.reachSeconds, end - 2 * Self.reachSeconds))
    return low...max(low + 0.1, min(end, low + 2 * Self.reachSeconds))
  }

  /// - Parameters:
  ///   - shows: the caption, which speaks of the dotted line.
  ///   - isOfPitch: false to draw the ideal voice, where there is one, in place of the pitch.
  func drawing(
    _ id: String, title: String, shows: String, isOfPitch: Bool = true, command: String, clip: Clip?
  ) -> Drawing {
    let window = window
    let trace = voice.flatMap { voice in replay.traces.first { $0.voice == voice } }
    func picture(_ sound: Signal) -> Spectrogram {
      Spectrogram(of: sound.cut(window), rows: 60, maxColumns: 120)
    }
    let ideal = isOfPitch || !replay.hasIdeal ? nil : voice.map { replay.target(ofVoice: $0) }
    return Drawing(
      id: id, title: title, shows: shows, omits: "", command: command,
      plot: InstantPlot(
        marksS: [atSeconds], windowS: window, frames: trace?.frames ?? [],
        picture: picture(sound), ideal: ideal.map(picture)),
      clip: clip)
  }

  /// Cuts the sounds out; `nil` if the recording's licence forbids it.
  ///
  /// - Parameters:
  ///   - scratch: receives the files.
  ///   - note: sentences after the licence, each with a space before it.
  func clip(
    _ id: String, title: String, of corpus: Corpus, into scratch: ScratchFolder,
    before: Before? = nil, note: String = ""
  ) throws -> Clip? {
    let entry = try corpus.entry(id: replay.cell.recording)
    guard entry.mayBeEmbedded else { return nil }
    let window = window
    func sound(_ name: String, _ detail: String, _ signal: Signal) throws -> Sound {
      let file = scratch.url.appendingPathComponent("\(id)-\(ReportFiles.slug(name)).flac")
      try signal.cut(window).withoutClipping.write(to: file.path)
      return Sound(name, detail: detail, path: file.path)
    }
    let observation = replay.observation
    var sounds = [try sound("input", "", observation.heard)]
    if let voice {
      let ideal = replay.hasIdeal
      sounds.append(
        try sound(
          ideal ? "oracle" : "target", ideal ? "the ideal voice" : "a hum at the target pitch",
          replay.target(ofVoice: voice)))
      sounds.append(try sound(Self.voice, observation.score.score.voiceLabels[voice], self.sound))
    }
    sounds.append(try sound("choir", "all voices", observation.rendering.mix))
    if let before {
      let old = try AudioFile(reading: before.file.path).mono
      sounds.append(try sound(RunClips.baselineName, "all voices, \(before.detail)", old))
    }
    return Clip(
      id: id, title: title, note: "\(entry.id): \(entry.licence); \(entry.attribution)." + note,
      sounds: sounds)
  }

  private static let voice = "voice"

  /// The link that plays the instant, in the voice's stem.
  func audioLink(in clip: Clip) -> AudioLink {
    let window = window
    let at = atSeconds - window.lowerBound
    let part =
      max(
        0, at - Self.loopSeconds)...min(
        window.upperBound - window.lowerBound, at + Self.loopSeconds)
    let sound = clip.sounds.firstIndex { $0.name == Self.voice } ?? clip.sounds.count - 1
    return AudioLink(clip: clip.id, sound: sound, partS: part)
  }
}
