import AudioFile
import Corpus
import DSP
import Files
import Foundation
import HostProtocol
import Programs

/// The calls of the plugin host for one rendering.
extension ExternalCall {
  /// Returns what the host is to run.
  ///
  /// - Parameter voice: the voice to ask for, from 0; `nil` asks for all.
  func session(ofVoice voice: Int?) throws -> HostSession {
    let (values, plugin) = (try values(ofVoice: voice), try subject.plugin!.get())
    var session = HostSession(
      plugin: plugin.address, sampleRateHz: request.signal.sampleRateHz,
      blockSize: Int(values["block"]!)!)
    session.preset = subject.file.preset
    for (symbol, value) in subject.file.ports ?? [:] {
      if plugin.ports(.events).contains(where: { $0.symbol == symbol }) {
        session.events = Self.messages(of: request.score.score.events, session.sampleRateHz)
        continue
      }
      let text = CommandTemplate(["\(value)"]).filled(values)[0]
      guard let number = Double(text), number.isFinite else {
        throw subject.problem(
          "'ports' sets '\(symbol)' to '\(text)', which is no number; correct it")
      }
      session.controls[symbol] = number
    }
    return session
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
      let report = try JSONDecoder().decode(
        HostReport.self, from: Data(contentsOf: files.report))
      var answer = Answer(sound: try sound(outcome.output, channelCount: report.channelCount))
      answer.spent = Spent(
        cpuSeconds: report.work.cpuSeconds, peakMemoryMB: outcome.peakMemoryMB)
      answer.latencySamples = report.latencySamples
      return answer
    } catch let error as SubjectError { throw error } catch {
      throw SubjectError.failed(subject: subject.id, cause: Cause(PluginHost.named(error)))
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
