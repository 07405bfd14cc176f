import Corpus

/// A subject that renders through another one: it changes the sound that goes in or comes out.
///
/// Everything but the rendering is the source's.
package protocol SubjectWrapper: Subject {
  var source: any Subject { get }
}

extension SubjectWrapper {
  public var id: String { source.id }
  public var version: String { source.version }
  public var warnings: [String] { source.warnings }

  public func content(of settings: SubjectSettings) -> String { source.content(of: settings) }

  public func validate(_ settings: SubjectSettings, for score: Score) throws {
    try source.validate(settings, for: score)
  }

  public func settingNames(beside settings: SubjectSettings) -> [String]? {
    source.settingNames(beside: settings)
  }
}

extension Subject {
  /// The program or folder of renderings behind the subject; `nil` for a subject of this package.
  public var external: ExternalSubject? {
    self as? ExternalSubject ?? (self as? any SubjectWrapper)?.source.external
  }

  /// True if its sounds are files that can't be rendered again.
  package var wasRenderedElsewhere: Bool { external?.file.kind == .folder }
}

/// A subject of which only the mix is judged, as a program is that gives one file.
///
/// A mix of one voice without the dry voice is that voice's stem, so a score of one voice is judged
/// as before.
public struct MixSubject: SubjectWrapper {
  /// The prefix of such ids: `mix:reference`, `mix:mine.yaml`.
  public static let prefix = "mix:"

  package let source: any Subject

  public init(_ source: any Subject) { self.source = source }

  public var id: String { Self.prefix + source.id }

  public func render(_ request: RenderRequest) throws -> Rendering {
    var rendering = try source.render(request)
    let isStem = request.score.score.voiceLabels.count == 1 && !rendering.holdsDryVoice
    rendering.stems = isStem ? [rendering.mix] : []
    return rendering
  }
}
