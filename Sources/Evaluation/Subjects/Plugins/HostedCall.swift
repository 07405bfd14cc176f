import AudioFile
import Corpus
import DSP
import Foundation
import HostProtocol
import Platform

/// The calls of the plugin host for one rendering.
extension ExternalCall {
  /// Returns what the host is to run.
  ///
  /// - Parameter voice: the voice to ask for, from 0; `nil` asks for all.
  func session(ofVoice voice: Int?) throws -> HostSession {
    let plugin = try subject.plugin!.get()
    var session = HostSession(
      plugin: plugin.address, sampleRateHz: request.signal.sampleRateHz,
      blockSize: Int(try values(ofVoice: voice)["block"]!)!)
    session.preset = subject.file.preset
    let receivesKeys = (subject.file.ports ?? [:]).keys.contains { isEventPort($0, of: plugin) }
    if receivesKeys {
      session.events = Self.messages(of: request.score.score.events, session.sampleRateHz)
    }
    session.controls = try controls(ofVoice: voice)
    session.changes = try changes(ofVoice: voice, from: session.controls)
    return session
  }

  private func isEventPort(_ symbol: String, of plugin: PluginDescription) -> Bool {
    plugin.ports(.events).contains { $0.symbol == symbol }
  }

  /// Returns the values of the controls at the start.
  private func controls(ofVoice voice: Int?) throws -> [String: Double] {
    let (values, plugin) = (try values(ofVoice: voice), try subject.plugin!.get())
    var controls: [String: Double] = [:]
    for (symbol, value) in subject.file.ports ?? [:] where !isEventPort(symbol, of: plugin) {
      let text = CommandTemplate(["\(value)"]).filled(values)[0]
      guard let number = Double(text), number.isFinite else {
        throw subject.problem(
          "'ports' sets '\(symbol)' to '\(text)', which is no number; correct it")
      }
      controls[symbol] = number
    }
    return controls
  }

  /// Returns the later values: those of the file, and those in which the scores to turn to differ.
  private func changes(
    ofVoice voice: Int?, from start: [String: Double]
  ) throws -> [HostSession.Change] {
    let rateHz = request.signal.sampleRateHz
    func change(_ seconds: Double, _ control: String, _ value: Double) -> HostSession.Change {
      .init(frame: Int((seconds * rateHz).rounded()), control: control, value: value)
    }
    var changes = (subject.file.automation ?? [:]).flatMap { control, values in
      values.map { change(Double($0.key)!, control, $0.value) }
    }
    if let bad = changes.first(where: { !$0.value.isFinite }) {
      throw subject.problem("'automation' turns '\(bad.control)' to \(bad.value); write a number")
    }
    var before = start
    for (atSeconds, score) in request.turns {
      var other = request
      other.score = score
      let controls = try ExternalCall(subject: subject, request: other, scratch: scratch)
        .controls(ofVoice: voice)
      changes += controls.filter { before[$0.key] != $0.value }
        .map { change(atSeconds, $0.key, $0.value) }
      before = controls
    }
    return changes.sorted { ($0.frame, $0.control) < ($1.frame, $1.control) }
  }

  /// Renders through the host.
  func hosted(voice: Int?) throws -> Answer {
    let session = try session(ofVoice: voice)
    let channelCount = try subject.plugin!.get().ports(.audioOutput).count
    let files = (
      input: scratch.appendingPathComponent("input.f32"),
      session: scratch.appendingPathComponent("session.json"),
      report: scratch.appendingPathComponent("report.json")
    )
    try request.signal.samples.withUnsafeBytes { try Data($0).write(to: files.input) }
    try JSONEncoder().encode(session).write(to: files.session)
    var child = ChildProcess(
      arguments: [try PluginHost.path(), "render", files.session.path, files.report.path],
      timeoutSeconds: subject.file.timeoutSeconds ?? 60, memoryMB: subject.file.memoryMB ?? 4096,
      folder: scratch, environment: subject.environment)
    child.outputBytes = 4 * channelCount * (request.signal.count + 1)
    do {
      let outcome = try child.run(input: files.input)
      guard FileManager.default.fileExists(atPath: files.report.path) else {
        throw PluginHost.left
      }
      let report = try JSONDecoder().decode(HostReport.self, from: GivenFile.data(at: files.report))
      guard report.channelCount == channelCount else { throw PluginHost.garbled }
      var answer = Answer(sound: try sound(outcome.output, channelCount: report.channelCount))
      answer.spent = Spent(cpuSeconds: report.work.cpuSeconds, peakMemoryMB: outcome.peakMemoryMB)
      answer.latencySamples = report.latencySamples
      return answer
    } catch let error as Refusal { throw error } catch {
      throw Refusal(subject.id, PluginHost.named(error))
    }
  }

  /// Returns the latency that a plugin stated.
  func latencyMs(of answer: Answer) -> Double? {
    answer.latencySamples.map { Double($0) / request.signal.sampleRateHz * 1000 }
  }

  /// Returns the keys, pedals and bends of a score as MIDI messages.
  private static func messages(
    of events: [ScoreEvent], _ sampleRateHz: Double
  ) -> [HostSession.Event] {
    let file = MIDIFile(playing: events)
    return file.tracks.flatMap(\.events).compactMap { timed -> HostSession.Event? in
      guard let bytes = timed.event.messageBytes else { return nil }
      let frame = Double(timed.tick) / MIDIFile.scoreTicksPerSecond * sampleRateHz
      return HostSession.Event(frame: Int(frame.rounded()), bytes: bytes)
    }.enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
      .map(\.element)
  }
}
