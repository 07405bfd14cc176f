import Analyzer

/// The latest periods of a voice: where they are, how long, and, where they aren't known yet, what
/// they will probably be.
struct PeriodMap: ~Copyable {
  struct Mark: BitwiseCopyable {
    /// In samples of the input.
    var time: Double
    /// Of the voice at this mark, in samples; not quite the distance from the mark before.
    var period: Double
    var isVoiced: Bool
    /// Counts the marks of a stream; those foretold count on.
    var number: Int
    /// How far marks have been pulled so far, in samples.
    var drift: Double
    /// Where it would be if none had been pulled: a period after the one before.
    var straightTime: Double { @_noLocks get { time - drift } }

    @_noLocks init(
      time: Double, period: Double, isVoiced: Bool, number: Int, drift: Double = 0
    ) {
      self.drift = drift
      self.time = time
      self.period = period
      self.isVoiced = isVoiced
      self.number = number
    }

    static var none: Mark {
      @_noLocks get { Mark(time: 0, period: 1, isVoiced: false, number: -1) }
    }
  }

  private static var capacity: Int { @_noLocks get { 64 } }
  /// Share of their trend by which periods to come are thought to differ from the newest, where only their
  /// length counts. Marks foretold by all of it swing too far; this makes up for what that takes away.
  private static var lean: Double { @_noLocks get { 0.25 } }
  private let marks: UnsafeMutableBufferPointer<Mark>
  /// Marks so far.
  private(set) var count = 0
  /// The first mark of the voice that sounds or sounded last, by its number.
  private var first = 0
  /// The last mark of that voice.
  private var last = -1
  /// Whether the newest mark is one of a voice.
  private(set) var isVoiced = false
  /// When the voice began that sounds or sounded last.
  private var began = 0.0
  /// From the middle of the sound that a period was measured by to the middle of that period, in periods.
  private let age: Double

  init(age: Double) {
    self.age = age
    marks = .allocate(capacity: Self.capacity)
    marks.initialize(repeating: .none)
  }

  deinit { marks.deallocate() }

  @_noLocks mutating func reset() {
    (count, first, last, isVoiced, began) = (0, 0, -1, false, 0)
  }

  /// Takes the next mark; what else there is counts where there is a voice.
  ///
  /// - Parameters:
  ///   - period: by which the sound repeats itself.
  ///   - pull: by how much the mark before is farther away than that.
  @_noLocks mutating func add(_ time: Double, period: Double, pull: Double, isVoiced: Bool) {
    let before = last >= 0 ? newest.drift : 0
    unsafe marks[count & (Self.capacity - 1)] = Mark(
      time: time, period: period, isVoiced: isVoiced, number: count, drift: before + pull)
    if isVoiced {
      if !self.isVoiced { (first, began) = (count, time) }
      last = count
    }
    self.isVoiced = isVoiced
    count &+= 1
  }

  /// The last mark of the voice.
  var newest: Mark { @_noLocks get { mark(max(last, 0)) } }

  /// Whether the voice sounds at an instant, as far as one knows.
  @_noLocks func sounds(at time: Double) -> Bool {
    guard last >= first else { return false }
    return isVoiced || time < newest.time + 0.5 * newest.period
  }

  @inline(__always) @_noLocks private func mark(_ number: Int) -> Mark {
    unsafe marks[number & (Self.capacity - 1)]
  }

  @inline(__always) private var oldest: Int {
    @_noLocks get { max(first, count &- Self.capacity) }
  }

  /// How long so many periods last from `start` on, an instant on the scale of `straightTime`.
  @_noLocks func length(ofPeriods periods: Double, from start: Double) -> Double {
    var number = last
    while number > oldest, mark(number &- 1).straightTime > start { number &-= 1 }
    var (time, rest) = (start, periods)
    while number <= last {
      let next = mark(number)
      let share = (next.straightTime - time) / next.period
      if share > rest { return time + rest * next.period - start }
      if share > 0 {
        rest -= share
        time = next.straightTime
      }
      number &+= 1
    }
    let period = newest.period
    let trend = Self.lean * outlook(byTrend: true).trend
    let beyond = (time - newest.straightTime) / period
    return time - start + rest * (period + (beyond + 0.5 * rest + 0.5 + age) * trend)
  }

  /// Of the periods to come: the mean of the last two, for a voice that alternates, and by how much each
  /// differs from the one before, by the last four. Without that a vibrato would lose 1.5 (2π rate · period)²
  /// of its extent, but it is noisy: a pitch that is given does better without.
  @_noLocks private func outlook(byTrend: Bool) -> (period: Double, trend: Double) {
    let period = newest.period
    guard last > first else { return (period, 0) }
    let before = mark(last &- 1).period
    guard (period - before).magnitude < 0.12 * period else { return (period, 0) }
    let mean = 0.5 * (period + before)
    guard byTrend, last &- 3 > oldest else { return (mean, 0) }
    let earlier = mark(last &- 2).period + mark(last &- 3).period
    let trend = 0.25 * (period + before - earlier)
    return (mean, min(max(trend, -0.01 * period), 0.01 * period))
  }

  /// The mark nearest to an instant but not after `latest`, a future one if need be.
  @_noLocks func mark(near time: Double, notAfter latest: Double, byTrend: Bool) -> Mark {
    var best = newest
    if time > best.time {
      let (period, trend) = outlook(byTrend: byTrend)
      var ahead = min(Int((time - best.time) / period + 0.5), 3)
      repeat {
        // The mean of the last two is that of half a period before the newest.
        let steps = Double(ahead)
        best.time = newest.time + steps * (period + (0.5 * (steps + 1) + 0.5 + age) * trend)
        best.number = newest.number &+ ahead
        ahead &-= 1
      } while best.time > latest && ahead >= 0
      if best.time <= latest { return best }
      best = newest
    }
    var number = last
    while number > oldest {
      let before = mark(number &- 1)
      let isNearer = (before.time - time).magnitude < (best.time - time).magnitude
      guard isNearer || best.time > latest else { break }
      best = before
      number &-= 1
    }
    return best
  }
}
