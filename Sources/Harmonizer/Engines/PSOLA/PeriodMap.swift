import Analyzer

/// The latest periods of a voice: where they are, how long, and, where they aren't known yet, what
/// they will probably be.
struct PeriodMap: ~Copyable {
  struct Mark: BitwiseCopyable {
    /// In samples of the input.
    var time: Double
    /// Of the voice at this mark, in samples.
    var period: Double
    var isVoiced: Bool
  }

  private static var capacity: Int { @_noLocks get { 64 } }
  private let marks: UnsafeMutableBufferPointer<Mark>
  private var count = 0
  /// The first mark of the voice that sounds or sounded last, by its number.
  private var first = 0
  /// The last mark of that voice.
  private var last = -1
  /// Whether the newest mark is one of a voice.
  private(set) var isVoiced = false

  init() {
    marks = .allocate(capacity: Self.capacity)
    marks.initialize(repeating: Mark(time: 0, period: 1, isVoiced: false))
  }

  deinit { marks.deallocate() }

  @_noLocks mutating func reset() {
    (count, first, last, isVoiced) = (0, 0, -1, false)
  }

  /// Takes the next mark; `period` counts where there is a voice.
  @_noLocks mutating func add(_ time: Double, period: Double, isVoiced: Bool) {
    unsafe marks[count & (Self.capacity - 1)] = Mark(
      time: time, period: period, isVoiced: isVoiced)
    if isVoiced {
      if !self.isVoiced { first = count }
      last = count
    }
    self.isVoiced = isVoiced
    count &+= 1
  }

  /// The last mark of the voice.
  var newest: Mark { @_noLocks get { mark(max(last, 0)) } }

  /// Whether the voice sounds at an instant, as far as one knows.
  @_noLocks func sounds(at time: Double) -> Bool {
    isVoiced || (last >= first && time < newest.time + 0.5 * newest.period)
  }

  @inline(__always) @_noLocks private func mark(_ number: Int) -> Mark {
    unsafe marks[number & (Self.capacity - 1)]
  }

  @inline(__always) private var oldest: Int {
    @_noLocks get { max(first, count &- Self.capacity) }
  }

  /// The instant at which so many periods have gone by since `start`.
  @_noLocks func time(after periods: Double, from start: Double) -> Double {
    var number = last
    while number > oldest, mark(number &- 1).time > start { number &-= 1 }
    var (time, rest) = (start, periods)
    while number <= last {
      let next = mark(number)
      let share = (next.time - time) / next.period
      if share > rest { return time + rest * next.period }
      if share > 0 {
        rest -= share
        time = next.time
      }
      number &+= 1
    }
    return time + rest * newest.period
  }

  /// The mark nearest to an instant but not after `latest`, a future one if need be.
  @_noLocks func mark(near time: Double, notAfter latest: Double) -> Mark {
    var best = newest
    if time > best.time {
      let ahead = Double(Int((time - best.time) / best.period + 0.5))
      best.time += min(ahead, 3) * best.period
      while best.time > latest, best.time > newest.time + 0.5 * best.period {
        best.time -= best.period
      }
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
