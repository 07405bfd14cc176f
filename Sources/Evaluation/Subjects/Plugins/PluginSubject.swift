import Corpus
import DSP
import Foundation
import Platform

/// A plugin that the host runs: an external subject whose blocks can be seen.
public struct PluginSubject: LiveSubject, SubjectWrapper {
  private let plugin: ExternalSubject
  package var source: any Subject { plugin }

  init(_ plugin: ExternalSubject) { self.plugin = plugin }

  public func render(_ request: RenderRequest) throws -> Rendering { try plugin.render(request) }

  public func start(
    _ score: ResolvedScore, settings: SubjectSettings, sampleRateHz: Double
  ) throws -> any LiveSound {
    try plugin.validate(settings, for: score.score)
    let request = RenderRequest(
      signal: Signal([], sampleRateHz: sampleRateHz), score: score, settings: settings)
    let call = ExternalCall(subject: plugin, request: request, scratch: try Scratch.folder())
    let voices: [Int?] = call.words.areOfOneVoice ? Array(score.voices.indices) : [nil]
    return try HostedSound(
      voices.map { voice in
        try HostedPlugin(
          call.session(ofVoice: voice), environment: plugin.environment,
          timeoutSeconds: plugin.file.timeoutSeconds ?? 60, memoryMB: plugin.file.memoryMB ?? 4096)
      }, judging: plugin.file.channels, id: plugin.id)
  }
}

extension ExternalSubject {
  /// The subject as it is judged: a plugin is live.
  var judged: any Subject { file.isPlugin ? PluginSubject(self) : self }
}
