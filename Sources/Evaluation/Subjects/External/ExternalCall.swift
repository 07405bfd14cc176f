import AudioFile
import Corpus
import DSP
import Foundation
import Platform

/// The calls of a program for one rendering.
struct ExternalCall {
  let subject: ExternalSubject
  let request: RenderRequest
  /// The folder of this rendering's files, `{folder}`.
  let scratch: URL

  var file: SubjectFile { subject.file }

  /// The words in which the program is told the score.
  var words: ScoreText { ScoreText(score: request.score.score, template: file.askingTemplate) }

  /// The time and memory of calls, and what they wrote to standard error.
  struct Spent {
    /// Processor time of all calls; `nil` if no program ran.
    var cpuSeconds: Double?
    /// Largest peak memory of a call; `nil` if no program ran.
    var peakMemoryMB: Double?
    var remarks: [String] = []

    static func += (sum: inout Spent, one: Spent) {
      sum.remarks = (sum.remarks + one.remarks).uniqued()
      sum.cpuSeconds = one.cpuSeconds.map { $0 + (sum.cpuSeconds ?? 0) }
      sum.peakMemoryMB = [sum.peakMemoryMB, one.peakMemoryMB].compactMap(\.self).max()
    }
  }

  /// The answer of a program to one call. All sounds have the input's length and rate.
  struct Answer {
    /// The output; without channels if there are only stems.
    var sound: AudioFile
    /// The files of the voices, in the order of the score; empty unless the subject names them.
    var stems: [AudioFile] = []
    var spent = Spent()
    /// Latency that a plugin stated at the end; `nil` if it states none.
    var latencySamples: Int?
    var note: String?
  }

  /// Calls the program, or reads its renderings.
  ///
  /// - Parameter voice: the voice to ask for, from 0; `nil` asks for all.
  func answer(ofVoice voice: Int?) throws -> Answer {
    if file.isPlugin { return try hosted(voice: voice) }
    var values = try values(ofVoice: voice)
    switch file.kind {
    case .lv2, .ladspa, .clap, .library: preconditionFailure("the host runs plugins")
    case .folder: return try renderings(values)
    case .stream: return try streamed(values)
    case .command:
      let (input, output) = (path("input.wav"), path("output.wav"))
      (values["input"], values["output"]) = (input, output)
      let clipped = try AudioFile(request.signal)
        .write(to: input, encoding: (file.inputFormat ?? .float).encoding)
      for name in (try? FileManager.default.contentsOfDirectory(atPath: scratch.path)) ?? []
      where name != "input.wav" && name != "score.mid" {
        try? FileManager.default.removeItem(at: scratch.appendingPathComponent(name))
      }
      let spent = try run(values, input: nil).spent
      var answer = Answer(sound: AudioFile(channels: [], sampleRateHz: request.signal.sampleRateHz))
      if subject.template.has(.output) {
        guard FileManager.default.fileExists(atPath: output) else {
          throw subject.problem(
            "no output: the program ended with exit code 0 but wrote no file at {output}")
        }
        answer.sound = try read(URL(fileURLWithPath: output))
      }
      answer.stems = try stems(values)
      answer.spent = spent
      answer.note =
        clipped > 0 ? "\(clipped) input samples were clipped in its integer format" : nil
      return try audible(answer)
    }
  }

  private func path(_ name: String) -> String { scratch.appendingPathComponent(name).path }

  // MARK: Kinds

  private func renderings(_ values: [String: String]) throws -> Answer {
    var answer = Answer(sound: AudioFile(channels: [], sampleRateHz: request.signal.sampleRateHz))
    if let name = subject.template.filled(values).first {
      answer.sound = try read(subject.folder.resolving(name))
    }
    answer.stems = try stems(values)
    return try audible(answer)
  }

  /// Reads the files of the voices.
  private func stems(_ values: [String: String]) throws -> [AudioFile] {
    guard let pattern = file.stems else { return [] }
    return try request.score.voices.indices.map { voice in
      let own = values.merging(words.values(ofVoice: voice)) { $1 }
      let name = CommandTemplate([pattern]).filled(own)[0]
      let url = subject.folder.resolving(name)
      guard FileManager.default.fileExists(atPath: url.path) else {
        let shown = file.kind == .folder ? name : pattern
        throw subject.problem(
          "no stem: there is no file '\(shown)' for voice \(voice + 1) of the score "
            + "'\(request.score.score.id)'; correct 'stems', or let the program write it")
      }
      return try read(url)
    }
  }

  func child(_ values: [String: String]) -> ChildProcess {
    let soundMB = Double(4 * request.signal.count) / 1_048_576
    let environment = subject.environment.mapValues { CommandTemplate([$0]).filled(values)[0] }
    return ChildProcess(
      arguments: subject.template.filled(values), timeoutSeconds: file.timeoutSeconds ?? 60,
      memoryMB: file.memoryMB ?? 4096, fileMB: max(256, 32 * soundMB), folder: subject.folder,
      environment: environment)
  }

  /// Runs the program.
  ///
  /// - Parameter input: the standard input of a stream, whose result is its standard output.
  func run(_ values: [String: String], input: URL?) throws -> (output: Data, spent: Spent) {
    var child = child(values)
    if input != nil {
      child.outputBytes = 4 * streamChannels * (request.signal.count + toleranceSamples + 1)
      child.refusesMoreOutput = true
    }
    do {
      let outcome = try child.run(input: input)
      return (
        outcome.output,
        Spent(
          cpuSeconds: outcome.cpuSeconds, peakMemoryMB: outcome.peakMemoryMB,
          remarks: outcome.remarks)
      )
    } catch {
      throw Refusal(subject.id, error)
    }
  }

  // MARK: Sound

  private func read(_ url: URL) throws -> AudioFile {
    do { return try fitted(AudioFile(reading: url.path)) } catch let error as AudioFileError {
      if case .nonFinite(_, let frame, _) = error {
        throw subject.problem("no number: sample \(frame) of its output is not finite")
      }
      throw Refusal(subject.id, error)
    }
  }

  var toleranceSamples: Int {
    Int((file.lengthToleranceMs ?? 100) / 1000 * request.signal.sampleRateHz)
  }

  /// Cuts or pads a sound to the length of the input, within the tolerance; checks its samples.
  func fitted(_ sound: AudioFile) throws -> AudioFile {
    let wanted = request.signal
    guard sound.sampleRateHz == wanted.sampleRateHz else {
      throw subject.problem(
        "wrong rate: returned \(sound.sampleRateHz) Hz, expected \(wanted.sampleRateHz) Hz")
    }
    let count = sound.frameCount
    guard abs(count - wanted.count) <= toleranceSamples else {
      throw subject.problem(
        "wrong length: returned \(count) samples, expected \(wanted.count) within "
          + "lengthToleranceMs, \(file.lengthToleranceMs ?? 100)")
    }
    for channel in sound.channels {
      if let bad = channel.firstIndex(where: { !$0.isFinite }) {
        throw subject.problem("no number: returned \(channel[bad]) at sample \(bad)")
      }
    }
    let missing = [Float](repeating: 0, count: max(0, wanted.count - count))
    return AudioFile(
      channels: sound.channels.map { Array($0.prefix(wanted.count)) + missing },
      sampleRateHz: sound.sampleRateHz)
  }

  /// Root mean square up to which silence is the right answer: -120 dB, below the last bit of 16.
  private static let inaudible = 1e-6

  /// Duration up to which a sound may end before the delay of a subject is over.
  private static let minAudibleSeconds = 0.1

  /// Refuses an answer without any sound. One silent voice among others is a result, and so is
  /// silence that answers a sound no longer than a delay.
  func audible(_ answer: Answer) throws -> Answer {
    let sounds = [answer.sound] + answer.stems
    let isSilent = sounds.allSatisfy { $0.channels.allSatisfy { $0.allSatisfy { $0 == 0 } } }
    if isSilent, request.signal.rms > Self.inaudible,
      request.signal.durationSeconds > Self.minAudibleSeconds
    {
      throw subject.problem("silent: returned only zeros")
    }
    return answer
  }

  // MARK: Words

  /// Returns the values of all places but `{input}` and `{output}`.
  func values(ofVoice voice: Int?) throws -> [String: String] {
    var values = (file.settings ?? [:]).merging(request.settings) { $1 }
      .mapValues(\.description)
    values["block"] = values["blockSize"] ?? "128"
    values["rate"] = SettingValue.number(request.signal.sampleRateHz).description
    (values["recording"], values["condition"]) = (request.recording, request.condition)
    values["folder"] = scratch.path
    values.merge(words.values) { $1 }
    if let voice { values.merge(words.values(ofVoice: voice)) { $1 } }
    if values["midi"] != nil, words.template.has(.midi), !file.isPlugin {
      values["midi"] = path("score.mid")
      try MIDIFile(playing: request.score.score.events).write(to: path("score.mid"))
    }
    return values
  }
}
