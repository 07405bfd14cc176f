import DSP
import Effects
import Synchronization

/// An effect for tests of racks: a delay with one softer repetition, exact to the sample.
struct Late: Effect, ~Copyable {
  struct Settings: EffectSettings {
    var lateSamples = 0.0
    var repeatSamples = 0.0  // after the first; 0 is none
    var repeatGain = 0.5

    static let effect = "late"
    static let summary = "comes later, and once more"
    static let parameters: [Parameter<Settings>] = [
      .init("lateSamples", \.lateSamples, in: 0...20_000, "delay, all of it latency"),
      .init("repeatSamples", \.repeatSamples, in: 0...20_000, "distance of the second"),
      .init("repeatGain", \.repeatGain, in: 0...1, "its level"),
    ]

    init() {}

    init(_ lateSamples: Double, repeatSamples: Double = 0) {
      (self.lateSamples, self.repeatSamples) = (lateSamples, repeatSamples)
    }

    func running(at rateHz: Double) -> RunningEffect { .of(Late.self, self, rateHz) }
  }

  /// The number of instances that exist.
  static let alive = Atomic(0)

  private let settings: Settings
  private var gain: Ramp
  private var past = RealtimeArray<Float>(count: 2 * 65_536)
  private var now = 0

  init(_ settings: Settings, sampleRateHz: Double) {
    self.settings = settings
    gain = Ramp(Float(settings.repeatGain))
    Self.alive.add(1, ordering: .relaxed)
  }

  deinit { Self.alive.subtract(1, ordering: .relaxed) }

  var latencySamples: Int { @_noLocks get { Int(settings.lateSamples) } }
  var tailSamples: Int { @_noLocks get { Int(settings.repeatSamples) } }

  @_noLocks mutating func reset() {
    past.clear()
    now = 0
    gain.finish()
  }

  @_noLocks mutating func apply(_ settings: Settings) {
    gain.aim(at: Float(settings.repeatGain), overSamples: 960)
  }

  @_noLocks mutating func process(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>
  ) {
    let count = left.count
    let first = Int(settings.lateSamples)
    let second = Int(settings.repeatSamples)
    for i in 0..<count {
      past[2 * now] = left[i]
      past[2 * now + 1] = right[i]
      let (a, b) = ((now - first) & 65_535, (now - first - second) & 65_535)
      let level = gain.next()
      left[i] = past[2 * a] + (second > 0 ? level * past[2 * b] : 0)
      right[i] = past[2 * a + 1] + (second > 0 ? level * past[2 * b + 1] : 0)
      now = (now + 1) & 65_535
    }
  }
}
