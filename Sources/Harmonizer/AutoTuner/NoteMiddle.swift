import DSP

/// The pitch that a note is held at, beneath its vibrato.
///
/// The mean of the running means of the last `spanMs`, which takes out any vibrato of that period
/// wholly, and of 4.5 to 7.5 Hz all but a twentieth. It grows from the first pitch of the note, so
/// it is an answer at once, and a calm one after a period of the vibrato.
///
/// - Allocates: in `init` only.
struct NoteMiddle: ~Copyable, @unchecked Sendable {
  /// One period at 5.5 Hz.
  static let spanMs = 1000 / 5.5

  private var pitches: RunningMean
  private var means: RunningMean

  init(hopMs: Double) {
    let count = max(1, Int((Self.spanMs / hopMs).rounded()))
    pitches = RunningMean(count: count)
    means = RunningMean(count: count)
  }

  /// Goes on to the next pitch of the note; returns where its middle is.
  @_noLocks mutating func next(_ pitch: Double) -> Double { means.next(pitches.next(pitch)) }

  /// Begins a note.
  @_noLocks mutating func reset() {
    pitches.reset()
    means.reset()
  }
}

/// The mean of the last values, of as many as there are at the start.
///
/// - Allocates: in `init` only.
private struct RunningMean: ~Copyable, @unchecked Sendable {
  private var values: RealtimeArray<Double>
  private var valueCount = 0

  init(count: Int) {
    values = RealtimeArray(count: count)
  }

  /// Sums anew each time: a sum kept up would never forget a wrong value.
  @_noLocks mutating func next(_ value: Double) -> Double {
    values[valueCount % values.count] = value
    valueCount += 1
    let count = min(valueCount, values.count)
    var sum = 0.0
    for i in 0..<count { sum += values[i] }
    return sum / Double(count)
  }

  @_noLocks mutating func reset() { valueCount = 0 }
}
