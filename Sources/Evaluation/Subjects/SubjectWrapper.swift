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
}
