import DSP

/// Effects one after the other and side by side, as data: what a rack runs.
///
/// Written in the chain language: `lowpass(cutoffHz=2000) > (chorus | dry) > reverb`.
public struct EffectChain: Equatable, Sendable {
  /// An effect in its place.
  public struct Link: Equatable, Sendable {
    public var settings: any EffectSettings
    /// The share of wet sound, from 0 to 1.
    public var mix: Double
    public var isOn: Bool

    /// - Parameter mix: nil for what is usual for the effect.
    public init(_ settings: some EffectSettings, mix: Double? = nil, isOn: Bool = true) {
      self.settings = settings
      self.mix = mix ?? type(of: settings).usualMix
      self.isOn = isOn
    }

    /// What users call the effect.
    public var effect: String { type(of: settings).effect }

    public static func == (a: Link, b: Link) -> Bool {
      a.mix == b.mix && a.isOn == b.isOn && a.settings.equals(b.settings)
    }
  }

  /// A step of the way.
  public enum Stage: Equatable, Sendable {
    case link(Link)
    /// Each hears the same; what they give is averaged, each as late as the latest. An empty chain
    /// is the dry sound.
    case parallel([EffectChain])
  }

  public var stages: [Stage]

  public init(_ stages: [Stage] = []) { self.stages = stages }

  /// One effect after the other.
  public init(_ links: Link...) { stages = links.map(Stage.link) }

  /// All its effects, in the order in which they are written.
  public var links: [Link] {
    stages.flatMap { stage in
      switch stage {
      case .link(let link): [link]
      case .parallel(let branches): branches.flatMap(\.links)
      }
    }
  }

  /// More effects than this, or deeper nesting, is nobody's sound.
  static let mostLinks = 64
  static let mostBranches = 8
  static let deepest = 8

  public func validate() throws(SettingsError) {
    try require("the number of effects", Double(links.count), in: 0...Double(Self.mostLinks))
    try validate(depth: 0)
  }

  private func validate(depth: Int) throws(SettingsError) {
    try require("the nesting of branches", Double(depth), in: 0...Double(Self.deepest))
    for stage in stages {
      switch stage {
      case .link(let link):
        try link.settings.validate()
        try require("mix", link.mix, in: 0...1)
      case .parallel(let branches):
        try require(
          "the number of branches", Double(branches.count), in: 2...Double(Self.mostBranches))
        for branch in branches { try branch.validate(depth: depth + 1) }
      }
    }
  }
}
