import DSP

/// A chain ready to run: its effects, and the delays that align parallel branches.
///
/// - Allocates: in `init` only.
public final class EffectsGraph: StereoUnit {
  /// The effects, in the order of the chain's `links`.
  let links: [EffectLink]
  private let series: Series

  public init(_ chain: EffectChain, sampleRateHz: Double) throws(SettingsError) {
    try chain.validate()
    var links: [EffectLink] = []
    series = try Series(chain, sampleRateHz: sampleRateHz, &links)
    self.links = links
  }

  public override var latencySamples: Int { series.latencySamples }
  public override var tailSamples: Int { series.tailSamples }
  public override func reset() { series.reset() }
  public override func process(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>
  ) {
    series.process(&left, &right)
  }
}

/// Steps in series.
private final class Series: StereoUnit {
  override var latencySamples: Int { statedLatency }
  private let statedLatency: Int
  private let steps: [StereoUnit]

  init(
    _ chain: EffectChain, sampleRateHz: Double, _ links: inout [EffectLink]
  ) throws(SettingsError) {
    var steps: [StereoUnit] = []
    for stage in chain.stages {
      switch stage {
      case .link(let link):
        let made = try link.running(sampleRateHz: sampleRateHz)
        links.append(made)
        steps.append(made)
      case .parallel(let branches):
        steps.append(try Parallel(branches, sampleRateHz: sampleRateHz, &links))
      }
    }
    self.steps = steps
    statedLatency = steps.reduce(0) { $0 + $1.latencySamples }
  }

  /// The sum of all tails, since each effect's tail passes the next.
  override var tailSamples: Int { steps.reduce(0) { $0 + $1.tailSamples } }

  override func reset() { for step in steps { step.reset() } }

  override func process(_ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>) {
    for step in steps { step.process(&left, &right) }
  }
}

/// Branches in parallel. The output is their mean, so that a chain beside itself is itself, and
/// beside `dry` is mixed with it by half.
private final class Parallel: StereoUnit {
  override var latencySamples: Int { statedLatency }
  private let statedLatency: Int
  private let branches: [Branch]
  private let share: Float
  private var inLeft = Parallel.buffer()
  private var inRight = Parallel.buffer()
  private var workLeft = Parallel.buffer()
  private var workRight = Parallel.buffer()

  init(
    _ chains: [EffectChain], sampleRateHz: Double, _ links: inout [EffectLink]
  ) throws(SettingsError) {
    var made: [Series] = []
    for chain in chains { made.append(try Series(chain, sampleRateHz: sampleRateHz, &links)) }
    let latest = made.map(\.latencySamples).max() ?? 0
    branches = made.map { Branch($0, waitSamples: latest - $0.latencySamples) }
    statedLatency = latest
    share = 1 / Float(chains.count)
  }

  /// The longest tail; used on the audio thread, so it allocates no array.
  override var tailSamples: Int { branches.reduce(0) { max($0, $1.series.tailSamples) } }

  override func reset() { for branch in branches { branch.reset() } }

  override func process(_ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>) {
    let count = left.count
    for i in 0..<count {
      (inLeft[i], inRight[i]) = (left[i], right[i])
      (left[i], right[i]) = (0, 0)
    }
    for branch in branches {
      for i in 0..<count { (workLeft[i], workRight[i]) = (inLeft[i], inRight[i]) }
      var l = workLeft.mutablePrefix(count)
      var r = workRight.mutablePrefix(count)
      branch.process(&l, &r)
      for i in 0..<count {
        left[i] += l[i]
        right[i] += r[i]
      }
    }
    for i in 0..<count {
      left[i] *= share
      right[i] *= share
    }
  }

  private static func buffer() -> RealtimeArray<Float> {
    RealtimeArray<Float>(count: CrossfadingSlot.longestStretch)
  }

  private final class Branch {
    let series: Series
    private var wait: StereoDelay

    init(_ series: Series, waitSamples: Int) {
      self.series = series
      wait = StereoDelay(samples: waitSamples)
    }

    func reset() {
      series.reset()
      wait.reset()
    }

    func process(_ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>) {
      series.process(&left, &right)
      guard wait.samples > 0 else { return }
      for i in 0..<left.count {
        let late = wait.next(SIMD2(left[i], right[i]))
        (left[i], right[i]) = (late.x, late.y)
      }
    }
  }
}

extension EffectChain.Link {
  fileprivate func running(sampleRateHz: Double) throws(SettingsError) -> EffectLink {
    func made(_ settings: some EffectSettings) throws(SettingsError) -> EffectLink {
      try EffectLink(settings, mix: mix, isOn: isOn, sampleRateHz: sampleRateHz)
    }
    return try made(settings)
  }
}
