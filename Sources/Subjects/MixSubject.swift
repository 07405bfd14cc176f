import Corpus
import DSP

/// A subject of which only the mix is judged, as a program is that gives one file.
///
/// A mix of one voice without the dry voice is that voice's stem, so a score of one voice is judged
/// as before.
public struct MixSubject: Subject {
  /// The prefix of such ids: `mix:reference`, `mix:mine.yaml`.
  public static let prefix = "mix:"

  private let source: any Subject

  public init(_ source: any Subject) { self.source = source }

  public var id: String { Self.prefix + source.id }
  public var version: String { source.version }
  public var warnings: [String] { source.warnings }

  public func content(of settings: SubjectSettings) -> String { source.content(of: settings) }

  public func validate(_ settings: SubjectSettings, for score: Score) throws {
    try source.validate(settings, for: score)
  }

  public func settingNames(beside settings: SubjectSettings) -> [String]? {
    source.settingNames(beside: settings)
  }

  public func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    withoutStems(try source.render(signal, score: score, settings: settings), of: score)
  }

  public func render(_ request: RenderRequest) throws -> Rendering {
    withoutStems(try source.render(request), of: request.score)
  }

  private func withoutStems(_ rendering: Rendering, of score: ResolvedScore) -> Rendering {
    let isStem = score.score.voiceLabels.count == 1 && !rendering.holdsDryVoice
    var mix = rendering
    mix.stems = isStem ? [rendering.mix] : []
    return mix
  }
}
