import DSP
import Foundation

/// The level of a note from its press to its end: attack, decay, sustain, release.
///
/// Each part is an exponential that aims a little beyond its goal, so that it arrives in the time
/// stated, as a capacitor's charge does in an analogue synthesizer. Struck anew or released midway
/// it goes on from its level, without a step.
///
/// - Source: Redmon, "Envelope generators", earlevel.com, 2013.
public struct Envelope: Sendable, BitwiseCopyable {
  public struct Settings: ParameterizedSettings {
    public var attackMs = 5.0
    public var decayMs = 0.0
    public var sustainGain = 1.0
    public var releaseMs = 5.0

    public static let parameters: [Parameter<Settings>] = [
      .init("attackMs", \.attackMs, in: 0...20_000, "attack: time from silence to full level"),
      .init("decayMs", \.decayMs, in: 0...20_000, "decay: time from full to sustain level"),
      .init("sustainGain", \.sustainGain, in: 0...1, "sustain level of a held note"),
      .init("releaseMs", \.releaseMs, in: 0...20_000, "release: time from full level to silence"),
    ]

    public init() {}
  }

  /// One part, as `level = level * keep + add` a sample.
  private struct Part: BitwiseCopyable {
    var keep: Double
    var add: Double
    var goal: Double

    /// - Parameter beyond: how far past the goal it aims, as a share of the way. The larger, the
    ///   straighter: attacks are made straighter than decays, as ears expect.
    init(from start: Double, to goal: Double, samples: Double, beyond: Double) {
      let way = goal - start
      keep = samples < 1 || way == 0 ? 0 : exp(-log((1 + beyond) / beyond) / samples)
      add = (goal + beyond * way) * (1 - keep)
      self.goal = goal
    }
  }

  private enum Stage: BitwiseCopyable { case silent, attack, decay, sustain, release }

  private let attack: Part
  private let decay: Part
  private let ending: Part
  private var stage = Stage.silent
  /// 0 to 1.
  public private(set) var level = 0.0

  public init(_ settings: Settings, sampleRateHz: Double) {
    func samples(_ ms: Double) -> Double { ms / 1000 * sampleRateHz }
    attack = Part(from: 0, to: 1, samples: samples(settings.attackMs), beyond: 0.3)
    decay = Part(
      from: 1, to: settings.sustainGain, samples: samples(settings.decayMs), beyond: 0.001)
    ending = Part(from: 1, to: 0, samples: samples(settings.releaseMs), beyond: 0.001)
  }

  /// True if it has nothing to say until the next press.
  public var isSilent: Bool {
    @_noLocks get { if case .silent = stage { true } else { false } }
  }

  @_noLocks public mutating func press() { stage = .attack }

  @_noLocks public mutating func release() {
    if !isSilent { stage = .release }
  }

  /// The level of the next sample.
  @_noLocks public mutating func next() -> Double {
    switch stage {
    case .silent, .sustain: break
    case .attack:
      level = level * attack.keep + attack.add
      if level >= 1 || attack.keep == 0 { (level, stage) = (1, .decay) }
    case .decay:
      level = level * decay.keep + decay.add
      if level <= decay.goal || decay.keep == 0 { (level, stage) = (decay.goal, .sustain) }
    case .release:
      level = level * ending.keep + ending.add
      if level <= 0 || ending.keep == 0 { (level, stage) = (0, .silent) }
    }
    return level
  }
}
