import DSP

/// The places of the grains of one copy: each one period of the copy after the last, counted in the
/// input's periods one delay earlier.
///
/// A grain is placed before all of the input that it stands for is known. Its place is then partly
/// predicted, and so is the mark it is cut at, by the same rule: the two errors cancel, and the pulse
/// comes where it should. So the next grain is counted from where the last one belonged by what is
/// known now, not from where it was placed. Counted from there, each period of the copy would contain
/// a part of the input's period before, and the pitch would be half a period late.
///
/// Places are on the scale of `PeriodMap.Mark.straightTime`.
struct GrainTrajectory: ~Copyable {
  struct Step: BitwiseCopyable {
    var place: Double
    /// Delay from the input to the grain.
    var delay: Double
    /// Periods of the input to the next grain.
    var periods: Double
  }

  /// Length of the ring; an octave up has five grains in it.
  private static var capacity: Int { @_noLocks get { 16 } }
  // Not an `InlineArray`: calls would be given a copy of it with the voice.
  private var steps = RealtimeArray(
    repeating: Step(place: 0, delay: 0, periods: 1), count: GrainTrajectory.capacity)
  private var first = 0
  private var last = 0

  /// Starts anew with a grain at a place.
  @_noLocks mutating func start(at place: Double) {
    (first, last) = (0, 0)
    steps[0].place = place
  }

  /// Records that the next grain was placed where `next` last returned.
  @_noLocks mutating func append(_ place: Double) {
    last &+= 1
    if last &- first >= Self.capacity { first &+= 1 }
    steps[unchecked: last & (Self.capacity - 1)].place = place
  }

  /// The place where a grain belongs by what was known at the last `next`; `nil` if the voice began anew
  /// since.
  ///
  /// - Parameter before: how many grains before the newest.
  @_noLocks func place(before: Int) -> Double? {
    guard before <= last, before < Self.capacity else { return nil }
    return steps[unchecked: (last &- before) & (Self.capacity - 1)].place
  }

  /// The place of the grain after the newest.
  ///
  /// - Parameters:
  ///   - count: how many of the input's periods there are to it.
  ///   - delay: from the input to the newest grain.
  @_noLocks mutating func next(
    afterPeriods count: Double, delay: Double, _ periods: borrowing PeriodMap
  ) -> Double {
    steps[unchecked: last & (Self.capacity - 1)].periods = count
    steps[unchecked: last & (Self.capacity - 1)].delay = delay
    let known = periods.newest.straightTime
    var number = first
    while true {
      let step = steps[unchecked: number & (Self.capacity - 1)]
      let source = step.place - step.delay
      let next = step.place + periods.length(ofPeriods: step.periods, from: source)
      guard number < last else { return next }
      number &+= 1
      steps[unchecked: number & (Self.capacity - 1)].place = next
      if next - step.delay <= known { first = number }
    }
  }
}
