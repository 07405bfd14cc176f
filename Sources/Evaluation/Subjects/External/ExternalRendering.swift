import AudioFile
import Corpus
import DSP
import Foundation
import Platform

/// The rendering of an external subject from its program's answers.
extension ExternalSubject {
  public func render(_ request: RenderRequest) throws -> Rendering {
    try validate(request.settings, for: request.score.score)
    let scratch = try ScratchFolder()
    defer { scratch.discard() }
    let call = ExternalCall(subject: self, request: request, scratch: scratch.url)
    var made = call.words.areOfOneVoice ? try voiceByVoice(call) : try allVoices(call)
    made.reportedLatencyMs = file.latencyMs ?? made.reportedLatencyMs
    return made
  }

  /// Calls the program once for each voice.
  private func voiceByVoice(_ call: ExternalCall) throws -> Rendering {
    var (parts, notes, spent) = ([Part](), [String](), ExternalCall.Spent())
    var latencyMs: Double?
    for voice in call.request.score.voices.indices {
      let answer = try call.answer(ofVoice: voice)
      let part = try mix(answer)
      parts.append(part)
      notes.append(contentsOf: [answer.note, part.note].compactMap(\.self))
      spent += answer.spent
      latencyMs = [latencyMs, call.latencyMs(of: answer)].compactMap(\.self).max()
    }
    guard let first = parts.first else { throw problem("the score has no voices; choose another") }
    let holdsDryVoice = file.dry == true
    var rendering = Rendering(
      mix: .sum(of: parts.map(\.mono)), stems: holdsDryVoice ? [] : parts.map(\.mono),
      reportedLatencyMs: latencyMs, cpuSeconds: spent.cpuSeconds, peakMemoryMB: spent.peakMemoryMB,
      holdsDryVoice: holdsDryVoice,
      note: Self.joined(notes.uniqued()))
    if first.stereo != nil {
      let sides = parts.compactMap(\.stereo)
      rendering.stereo = StereoSound(
        left: .sum(of: sides.map(\.left)), right: .sum(of: sides.map(\.right)))
    }
    rendering.remarks = spent.remarks
    return rendering
  }

  /// Calls the program once for the whole choir.
  private func allVoices(_ call: ExternalCall) throws -> Rendering {
    let answer = try call.answer(ofVoice: nil)
    let (part, stems) = try parts(of: answer, call.request)
    var rendering = Rendering(
      mix: part.mono, stems: stems, reportedLatencyMs: call.latencyMs(of: answer),
      cpuSeconds: answer.spent.cpuSeconds, peakMemoryMB: answer.spent.peakMemoryMB,
      holdsDryVoice: file.dry == true && file.channels?.holdsVoices != true,
      note: Self.joined([answer.note, part.note]))
    (rendering.stereo, rendering.remarks) = (part.stereo, answer.spent.remarks)
    return rendering
  }

  /// Returns the mix and the voices of an answer for the whole choir.
  private func parts(
    of answer: ExternalCall.Answer, _ request: RenderRequest
  ) throws -> (mix: Part, stems: [Signal]) {
    if let choice = file.channels, choice.holdsVoices {
      let (stems, note) = try voices(of: answer.sound, choice, request.score.voices.count)
      return (Part(mono: .sum(of: stems), note: note), stems)
    }
    let stems = try answer.stems.map { try chosen(of: $0, .file).mono }
    if !stems.isEmpty, answer.sound.channels.isEmpty {
      let note = "the mix is the sum of its \(stems.count) stems"
      return (Part(mono: .sum(of: stems), note: note), stems)
    }
    let part = try mix(answer)
    let isVoice = stems.isEmpty && request.score.voices.count == 1 && file.dry != true
    return (part, isVoice ? [part.mono] : stems)
  }

  private static func joined(_ notes: [String?]) -> String? {
    let words = notes.compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }

  // MARK: Channels of a mix

  /// A sound as it is judged.
  private struct Part {
    var mono: Signal
    var stereo: StereoSound?
    var note: String?
  }

  private enum Source: String {
    case output = "its output"
    case file = "a stem"
  }

  private func mix(_ answer: ExternalCall.Answer) throws -> Part {
    try chosen(of: answer.sound, .output)
  }

  /// Chooses the channels to judge of a sound that is one voice or a mix.
  private func chosen(of sound: AudioFile, _ source: Source) throws -> Part {
    let (count, name) = (sound.channels.count, source.rawValue)
    switch file.channels {
    case .stereo where source == .output:
      guard count == 2 else {
        throw problem(
          "channels: its output has \(count), but 'channels' is stereo; "
            + (count == 1 ? "remove 'channels'" : "choose one of them, or what each holds"))
      }
      let stereo = StereoSound(left: sound.channel(0), right: sound.channel(1))
      return Part(
        mono: stereo.mono, stereo: stereo,
        note: "its output is stereo; all metrics but stereo's hear the mean of both channels")
    case .channel(let number):
      guard number <= count else {
        throw problem(
          "channels: \(name) has \(count), but 'channels' is \(number); choose 1 to \(count)")
      }
      guard count > 1 else { return Part(mono: sound.mono) }
      return Part(
        mono: sound.channel(number - 1),
        note: "\(name) has \(count) channels; channel \(number) is measured")
    case .average, .stereo:
      guard count > 1 else { return Part(mono: sound.mono) }
      return Part(
        mono: sound.mono, note: "\(name) has \(count) channels; their average is measured")
    case .voices, .list, nil:
      guard count > 1 else { return Part(mono: sound.mono) }
      guard sound.channels.dropFirst().allSatisfy({ $0 == sound.channels[0] }) else {
        throw problem(
          "channels: \(name) has \(count) that differ; choose in its file the one to measure "
            + "(channels: 1), their average (channels: average), stereo (channels: stereo), or say "
            + "which voice each holds (channels: [lead, 1, 2])")
      }
      return Part(
        mono: sound.channel(0), note: "\(name) has \(count) equal channels; the first is measured")
    }
  }

  // MARK: Channels that are voices

  /// Returns the stems of the score's voices, and a note about the channels.
  ///
  /// - Parameter wanted: the number of the score's voices.
  private func voices(
    of sound: AudioFile, _ choice: ChannelChoice, _ wanted: Int
  ) throws -> (stems: [Signal], note: String?) {
    let count = sound.channels.count
    switch choice {
    case .list(let contents):
      guard count == contents.count else {
        throw problem(
          "channels: its output has \(count), but 'channels' names \(contents.count), \(choice); "
            + "name each channel, with - for one to ignore")
      }
      let stems = (1...wanted).compactMap { voice in
        contents.firstIndex(of: .voice(voice)).map { sound.channel($0) }
      }
      let rest = contents.enumerated().compactMap { index, content -> String? in
        switch content {
        case .voice(let number) where number <= wanted: nil
        case .voice(let number):
          "channel \(index + 1) (voice \(number)) is not judged, because the score has \(wanted)"
        case .lead: "channel \(index + 1) is the dry voice and is not judged"
        case .ignored: "channel \(index + 1) is ignored"
        }
      }
      return (stems, Self.joined(rest))
    case .voices, .average, .channel, .stereo:
      let voices = counted(wanted, "voice")
      guard count >= wanted else {
        throw problem(
          "channels: its output has \(count), but the score has \(voices); let it write \(wanted), or "
            + "correct 'channels'")
      }
      let rest =
        count > wanted
        ? "its output has \(count) channels; those after \(wanted) are not judged, because the score "
          + "has \(voices)" : nil
      return ((0..<wanted).map(sound.channel), rest)
    }
  }
}
