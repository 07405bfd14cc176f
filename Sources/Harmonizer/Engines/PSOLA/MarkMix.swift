/// Source of a grain: a mark, or two neighbours of which the grain is a mix.
///
/// A copy's periods fall between those of the input, so grains of the nearest marks alone make the voice jump
/// from one period to the next: 5.6 % of the frames of speech are lost then, with mixes 5.0
/// (docs/notes/psola.md).
struct MarkMix: BitwiseCopyable {
  /// The nearest mark.
  private(set) var first: PeriodMap.Mark
  private var second: PeriodMap.Mark
  /// Share of the second.
  private(set) var share: Double
  /// True if one of the marks was not known yet.
  private var isPredicted = true

  /// Share of the second where both are as near. With 0.5 as few frames are lost, and breath, which differs
  /// from period to period, loses 1.8 dB instead of 1.
  private static var largestShare: Double { @_noLocks get { 0.25 } }

  @_noLocks init(_ mark: PeriodMap.Mark) { (first, second, share) = (mark, mark, 0) }

  /// The mix at an instant; the first alone if the two are no neighbours in one voice.
  @_noLocks init(_ first: PeriodMap.Mark, _ second: PeriodMap.Mark, at time: Double) {
    self.init(first)
    let distance = second.time - first.time
    guard distance.magnitude < PeriodMap.leap * first.period,
      distance.magnitude > first.period / PeriodMap.leap
    else { return }
    self.second = second
    share = Self.largestShare * min(max(2 * (time - first.time) / distance, 0), 1)
  }

  static var none: MarkMix { @_noLocks get { MarkMix(.none) } }

  var number: Int { @_noLocks get { first.number } }
  var period: Double { @_noLocks get { first.period } }
  var drift: Double { @_noLocks get { first.drift } }
  /// Time near the second mark at which the sound repeats that at the first mark. Marks are pulled, so the
  /// pulses about the marks themselves would not coincide.
  var secondTime: Double { @_noLocks get { second.straightTime + first.drift } }
  var latestTime: Double { @_noLocks get { max(first.time, secondTime) } }

  /// The same mix by what is known of its marks now; `nil` if the voice has ended.
  @_noLocks func updated(_ periods: borrowing PeriodMap) -> MarkMix? {
    guard isPredicted else { return self }
    guard let first = periods.mark(numbered: first.number),
      let second = periods.mark(numbered: second.number)
    else { return nil }
    var mix = self
    (mix.first, mix.second) = (first, second)
    mix.isPredicted = max(first.number, second.number) > periods.newest.number
    return mix
  }
}
