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
