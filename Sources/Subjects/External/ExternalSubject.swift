import AudioFile
import Corpus
import DSP
import Files
import Foundation
import Music

/// A harmonizer outside this package. It runs in a process of its own, so that a crash, a hang or
/// invalid sound is a result with a name and does not end the run.
///
/// A command with a place for one interval (`{semitones}`, `{ratio}`, `{cents}`) is called once for
/// each voice. A command with a place for all of them (`{intervals}`, `{notes}`, `{midi}`) is called
/// once for the whole choir and gives no stems.
public struct ExternalSubject: Subject {
  public let file: SubjectFile
  public let version: String
  public let warnings: [String]
  private let folder: URL
  /// True if a subject of kind `folder` has any file.
  public let hasRenderings: Bool
  private let template: CommandTemplate
  private let environment: [String: String]

  public var id: String { file.id }

  /// Reads a subject's file and computes its version.
  ///
  /// - Parameter url: the file; paths in it are relative to its folder.
  public init(reading url: URL) throws {
    file = try SubjectFile(reading: url)
    folder = url.deletingLastPathComponent()
    template = CommandTemplate(file.kind == .folder ? [file.files!] : file.command!)
    let own = file.environment?.resolved(in: ChildEnvironment.ofThisProcess) ?? [:]
    environment = ChildEnvironment.passedOn.merging(own) { $1 }
    var content = SubjectContent(in: folder, environment: environment)
    if file.kind == .folder {
      content.add(renderingsNamed: template)
    } else {
      content.add(command: template.filled((file.settings ?? [:]).mapValues(\.description)))
    }
    for path in file.dependsOn ?? [] where !content.add(path: path) {
      throw SubjectError.settings(
        subject: url.path,
        problem: "'dependsOn' names '\(path)', which does not exist; correct the path")
    }
    let said = Self.said(by: file, folder, environment)
    let description = try Self.description(of: file, own, said.text)
    let words = String(
      String(said.text.split(whereSeparator: \.isNewline).first ?? "").prefix(60)
    ).printable
    hasRenderings = file.kind == .folder && !content.files.isEmpty
    version = [
      words.trimmingCharacters(in: .whitespaces),
      (file.kind == .folder ? "renderings " : "program ") + content.digest.prefix(12),
      "description \(description.prefix(12))",
    ].filter { !$0.isEmpty }.joined(separator: ", ")
    warnings = said.problem.map { [$0] } ?? []
  }

  /// Returns a digest of everything in the file that can change the sound, and of the version text.
  private static func description(
    of file: SubjectFile, _ environment: [String: String], _ said: String
  ) throws -> String {
    var heard = file
    (heard.title, heard.install) = (nil, nil)
    let values = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return Digest.sha256(
      ([String(decoding: try JSONEncoder.canonical.encode(heard), as: UTF8.self)] + values + [said])
        .joined(separator: "\n"))
  }

  /// Runs the version command; returns its text from either output, and any problem.
  private static func said(
    by file: SubjectFile, _ folder: URL, _ environment: [String: String]
  ) -> (text: String, problem: String?) {
    guard let command = file.versionCommand, !command.isEmpty else { return ("", nil) }
    let child = ChildProcess(
      arguments: command, timeoutSeconds: 10, folder: folder, environment: environment)
    func problem(_ words: String) -> String {
      "\(file.id): its versionCommand '\(command.joined(separator: " "))' \(words). The version now "
        + "depends only on its files; correct the command"
    }
    do {
      let outcome = try child.run()
      let text = outcome.text.isEmpty ? outcome.errors : outcome.text
      return (text, text.isEmpty ? problem("printed nothing") : nil)
    } catch { return ("", problem("failed: \(error)")) }
  }

  public func content(of settings: SubjectSettings) -> String {
    let texts = settings.filter { $0.value.number == nil }
    guard !texts.isEmpty, file.kind != .folder else { return "" }
    var content = SubjectContent(in: folder, environment: environment)
    let places = Set(texts.keys)
    for word in template.words
    where !places.isDisjoint(with: CommandTemplate([word]).places) {
      content.add(argument: CommandTemplate([word]).filled(texts.mapValues(\.description))[0])
    }
    return content.files.isEmpty ? "" : content.digest
  }

  /// True if its program exists.
  public var isInstalled: Bool {
    guard file.kind != .folder, let program = file.command?.first else { return true }
    return ProgramFile.path(of: program, in: folder, environment) != nil
  }

  /// The features that scores and metrics can use.
  public var capabilities: [String] {
    var found: [String] = []
    if singsOneVoice || template.has(.intervals) { found.append("intervals") }
    if template.has(.notes) { found.append("notes") }
    if template.has(.midi) { found.append("midi") }
    if singsOneVoice { found.append("stems") }
    if file.kind == .stream { found.append("realtimeBlocks") }
    return found
  }

  private var singsOneVoice: Bool {
    template.has(.semitones) || template.has(.ratio) || template.has(.cents)
  }

  // MARK: Settings

  public func settingNames(beside settings: SubjectSettings) -> [String]? {
    (file.settings ?? [:]).keys.sorted() + ["blockSize"]
  }

  public func validate(_ settings: SubjectSettings, for score: Score) throws {
    let known = file.settings ?? [:]
    for name in settings.keys.sorted() where known[name] == nil && name != "blockSize" {
      let names = known.keys.sorted() + ["blockSize"]
      throw problem("has no setting '\(name)'; it has \(names.joined(separator: ", "))")
    }
    if let size = settings["blockSize"] {
      guard let number = size.number, let whole = Int(exactly: number), 1...65_536 ~= whole else {
        throw problem("blockSize is \(size); choose 1 to 65536")
      }
    }
    if let reason = reasonNotToSing(score) { throw problem(reason) }
    if !isInstalled {
      let way = file.install.map { "; install it: \($0)" } ?? "; install it or correct the path"
      throw problem("there is no program '\(file.command![0])'\(way)")
    }
  }

  private func reasonNotToSing(_ score: Score) -> String? {
    if file.kind == .folder { return nil }
    let name = "the score '\(score.id)'"
    switch score.form {
    case .intervals:
      return singsOneVoice || template.has(.intervals)
        ? nil
        : "has no place for the intervals of \(name); add {semitones} or {intervals} to its command"
    case .degrees, .tuned, .map:
      return "can't sing \(name), which follows the lead; choose a score with intervals or notes"
    case .chords, .progression, .pads, .notes, .midi:
      if template.has(.midi) { return nil }
      guard template.has(.notes) else {
        return "has no place for the notes of \(name); add {notes} or {midi} to its command"
      }
      return score.heldNotes == nil
        ? "has no place for the changing notes of \(name); add {midi} to its command" : nil
    }
  }

  // MARK: Sound

  public func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    try render(
      RenderRequest(signal: signal, score: score, settings: settings, recording: "", condition: ""))
  }

  public func render(_ request: RenderRequest) throws -> Rendering {
    let scratch = Scratch.url()
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let call = Call(subject: self, request: request, scratch: scratch)
    guard singsOneVoice, case .intervals(let intervals) = request.score.score.form else {
      let sound = try call.sound(semitones: nil)
      return Rendering(
        mix: sound.signal, stems: request.score.voices.count == 1 ? [sound.signal] : [],
        reportedLatencyMs: file.latencyMs, cpuSeconds: sound.spent.cpuSeconds,
        peakMemoryMB: sound.spent.peakMemoryMB, note: sound.note)
    }
    var note: String?
    var stems: [Signal] = []
    var spent = Spent()
    for semitones in intervals {
      let voice = try call.sound(semitones: semitones)
      stems.append(voice.signal)
      note = note ?? voice.note
      spent += voice.spent
    }
    return Rendering(
      mix: Self.sum(of: stems), stems: stems, reportedLatencyMs: file.latencyMs,
      cpuSeconds: spent.cpuSeconds, peakMemoryMB: spent.peakMemoryMB, note: note)
  }

  /// The time and memory of a program's calls.
  fileprivate struct Spent {
    /// Processor time of all calls; `nil` if no program ran.
    var cpuSeconds: Double?
    /// Largest peak memory of a call; `nil` if no program ran.
    var peakMemoryMB: Double?

    static func += (sum: inout Spent, one: Spent) {
      sum.cpuSeconds = one.cpuSeconds.map { $0 + (sum.cpuSeconds ?? 0) }
      sum.peakMemoryMB = [sum.peakMemoryMB, one.peakMemoryMB].compactMap(\.self).max()
    }
  }

  private static func sum(of stems: [Signal]) -> Signal {
    var mix = stems[0]
    for stem in stems.dropFirst() {
      for i in mix.samples.indices { mix.samples[i] += stem.samples[i] }
    }
    return mix
  }

  fileprivate func problem(_ text: String) -> SubjectError {
    .settings(subject: id, problem: text)
  }

  /// The calls for one rendering.
  private struct Call {
    var subject: ExternalSubject
    var request: RenderRequest
    var scratch: URL

    private var file: SubjectFile { subject.file }

    func sound(semitones: Double?) throws -> (signal: Signal, spent: Spent, note: String?) {
      let output = scratch.appendingPathComponent("output.wav")
      let input = scratch.appendingPathComponent("input.wav")
      var values = try places(semitones)
      (values["input"], values["output"]) = (input.path, output.path)
      let words = subject.template.filled(values)
      switch file.kind {
      case .folder:
        let answer = try read(URL(fileURLWithPath: words[0], relativeTo: subject.folder))
        return (try fitted(answer.signal), Spent(), answer.note)
      case .command:
        let clipped = try AudioFile(request.signal)
          .write(to: input.path, encoding: (file.inputFormat ?? .float).encoding)
        try? FileManager.default.removeItem(at: output)
        let spent = try run(words, input: nil).spent
        guard FileManager.default.fileExists(atPath: output.path) else {
          throw subject.problem(
            "no output: the program ended with exit code 0 but wrote no file at {output}")
        }
        let answer = try read(output)
        let clipping =
          clipped > 0 ? "\(clipped) input samples were clipped in its integer format" : nil
        let notes = [clipping, answer.note].compactMap(\.self)
        return (
          try fitted(answer.signal), spent, notes.isEmpty ? nil : notes.joined(separator: "; ")
        )
      case .stream:
        let raw = scratch.appendingPathComponent("input.f32")
        try request.signal.samples.withUnsafeBytes { try Data($0).write(to: raw) }
        let (data, spent) = try run(words, input: raw)
        guard data.count % 4 == 0 else {
          throw subject.problem(
            "wrong length: wrote \(data.count) bytes, not a multiple of the 4 of a float")
        }
        return (
          try fitted(Signal([Float](data: data), sampleRateHz: request.signal.sampleRateHz)),
          spent, nil
        )
      }
    }

    /// Runs the program.
    ///
    /// - Parameter input: the standard input of a stream, whose result is its standard output.
    private func run(_ words: [String], input: URL?) throws -> (output: Data, spent: Spent) {
      let soundMB = Double(4 * request.signal.count) / 1_048_576
      var child = ChildProcess(
        arguments: words, timeoutSeconds: file.timeoutSeconds ?? 60,
        memoryMB: file.memoryMB ?? 4096, fileMB: max(256, 32 * soundMB), folder: subject.folder,
        environment: subject.environment)
      if input != nil {
        child.outputBytes = 4 * (request.signal.count + toleranceSamples + 1)
        child.refusesMoreOutput = true
      }
      do {
        let outcome = try child.run(input: input)
        return (
          outcome.output,
          Spent(cpuSeconds: outcome.cpuSeconds, peakMemoryMB: outcome.peakMemoryMB)
        )
      } catch {
        throw SubjectError.failed(subject: subject.id, cause: Cause(error))
      }
    }

    /// Reads the channel to measure, and a note about the choice.
    private func read(_ url: URL) throws -> (signal: Signal, note: String?) {
      let sound: AudioFile
      do { sound = try AudioFile(reading: url.path) } catch {
        if case .nonFinite(_, let frame, _) = error {
          throw subject.problem("no number: sample \(frame) of its output is not finite")
        }
        throw SubjectError.failed(subject: subject.id, cause: Cause(error))
      }
      let count = sound.channels.count
      guard count > 1 else { return (sound.mono, nil) }
      switch file.channels {
      case .average:
        return (sound.mono, "its output has \(count) channels; their average is measured")
      case .channel(let number):
        guard number <= count else {
          throw subject.problem(
            "channels: its output has \(count), but 'channels' is \(number); choose 1 to \(count)")
        }
        return (
          sound.channel(number - 1),
          "its output has \(count) channels; channel \(number) is measured"
        )
      case nil:
        guard sound.channels.dropFirst().allSatisfy({ $0 == sound.channels[0] }) else {
          throw subject.problem(
            "channels: its output has \(count) that differ; choose in its file the one to measure "
              + "(channels: 1) or their average (channels: average)")
        }
        return (sound.channel(0), "its output has \(count) equal channels; the first is measured")
      }
    }

    private var toleranceSamples: Int {
      Int((file.lengthToleranceMs ?? 100) / 1000 * request.signal.sampleRateHz)
    }

    /// Cuts or pads a sound to the length of the input, within the tolerance; checks its samples.
    private func fitted(_ sound: Signal) throws -> Signal {
      let wanted = request.signal
      guard sound.sampleRateHz == wanted.sampleRateHz else {
        throw subject.problem(
          "wrong rate: returned \(sound.sampleRateHz) Hz, expected \(wanted.sampleRateHz) Hz")
      }
      guard abs(sound.count - wanted.count) <= toleranceSamples else {
        throw subject.problem(
          "wrong length: returned \(sound.count) samples, expected \(wanted.count) within "
            + "lengthToleranceMs, \(file.lengthToleranceMs ?? 100)")
      }
      if let bad = sound.firstNonFinite {
        throw subject.problem("no number: returned \(sound.samples[bad]) at sample \(bad)")
      }
      if sound.rms == 0, wanted.rms > 0 { throw subject.problem("silent: returned only zeros") }
      let missing = max(0, wanted.count - sound.count)
      return Signal(
        sound.samples.prefix(wanted.count) + Array(repeating: 0, count: missing),
        sampleRateHz: sound.sampleRateHz)
    }

    /// Returns the values of all places but `{input}` and `{output}`.
    private func places(_ semitones: Double?) throws -> [String: String] {
      var values = (file.settings ?? [:]).merging(request.settings) { $1 }
        .mapValues(\.description)
      let score = request.score.score
      values["block"] = values.removeValue(forKey: "blockSize") ?? "128"
      values["rate"] = SettingValue.number(request.signal.sampleRateHz).description
      (values["recording"], values["condition"]) = (request.recording, request.condition)
      values["score"] = score.id
      if let semitones {
        values["semitones"] = SettingValue.number(semitones).description
        values["cents"] = SettingValue.number(semitones * 100).description
        values["ratio"] = String(format: "%.9f", exp2(semitones / 12))
      }
      if subject.template.has(.midi) {
        let midi = scratch.appendingPathComponent("score.mid")
        try MIDIFile(playing: score.events).write(to: midi.path)
        values["midi"] = midi.path
      }
      if let notes = score.heldNotes {
        values["notes"] = notes.map { SettingValue.number($0.semitones).description }
          .joined(separator: ",")
      }
      if case .intervals(let intervals) = score.form {
        values["intervals"] = intervals.map { SettingValue.number($0).description }
          .joined(separator: ",")
      }
      return values
    }
  }
}
