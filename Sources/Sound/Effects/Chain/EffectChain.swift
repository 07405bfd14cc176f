import DSP

/// Effects in series and in parallel, as data: the program of a rack.
///
/// In the chain language: `lowpass(cutoffHz=2000) > (chorus | dry) > reverb`.
public struct EffectChain: Equatable, Sendable {
  /// An effect in a chain, with its mix.
  public struct Link: Equatable, Sendable {
    public var settings: any EffectSettings
    /// The share of wet sound, from 0 to 1.
    public var mix: Double
    public var isOn: Bool

    /// - Parameter mix: nil for the effect's default.
    public init(_ settings: some EffectSettings, mix: Double? = nil, isOn: Bool = true) {
      self.settings = settings
      self.mix = mix ?? type(of: settings).defaultMix
      self.isOn = isOn
    }

    /// The effect's name in the chain language.
    public var effect: String { type(of: settings).effect }

    public static func == (a: Link, b: Link) -> Bool {
      a.mix == b.mix && a.isOn == b.isOn && a.settings.equals(b.settings)
    }
  }

  /// A step of the chain.
  public enum Stage: Equatable, Sendable {
    case link(Link)
    /// Branches with the same input, whose outputs are aligned to the latest and averaged. An empty
    /// chain is the dry sound.
    case parallel([EffectChain])
  }

  public var stages: [Stage]

  public init(_ stages: [Stage] = []) { self.stages = stages }

  /// Makes a chain of effects in series.
  public init(_ links: Link...) { stages = links.map(Stage.link) }

  /// All effects, in the order of the text.
  public var links: [Link] {
    stages.flatMap { stage in
      switch stage {
      case .link(let link): [link]
      case .parallel(let branches): branches.flatMap(\.links)
      }
    }
  }

  /// Changes all effects, in the order of the text.
  public mutating func changeLinks(_ change: (inout Link) -> Void) {
    for place in stages.indices {
      switch stages[place] {
      case .link(var link):
        change(&link)
        stages[place] = .link(link)
      case .parallel(var branches):
        for branch in branches.indices { branches[branch].changeLinks(change) }
        stages[place] = .parallel(branches)
      }
    }
  }

  /// The limits of a chain's size, far above what music uses.
  static let maxLinks = 64
  static let maxBranches = 8
  static let maxDepth = 8

  public func validate() throws(SettingsError) {
    try require("the number of effects", Double(links.count), in: 0...Double(Self.maxLinks))
    try validate(depth: 0)
  }

  private func validate(depth: Int) throws(SettingsError) {
    try require("the nesting of branches", Double(depth), in: 0...Double(Self.maxDepth))
    for stage in stages {
      switch stage {
      case .link(let link):
        try link.settings.validate()
        try require("mix", link.mix, in: 0...1)
      case .parallel(let branches):
        try require(
          "the number of branches", Double(branches.count), in: 2...Double(Self.maxBranches))
        for branch in branches { try branch.validate(depth: depth + 1) }
      }
    }
  }
}
