import AudioFile
import DSP
import Foundation
import Harmonizer

/// A harmonizer that is not ours: it runs in a process of its own, so that a crash, a hang, or sound
/// that is none, is a result with a name and never the end of a run.
///
/// A command that has a place for one interval (`{semitones}`, `{ratio}`, `{cents}`) sings one voice a
/// call, and is called once a voice; one that has a place for all of them (`{intervals}`, `{notes}`,
/// `{midi}`) sings the whole choir at once, without stems.
public struct ExternalSubject: Subject {
  public let file: SubjectFile
  public let version: String
  private let folder: URL
  private let template: CommandTemplate

  public var id: String { file.id }

  /// - Parameter url: of the subject's file; paths in it start there.
  public init(reading url: URL) throws {
    file = try SubjectFile(reading: url)
    folder = url.deletingLastPathComponent()
    template = CommandTemplate(file.kind == .folder ? [file.files!] : file.command!)
    version = try Self.version(of: file, in: folder)
  }

  /// Of the description and of what the program says of itself, so that neither can change
  /// unnoticed.
  private static func version(of file: SubjectFile, in folder: URL) throws -> String {
    let described = Digest.sha256(try JSONEncoder.canonical.encode(file)).prefix(12)
    guard let command = file.versionCommand, !command.isEmpty else { return String(described) }
    let child = ChildProcess(arguments: command, timeoutSeconds: 10, folder: folder)
    let said: String
    do { said = try child.run().output } catch ChildProcess.Failure.exited(_, let errors) {
      said = errors  // some say it on standard error and don't mean it
    } catch { said = "" }
    return "\(described)-\(Digest.sha256(Data(said.utf8)).prefix(12))"
  }

  /// Whether its program is there.
  public var isInstalled: Bool {
    guard file.kind != .folder, let program = file.command?.first else { return true }
    if program.contains("/") {
      return FileManager.default.isExecutableFile(
        atPath: URL(fileURLWithPath: program, relativeTo: folder).path)
    }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }

  /// What a score may ask of it.
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
      let way = file.install.map { "; install it: \($0)" } ?? "; is the path right?"
      throw problem("there is no program '\(file.command![0])'\(way)")
    }
  }

  private func reasonNotToSing(_ score: Score) -> String? {
    if file.kind == .folder { return nil }
    let name = "the score '\(score.id)'"
    switch score.form {
    case .intervals:
      return singsOneVoice || template.has(.intervals)
        ? nil : "has no place for the intervals of \(name): {semitones} or {intervals}"
    case .degrees, .tuned, .map:
      return "can't be told what \(name) asks for: it follows the lead; choose one with intervals "
        + "or notes"
    case .chords, .pads, .notes, .midi:
      if template.has(.midi) { return nil }
      guard template.has(.notes) else {
        return "has no place for the notes of \(name): {notes} or {midi}"
      }
      return score.heldNotes == nil ? "\(name) moves, for which it needs a place {midi}" : nil
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
    let scratch = Scratch.folder
      .appendingPathComponent("choir-eval-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let call = Call(subject: self, request: request, scratch: scratch)
    guard singsOneVoice, case .intervals(let intervals) = request.score.score.form else {
      let sound = try call.sound(semitones: nil)
      return Rendering(
        mix: sound.signal, stems: request.score.voices.count == 1 ? [sound.signal] : [],
        reportedLatencyMs: file.latencyMs, cpuSeconds: sound.spent.cpuSeconds,
        peakMemoryMB: sound.spent.peakMemoryMB)
    }
    var stems: [Signal] = []
    var spent = Spent()
    for semitones in intervals {
      let voice = try call.sound(semitones: semitones)
      stems.append(voice.signal)
      spent += voice.spent
    }
    return Rendering(
      mix: Self.sum(of: stems), stems: stems, reportedLatencyMs: file.latencyMs,
      cpuSeconds: spent.cpuSeconds, peakMemoryMB: spent.peakMemoryMB)
  }

  /// What the calls of a program took.
  fileprivate struct Spent {
    /// `nil` where nothing ran.
    var cpuSeconds: Double?
    /// Of the greediest; `nil` where nothing ran.
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

  fileprivate func problem(_ text: String) -> EvaluationError {
    .settings(subject: id, problem: text)
  }

  /// The calls for one rendering.
  private struct Call {
    var subject: ExternalSubject
    var request: RenderRequest
    var scratch: URL

    private var file: SubjectFile { subject.file }

    func sound(semitones: Double?) throws -> (signal: Signal, spent: Spent) {
      let output = scratch.appendingPathComponent("output.wav")
      let input = scratch.appendingPathComponent("input.wav")
      var values = try places(semitones)
      (values["input"], values["output"]) = (input.path, output.path)
      let words = subject.template.filled(values)
      let folder = subject.folder
      switch file.kind {
      case .folder:
        return (try fitted(read(URL(fileURLWithPath: words[0], relativeTo: folder))), Spent())
      case .command:
        try AudioFile(request.signal).write(to: input.path)
        try? FileManager.default.removeItem(at: output)
        let spent = try run(words, nil, nil)
        guard FileManager.default.fileExists(atPath: output.path) else {
          throw subject.problem("no output: the program ended well and wrote nothing to {output}")
        }
        return (try fitted(read(output)), spent)
      case .stream:
        let raw = scratch.appendingPathComponent("input.f32")
        let answer = scratch.appendingPathComponent("output.f32")
        try request.signal.samples.withUnsafeBytes { try Data($0).write(to: raw) }
        let spent = try run(words, raw, answer)
        let data = try Data(contentsOf: answer)
        guard data.count % 4 == 0 else {
          throw subject.problem("wrong length: \(data.count) bytes are no whole number of floats")
        }
        let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        return (
          try fitted(Signal(samples, sampleRateHz: request.signal.sampleRateHz)), spent
        )
      }
    }

    private func run(_ words: [String], _ input: URL?, _ output: URL?) throws -> Spent {
      let child = ChildProcess(
        arguments: words, timeoutSeconds: file.timeoutSeconds ?? 60,
        memoryMB: file.memoryMB ?? 4096, folder: subject.folder)
      do {
        let outcome = try child.run(input: input, output: output)
        return Spent(cpuSeconds: outcome.cpuSeconds, peakMemoryMB: outcome.peakMemoryMB)
      } catch {
        throw subject.problem("\(error)")
      }
    }

    private func read(_ url: URL) throws -> Signal {
      do { return try AudioFile(reading: url.path).mono } catch {
        if case .nonFinite(_, let frame, _) = error {
          throw subject.problem("no number: sample \(frame) of what it wrote is none")
        }
        throw subject.problem("\(error)")
      }
    }

    /// As long as the input, where only a little was missing or too much.
    private func fitted(_ sound: Signal) throws -> Signal {
      let wanted = request.signal
      guard sound.sampleRateHz == wanted.sampleRateHz else {
        throw subject.problem(
          "wrong rate: gave \(sound.sampleRateHz) Hz of \(wanted.sampleRateHz) Hz")
      }
      let toleranceMs = file.lengthToleranceMs ?? 100
      let tolerance = Int(toleranceMs / 1000 * wanted.sampleRateHz)
      guard abs(sound.count - wanted.count) <= tolerance else {
        throw subject.problem(
          "wrong length: gave \(sound.count) samples of \(wanted.count), which differ by more than "
            + "lengthToleranceMs, \(toleranceMs)")
      }
      if let bad = sound.firstNonFinite {
        throw subject.problem("no number: gave \(sound.samples[bad]) at sample \(bad)")
      }
      if sound.rms == 0, wanted.rms > 0 { throw subject.problem("silent: gave nothing but zeros") }
      let missing = max(0, wanted.count - sound.count)
      return Signal(
        sound.samples.prefix(wanted.count) + Array(repeating: 0, count: missing),
        sampleRateHz: sound.sampleRateHz)
    }

    /// What goes where, but for files.
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
