/// What a grain is cut at: a mark, or two neighbours of which the grain is a mix.
///
/// A copy's periods fall between those of the input, so a grain of the nearest mark alone makes the voice jump
/// from one period to the next. Mixed, .59 and not .89 % of the frames of speech are wrong, and 4.6 and not
/// 5.5 lost (scripts/peers/people.py).
struct MarkMix: BitwiseCopyable {
  /// The nearest mark.
  private(set) var first: PeriodMap.Mark
  private var second: PeriodMap.Mark
  /// Share of the second, at most a half.
  private(set) var share: Double

  @_noLocks init(_ mark: PeriodMap.Mark) { (first, second, share) = (mark, mark, 0) }

  /// The mix at an instant; the first alone if the two are no neighbours in one voice.
  @_noLocks init(_ first: PeriodMap.Mark, _ second: PeriodMap.Mark, at time: Double) {
    self.init(first)
    let distance = second.time - first.time
    guard distance.magnitude < PeriodMap.leap * first.period,
      distance.magnitude > first.period / PeriodMap.leap
    else { return }
    self.second = second
    share = min(max((time - first.time) / distance, 0), 0.5)
  }

  static var none: MarkMix { @_noLocks get { MarkMix(.none) } }

  var number: Int { @_noLocks get { first.number } }
  var period: Double { @_noLocks get { first.period } }
  var drift: Double { @_noLocks get { first.drift } }
  /// Where the sound about the second mark repeats that about the first: marks are pulled, and mixed about
  /// the marks the pulses of both would be apart.
  var secondTime: Double { @_noLocks get { second.straightTime + first.drift } }
  var latestTime: Double { @_noLocks get { max(first.time, secondTime) } }

  /// The same mix by what is known of its marks now; `nil` if the voice has ended.
  @_noLocks func updated(_ periods: borrowing PeriodMap) -> MarkMix? {
    guard let first = periods.mark(numbered: first.number),
      let second = periods.mark(numbered: second.number)
    else { return nil }
    var mix = self
    (mix.first, mix.second) = (first, second)
    return mix
  }
}
