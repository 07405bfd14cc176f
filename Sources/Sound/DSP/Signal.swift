import Synchronization

/// A stretch of mono sound: samples, nominally within ±1, and their sample rate.
///
/// Copies share what was computed from the samples, such as the sound at another rate; a change of the
/// samples ends that.
public struct Signal: Equatable, Sendable {
  public var samples: [Float] {
    get { storedSamples }
    // In place: a change of one sample must not copy all.
    _modify {
      renewDerived()
      yield &storedSamples
    }
  }
  public var sampleRateHz: Double { didSet { renewDerived() } }
  private var storedSamples: [Float]
  private var derived = DerivedResults()

  public init(_ samples: [Float], sampleRateHz: Double) {
    precondition(sampleRateHz > 0, "a sample rate is positive")
    storedSamples = samples
    self.sampleRateHz = sampleRateHz
  }

  public var count: Int { samples.count }
  public var durationSeconds: Double { Double(samples.count) / sampleRateHz }

  /// The root mean square level, 0 for an empty signal.
  public var rms: Double {
    guard !samples.isEmpty else { return 0 }
    let energy = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
    return (energy / Double(samples.count)).squareRoot()
  }

  /// The index of the first sample that is NaN or infinite.
  public var firstNonFinite: Int? { samples.firstIndex { !$0.isFinite } }

  /// Returns some of the samples, of which those beyond the end are left out.
  package subscript(range: some RangeExpression<Int>) -> Signal {
    let range = range.relative(to: 0..<count).clamped(to: 0..<count)
    return Signal(Array(samples[range]), sampleRateHz: sampleRateHz)
  }

  /// Returns the part of the signal within a range of time.
  package func cut(_ window: ClosedRange<Double>) -> Signal {
    let low = max(0, Int(window.lowerBound * sampleRateHz))
    return self[low..<max(low, Int(window.upperBound * sampleRateHz))]
  }

  /// Returns the sum of one or more sounds of one length and rate.
  package static func sum(of sounds: [Signal]) -> Signal {
    var sum = sounds[0].samples
    for sound in sounds.dropFirst() {
      for i in sum.indices { sum[i] += sound.samples[i] }
    }
    return Signal(sum, sampleRateHz: sounds[0].sampleRateHz)
  }

  /// The sound with silence in place of samples that are not numbers.
  package var withoutNonFinite: Signal {
    firstNonFinite == nil
      ? self : Signal(samples.map { $0.isFinite ? $0 : 0 }, sampleRateHz: sampleRateHz)
  }

  public static func == (a: Signal, b: Signal) -> Bool {
    a.sampleRateHz == b.sampleRateHz && a.samples == b.samples
  }

  /// Returns a result that depends on the samples alone: computed the first time, and kept as long as
  /// the sound. Threads that ask at once may each compute it.
  ///
  /// - Parameter name: names the result and its parameters.
  package func derived<Result: Sendable>(_ name: String, _ compute: () -> Result) -> Result {
    if let known = derived.known.withLock({ $0[name] }) { return known as! Result }
    let result = compute()
    derived.known.withLock { $0[name] = result }
    return result
  }

  private mutating func renewDerived() {
    guard !isKnownUniquelyReferenced(&derived) || !derived.known.withLock(\.isEmpty) else { return }
    derived = DerivedResults()
  }
}

/// Results that were computed from one sound.
private final class DerivedResults: Sendable {
  let known = Mutex<[String: any Sendable]>([:])
}
