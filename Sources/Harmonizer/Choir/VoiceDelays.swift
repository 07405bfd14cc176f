import DSP

/// Delays several streams, each by a whole number of samples of its own.
///
/// - Allocates: in `init` only.
struct VoiceDelays: ~Copyable {
  private let lengths: RealtimeArray<Int>
  private let starts: RealtimeArray<Int>
  private var places: RealtimeArray<Int>
  private var past: RealtimeArray<Float>  // a ring for each, one after the other

  init(samples: [Int]) {
    lengths = RealtimeArray<Int>(samples)
    starts = RealtimeArray<Int>(samples.indices.map { samples[..<$0].reduce(0, +) })
    places = RealtimeArray<Int>(repeating: 0, count: samples.count)
    past = RealtimeArray<Float>(count: samples.reduce(0, +))
  }

  @_noLocks func samples(ofVoice voice: Int) -> Int { lengths[voice] }

  @_noLocks mutating func reset() {
    past.clear()
    for voice in 0..<places.count { places[voice] = 0 }
  }

  /// Returns the sample of as long ago as the delay.
  @inline(__always) @_noLocks mutating func pass(_ sample: Float, ofVoice voice: Int) -> Float {
    let length = lengths[voice]
    guard length > 0 else { return sample }
    let place = places[voice]
    let at = starts[voice] + place
    let late = past[at]
    past[at] = sample
    places[voice] = place + 1 == length ? 0 : place + 1
    return late
  }

  /// Delays the samples `range` of `samples`.
  @_noLocks mutating func apply(
    to samples: inout MutableSpan<Float>, _ range: Range<Int>, ofVoice voice: Int
  ) {
    guard lengths[voice] > 0 else { return }
    for i in range.lowerBound..<range.upperBound { samples[i] = pass(samples[i], ofVoice: voice) }
  }
}
