import Corpus
import DSP
import Foundation
import HostProtocol
import Platform

/// A plugin that the host runs: an external subject whose blocks can be seen.
public struct PluginSubject: LiveSubject, SubjectWrapper {
  private let plugin: ExternalSubject
  package var source: any Subject { plugin }

  init(_ plugin: ExternalSubject) { self.plugin = plugin }

  public func render(_ request: RenderRequest) throws -> Rendering { try plugin.render(request) }

  /// The plugin as it describes itself.
  package var description: PluginDescription { get throws { try plugin.plugin!.get() } }

  public func start(
    _ score: ResolvedScore, settings: SubjectSettings, sampleRateHz: Double
  ) throws -> any LiveSound {
    try start(score, settings: settings, sampleRateHz: sampleRateHz, turningTo: []) { _ in }
  }

  /// Starts a running instance with another session.
  ///
  /// - Parameters:
  ///   - turns: later scores, to whose control values the host turns.
  ///   - change: changes what the host is to run.
  package func start(
    _ score: ResolvedScore, settings: SubjectSettings, sampleRateHz: Double,
    turningTo turns: [(atSeconds: Double, score: ResolvedScore)] = [],
    changing change: (inout HostSession) -> Void
  ) throws -> HostedSound {
    try plugin.validate(settings, for: score.score)
    var request = RenderRequest(
      signal: Signal([], sampleRateHz: sampleRateHz), score: score, settings: settings)
    request.turns = turns
    let call = ExternalCall(subject: plugin, request: request, scratch: try Scratch.folder())
    let voices: [Int?] = call.words.areOfOneVoice ? Array(score.voices.indices) : [nil]
    return try HostedSound(
      voices.map { voice in
        var session = try call.session(ofVoice: voice)
        change(&session)
        return try HostedPlugin(
          session, environment: plugin.environment,
          timeoutSeconds: plugin.file.timeoutSeconds ?? 60, memoryMB: plugin.file.memoryMB ?? 4096)
      }, judging: plugin.file.channels, id: plugin.id)
  }
}

extension ExternalSubject {
  /// The subject as it is judged: a plugin is live.
  var judged: any Subject { file.isPlugin ? PluginSubject(self) : self }
}
