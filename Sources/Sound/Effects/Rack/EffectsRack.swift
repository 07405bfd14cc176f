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
  private var known: EffectsGraph.Plan
  private var asked: EffectsGraph.Plan

  public init(_ chain: EffectChain, sampleRateHz: Double) throws(SettingsError) {
    let graph = try EffectsGraph(chain, sampleRateHz: sampleRateHz)
    self.sampleRateHz = sampleRateHz
    known = EffectsGraph.Plan(chain, graph)
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
    asked = EffectsGraph.Plan(chain, graph)
    send(asked.change(from: known) ?? graph)
  }
}

extension EffectsGraph {
  /// A chain with its latencies and tail.
  package struct Plan {
    var chain: EffectChain
    var linkLatencies: [Int]
    var latencySamples: Int
    var tailSamples: Int

    package init(_ chain: EffectChain, _ graph: EffectsGraph) {
      self.chain = chain
      linkLatencies = graph.links.map(\.latencySamples)
      (latencySamples, tailSamples) = (graph.latencySamples, graph.tailSamples)
    }

    /// Returns the message that turns the graph of `old` into this one by parameters alone; `nil` if
    /// their effects or latencies differ.
    package func change(from old: Plan) -> MailboxMessage? {
      guard linkLatencies == old.linkLatencies, chain.hasShape(of: old.chain) else { return nil }
      return ParameterChange(from: old.chain.links, to: chain.links)
    }
  }
}

/// A change of parameters of the same effects.
private final class ParameterChange: MailboxMessage {
  private var changes: [(place: Int, link: EffectChain.Link)] = []

  init(from old: [EffectChain.Link], to new: [EffectChain.Link]) {
    for (place, link) in new.enumerated() where link != old[place] { changes.append((place, link)) }
  }

  override func apply(to unit: StereoUnit) {
    guard let graph = unit.graph else { return }
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
