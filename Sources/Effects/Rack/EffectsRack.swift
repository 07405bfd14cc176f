import DSP

/// Runs a chain of effects on an audio thread, and changes it while sound runs.
///
/// One thread controls: it reads and changes the chain. Another makes sound: it calls `process` and
/// `reset`. Neither waits for the other. A change of parameters, mixes and switches glides, as the
/// effects do it; any other puts a new chain in the place of the old one by `CrossfadingSlot`: within
/// 20 ms, and what the old one still sounds is heard to its end.
///
/// - Allocates: where control is; what sound no longer needs is released there too, with the next
///   change or `collect`.
/// - Input, output: nominally ±1. What is no sound, or beyond ±1000, counts as 0.
public final class EffectsRack: SlotPlayer, @unchecked Sendable {
  private let sampleRateHz: Double
  /// What the audio thread has, apart from what it is still to take up.
  private var known: Plan
  private var asked: Plan

  /// A chain with what is known of its running.
  private struct Plan {
    var chain: EffectChain
    var linkLatencies: [Int]
    var latencySamples: Int
    var tailSamples: Int

    init(_ chain: EffectChain, _ graph: EffectsGraph) {
      self.chain = chain
      linkLatencies = graph.links.map(\.latencySamples)
      (latencySamples, tailSamples) = (graph.latencySamples, graph.tailSamples)
    }
  }

  public init(_ chain: EffectChain, sampleRateHz: Double) throws(SettingsError) {
    let graph = try EffectsGraph(chain, sampleRateHz: sampleRateHz)
    self.sampleRateHz = sampleRateHz
    known = Plan(chain, graph)
    asked = known
    super.init(graph, sampleRateHz: sampleRateHz)
  }

  // MARK: Where control is

  /// As it was last asked for.
  public var chain: EffectChain { asked.chain }

  /// Of the chain last asked for, all its effects on.
  public override var latencySamples: Int { asked.latencySamples }

  /// How long it sounds after its input has ended, beyond the latency, at most: until what is left
  /// is 60 dB down.
  public var tailSamples: Int { asked.tailSamples }

  /// Goes over to another chain while sound runs. Of several changes that come faster than blocks
  /// do the last counts.
  public func change(to chain: EffectChain) throws(SettingsError) {
    let graph = try EffectsGraph(chain, sampleRateHz: sampleRateHz)
    if sound.retract() == nil { known = asked }
    asked = Plan(chain, graph)
    if asked.linkLatencies == known.linkLatencies, chain.hasShape(of: known.chain) {
      let change = ParameterChange(from: known.chain.links, to: chain.links)
      if !change.isEmpty { sound.hand(change) }
    } else {
      sound.hand(graph)
    }
  }
}

/// What of a chain changes while its effects stay.
private final class ParameterChange: MailboxMessage {
  private var changes: [(place: Int, link: EffectChain.Link)] = []

  init(from old: [EffectChain.Link], to new: [EffectChain.Link]) {
    for (place, link) in new.enumerated() where link != old[place] { changes.append((place, link)) }
  }

  var isEmpty: Bool { changes.isEmpty }

  override func apply(to unit: StereoUnit) {
    guard let graph = unit as? EffectsGraph else { return }
    for (place, link) in changes {
      graph.links[place].apply(link.settings)
      graph.links[place].setMix(link.mix)
      graph.links[place].setOn(link.isOn)
    }
  }
}

extension EffectChain {
  /// Whether the same effects are in the same places.
  fileprivate func hasShape(of other: EffectChain) -> Bool {
    guard stages.count == other.stages.count else { return false }
    return zip(stages, other.stages).allSatisfy { stage, other in
      switch (stage, other) {
      case (.link(let link), .link(let other)): link.effect == other.effect
      case (.parallel(let branches), .parallel(let others)):
        branches.count == others.count
          && zip(branches, others).allSatisfy { $0.hasShape(of: $1) }
      default: false
      }
    }
  }
}
