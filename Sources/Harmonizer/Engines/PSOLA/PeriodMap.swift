import Analyzer
import DSP

/// The latest periods of a voice: where they are, how long, and, where they aren't known yet, what
/// they will probably be.
struct PeriodMap: ~Copyable {
  struct Mark: BitwiseCopyable {
    /// Time in samples of the input.
    var time: Double
    /// Period of the voice at this mark, in samples; not quite the distance from the mark before.
    var period: Double
    var isVoiced: Bool
    /// Counts the marks of a stream; predicted ones continue the count.
    var number: Int
    /// Sum of all pulls of marks so far, in samples.
    var drift: Double
    /// Time of the mark if none had been pulled: a period after the one before.
    var straightTime: Double { @_noLocks get { time - drift } }

    @_noLocks init(time: Double, period: Double, isVoiced: Bool, number: Int, drift: Double = 0) {
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

  /// A period that differs by more from the one before is not one that a voice slid to.
  static var leap: Double { @_noLocks get { 1.3 } }

  private static var capacity: Int { @_noLocks get { 64 } }
  private var marks: RealtimeArray<Mark>
  /// Marks so far.
  private(set) var count = 0
  /// The first mark of the voice that sounds or sounded last, by its number.
  private var first = 0
  /// The last mark of that voice.
  private var last = -1
  /// True if the newest mark is one of a voice.
  private(set) var isVoiced = false

  init() { marks = RealtimeArray(repeating: .none, count: Self.capacity) }

  @_noLocks mutating func reset() {
    (count, first, last, isVoiced) = (0, 0, -1, false)
  }

  /// Adds the next mark. Its period and pull count only if it is voiced.
  ///
  /// - Parameters:
  ///   - period: by which the sound repeats itself.
  ///   - pull: by how much the mark before is farther away than that.
  @_noLocks mutating func add(_ time: Double, period: Double, pull: Double, isVoiced: Bool) {
    let before = last >= 0 ? newest.drift : 0
    marks[count & (Self.capacity - 1)] = Mark(
      time: time, period: period, isVoiced: isVoiced, number: count, drift: before + pull)
    if isVoiced {
      if !self.isVoiced { first = count }
      last = count
    }
    self.isVoiced = isVoiced
    count &+= 1
  }

  /// The last mark of the voice.
  var newest: Mark { @_noLocks get { mark(max(last, 0)) } }

  /// True if the voice sounds at an instant, by what is known.
  @_noLocks func sounds(at time: Double) -> Bool {
    guard last >= first else { return false }
    return isVoiced || time < newest.time + 0.5 * newest.period
  }

  @inline(__always) @_noLocks private func mark(_ number: Int) -> Mark {
    marks[unchecked: number & (Self.capacity - 1)]
  }

  @inline(__always) private var oldest: Int {
    @_noLocks get { max(first, count &- Self.capacity) }
  }

  /// Returns the length of a number of periods from `start` on, an instant on the scale of
  /// `straightTime`.
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
    return time + rest * predictedPeriod - start
  }

  /// The prediction of the periods to come: the mean of the last two, for a voice that alternates. Grains are
  /// corrected when their marks are known, so a trend of the periods wins nothing.
  private var predictedPeriod: Double {
    @_noLocks get {
      guard last > first else { return newest.period }
      let before = mark(last &- 1).period
      let isSlide = (newest.period - before).magnitude < EpochTracker.widestChange * newest.period
      return isSlide ? 0.5 * (newest.period + before) : newest.period
    }
  }

  /// The marks about an instant: the nearest and, if marks up to a period later could be used, its
  /// neighbour on the other side. Mixing earlier marks alone would make the voice late.
  @_noLocks func marks(about time: Double, notAfter latest: Double) -> MarkMix {
    let first = mark(near: time, notAfter: latest)
    let neighbour = time < first.time ? first.number &- 1 : first.number &+ 1
    guard latest - time >= first.period, let second = mark(numbered: neighbour) else {
      return MarkMix(first)
    }
    return MarkMix(first, second, at: time)
  }

  /// The mark of a number, a future one if need be; `nil` if the voice has none.
  @_noLocks func mark(numbered number: Int) -> Mark? {
    guard number >= oldest, last >= first else { return nil }
    if number <= last { return mark(number) }
    guard isVoiced else { return nil }
    return future(number &- last, predictedPeriod)
  }

  /// The predicted mark `ahead` periods after the newest.
  @_noLocks private func future(_ ahead: Int, _ period: Double) -> Mark {
    var mark = newest
    mark.time += Double(ahead) * period
    mark.number &+= ahead
    return mark
  }

  /// The mark nearest to an instant but not after `latest`, a future one if need be.
  @_noLocks func mark(near time: Double, notAfter latest: Double) -> Mark {
    var best = newest
    if time > best.time {
      let period = predictedPeriod
      var ahead = min(Int((time - best.time) / period + 0.5), 3)
      while ahead > 0 {
        let mark = future(ahead, period)
        if mark.time <= latest { return mark }
        ahead &-= 1
      }
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
