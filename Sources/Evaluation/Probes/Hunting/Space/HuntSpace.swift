import Corpus
import DSP
import Subjects

/// The points that a hunt may try: the parameters that the subject can be asked for, and its
/// settings within their ranges.
public struct HuntSpace: Sendable {
  /// A setting of the subject that the hunt may change.
  public struct Axis: Sendable {
    public enum Values: Sendable {
      case range(ClosedRange<Double>)
      case choices([SettingValue])

      /// The values to check: both ends of a range, or all choices.
      public var ends: [SettingValue] {
        switch self {
        case .range(let range): [.number(range.lowerBound), .number(range.upperBound)]
        case .choices(let all): all
        }
      }
    }

    public var name: String
    public var values: Values

    public init(_ name: String, _ values: Values) { (self.name, self.values) = (name, values) }

    func value(at place: Double) -> SettingValue {
      switch values {
      case .choices(let all): all[min(Int(place * Double(all.count)), all.count - 1)]
      case .range(let range):
        // Three digits are enough to tell settings apart, and few enough for a recipe.
        .number(
          ((range.lowerBound + place * (range.upperBound - range.lowerBound)) * 1000).rounded()
            / 1000)
      }
    }
  }

  let parameters: [HuntParameter]
  /// Ways of asking for notes that the subject accepts, as indices of `HuntParameter.Playing`.
  let playings: [Double]
  let axes: [Axis]

  /// Finds what a subject can be asked for.
  ///
  /// - Parameter givesStems: false for a subject that gives a mix only; it is asked for one voice.
  /// - Throws: the subject's error if it does not sing at an interval from the lead.
  init(of subject: any Subject, settings: SubjectSettings, axes: [Axis], givesStems: Bool) throws {
    func accepts(_ change: (inout HuntPoint) -> Void) -> Bool {
      var point = HuntPoint.plain
      change(&point)
      return (try? subject.validate(settings, for: point.score())) != nil
    }
    try subject.validate(settings, for: HuntPoint.plain.score())
    let playings = HuntParameter.Playing.allCases.indices.map { Double($0) }.filter { index in
      accepts { $0[.playing] = index }
    }
    let hasSecond = givesStems && accepts { $0[.second] = 7 }
    parameters = HuntParameter.allCases.filter { parameter in
      switch parameter {
      case .second: hasSecond
      case .playing, .perSecond: playings.count > 1
      default: true
      }
    }
    self.playings = playings
    self.axes = axes
  }

  // MARK: Points

  /// Voice, pitch and interval decide most of what a harmonizer does; no covering leaves them plain.
  private static let primary: Set<HuntParameter> = [.voice, .note, .vowel, .interval]
  /// Share of values at an end of their range, where faults are more frequent than between.
  private static let atEnds = 0.2

  /// Returns points that cover the whole space evenly: in each parameter alone, one point lies in
  /// each of as many equal parts of its range, or at the end of it.
  ///
  /// A parameter that means nothing without another one, such as the leap of a single note, varies
  /// in most points where that one does: faults of leaps would otherwise need two rare choices at
  /// once.
  ///
  /// - Parameter sparseness: share of the secondary parameters that are left plain, from 0 to 1.
  /// - Source: McKay, Beckman and Conover, "A comparison of three methods for selecting values of
  ///   input variables in the analysis of output from a computer code", 1979 (Latin hypercubes).
  func covering(_ count: Int, sparseness: Double, _ random: inout SeededGenerator) -> [HuntPoint] {
    var points = [HuntPoint](repeating: .plain, count: count)
    // Notes lie in the range of the voice, so they come after it.
    for parameter in parameters {
      for (index, place) in places(count, &random).enumerated() {
        let share = shareLeftPlain(parameter, in: points[index], sparseness)
        guard random.uniform() >= share else { continue }
        switch parameter {
        case .note:
          let voice = points[index].voice
          points[index][.note] =
            voice.lowestSemitones + place * (voice.highestSemitones - voice.lowestSemitones)
        case .playing: points[index][.playing] = playings[Int(place * Double(playings.count))]
        default: points[index][parameter] = parameter.value(at: place)
        }
      }
    }
    for axis in axes {
      for (index, place) in places(count, &random).enumerated() {
        guard random.uniform() >= sparseness else { continue }
        points[index].settings[axis.name] = axis.value(at: place)
      }
    }
    return points.map(\.normalized)
  }

  /// Share of points in which a parameter is left plain.
  private func shareLeftPlain(
    _ parameter: HuntParameter, in point: HuntPoint, _ sparseness: Double
  ) -> Double {
    if Self.primary.contains(parameter) { return 0 }
    if Self.blurring.contains(parameter) { return max(sparseness, Self.blurringSparseness) }
    guard let needed = parameter.needs, point.away.contains(needed) else { return sparseness }
    return min(sparseness, Self.dependentSparseness)
  }

  /// Noise and vibrato blind the judges of pitch and of formants, and rough or breathy voices blur
  /// them: a point with all of these costs as much as any other and shows little but failures.
  private static let blurring: Set<HuntParameter> = [
    .vibratoCents, .jitterPercent, .shimmerPercent, .breathDb, .noiseDb,
  ]
  /// Least share of points in which each of them is left plain.
  private static let blurringSparseness = 0.8

  /// Share of points in which a parameter is left plain although what it needs is there.
  private static let dependentSparseness = 0.4

  /// Returns places from 0 up to, not including, 1: one in each of as many parts, in random order.
  private func places(_ count: Int, _ random: inout SeededGenerator) -> [Double] {
    (0..<count).shuffled(using: &random).map { part in
      let place = (Double(part) + random.uniform()) / Double(count)
      let end = random.uniform()
      return end >= Self.atEnds ? place : end < Self.atEnds / 2 ? 0 : 1.0.nextDown
    }
  }

  /// Returns a point near another one: a few of its parameters moved, added or made plain.
  func mutated(_ point: HuntPoint, _ random: inout SeededGenerator) -> HuntPoint {
    var point = point
    for _ in 0..<(1 + Int(random.uniform() * 3)) {
      let index = Int(random.uniform() * Double(parameters.count + axes.count))
      guard index < parameters.count else {
        let axis = axes[index - parameters.count]
        point.settings[axis.name] = axis.value(at: random.uniform())
        continue
      }
      let parameter = parameters[index]
      if random.uniform() < 0.2 {
        point[parameter] = nil
      } else if case .number = parameter.domain, let now = point[parameter] {
        // The sum of three uniform numbers is nearly normal, with a deviation of a half.
        let step = (random.uniform() + random.uniform() + random.uniform() - 1.5) * 0.3
        point[parameter] = parameter.value(at: min(max(parameter.place(of: now) + step, 0), 1))
      } else if parameter == .playing {
        point[parameter] = playings[Int(random.uniform() * Double(playings.count))]
      } else {
        point[parameter] = parameter.value(at: random.uniform())
      }
    }
    return point.normalized
  }

  /// Returns a performance as singers give them, with the subject's own settings.
  func ordinary(_ random: inout SeededGenerator) -> HuntPoint {
    var point = OrdinarySinging.point(&random)
    for parameter in point.away where !parameters.contains(parameter) { point[parameter] = nil }
    if !playings.contains(point.number(.playing)) { point[.playing] = nil }
    return point.normalized
  }
}
