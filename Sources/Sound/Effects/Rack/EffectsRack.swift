import DSP

/// Runs a chain of effects on an audio thread, and changes it while sound runs.
///
/// One thread controls: it reads and changes the chain. Another processes audio: it calls `process`
/// and `reset`. Neither waits for the other. Changes of parameters, mixes and bypasses glide as in
/// the effects; any other change replaces the chain with `CrossfadingSlot`, within 20 ms and
/// keeping the old chain's tail.
///
/// - Allocates: on the control thread, which also releases what is no longer used, with the next
///   change or `collect`.
/// - Input, output: nominally ±1. Samples that are not finite or beyond ±1000 count as 0.
public final class EffectsRack: CrossfadingSlot, @unchecked Sendable {
  private let sampleRateHz: Double
  /// The state of the audio thread, without a change not yet received.
  private var known: Plan
  private var asked: Plan

  /// A chain with its latencies and tail.
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

  // MARK: Control thread

  /// The chain last set.
  public var chain: EffectChain { asked.chain }

  /// The latency of the chain last set, with all its effects on.
  public override var latencySamples: Int { asked.latencySamples }

  /// The longest time that it sounds after its input has ended, beyond the latency, until it is 60
  /// dB down.
  public var tailSamples: Int { asked.tailSamples }

  /// Changes to another chain while sound runs. Of several changes within a block the last counts.
  public func change(to chain: EffectChain) throws(SettingsError) {
    let graph = try EffectsGraph(chain, sampleRateHz: sampleRateHz)
    if retract() == nil { known = asked }
    asked = Plan(chain, graph)
    if asked.linkLatencies == known.linkLatencies, chain.hasShape(of: known.chain) {
      let change = ParameterChange(from: known.chain.links, to: chain.links)
      if !change.isEmpty { send(change) }
    } else {
      send(graph)
    }
  }
}

/// A change of parameters of the same effects.
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
  /// Tells whether the same effects are in the same places.
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
