import DSP
import Foundation
import Statistics

/// Which place of a recording is which mark of the tape, and the clock that follows.
///
/// Between two neighbours the recorder's clock is taken to be steady. Where their distance differs from
/// the tape's by more than the marks scatter, sound was lost or repeated: the marks after it have another
/// start, and the same speed.
struct MarkFit {
  /// A mark that was found.
  struct Found {
    /// Its number on the tape.
    var mark: Int
    var atSeconds: Double
    var correlation: Double
  }

  /// Lost or repeated sound between two marks that follow each other.
  struct Step: Equatable {
    /// Number of the mark before it.
    var afterMark: Int
    /// Repeated sound; negative if sound was lost.
    var seconds: Double
  }

  let found: [Found]
  /// Recorded seconds for each second of the tape.
  let speed: Double
  /// Standard deviation of `speed`; infinite if two marks tell it.
  let speedDeviation: Double
  let steps: [Step]
  /// Distances of the marks from the fit, by `found`.
  let residuals: [Double]
  private let marks: [Double]
  /// Recorded start of the tape for each stretch between steps, by the first mark of the stretch.
  private let starts: [(firstMark: Int, seconds: Double)]

  /// Standard deviation of the residuals.
  var scatterSeconds: Double {
    let freedom = max(1, residuals.count - starts.count - 1)
    return (residuals.reduce(0) { $0 + $1 * $1 } / Double(freedom)).squareRoot()
  }

  /// - Parameters:
  ///   - found: the marks in order, each once; at least two.
  ///   - marks: where they are on the tape.
  ///   - minStep: smallest step that can be told.
  init(_ found: [Found], marks: [Double], minStep: Double) {
    (self.found, self.marks) = (found, marks)
    // A mark is found where all of it fits best, so its middle tells the time.
    let half = TapeMark.seconds / 2
    let pairs = zip(found, found.dropFirst())
    // A dropout spoils one distance, so the median over distances stands.
    let rough =
      Statistics.median(
        pairs.map { ($1.atSeconds - $0.atSeconds) / (marks[$1.mark] - marks[$0.mark]) }) ?? 1
    let excess = pairs.map { first, second in
      second.atSeconds - first.atSeconds - rough * (marks[second.mark] - marks[first.mark])
    }
    let scatter = Statistics.median(excess.map(abs)) ?? 0
    // Six times the median size is four standard deviations of normal scatter.
    let limit = max(minStep, 6 * scatter)
    var steps: [Step] = []
    var stretches: [[Found]] = [[found[0]]]
    for (index, amount) in excess.enumerated() {
      if abs(amount) > limit {
        steps.append(Step(afterMark: found[index].mark, seconds: amount))
        stretches.append([])
      }
      stretches[stretches.count - 1].append(found[index + 1])
    }
    // Least squares with one speed for all stretches and a start for each.
    var (product, square) = (0.0, 0.0)
    for stretch in stretches {
      let mean = Statistics.mean(stretch.map { marks[$0.mark] })!
      let meanTime = Statistics.mean(stretch.map(\.atSeconds))!
      for mark in stretch {
        let x = marks[mark.mark] - mean
        product += x * (mark.atSeconds - meanTime)
        square += x * x
      }
    }
    let speed = square > 0 ? product / square : rough
    self.speed = speed
    func start(of found: Found) -> Double {
      found.atSeconds + half - speed * (marks[found.mark] + half)
    }
    starts = stretches.map { ($0[0].mark, Statistics.median($0.map(start))!) }
    self.steps = steps
    residuals = zip(stretches, starts).flatMap { stretch, first in
      stretch.map { start(of: $0) - first.seconds }
    }
    let freedom = residuals.count - stretches.count - 1
    let variance = residuals.reduce(0) { $0 + $1 * $1 } / Double(max(1, freedom))
    speedDeviation = freedom > 0 && square > 0 ? (variance / square).squareRoot() : .infinity
  }

  /// Returns the recorded time of an instant of the tape.
  func recordedSeconds(ofTape time: Double) -> Double {
    let start = starts.last { marks[$0.firstMark] <= time } ?? starts[0]
    return start.seconds + speed * time
  }

  /// The recorded start of the tape.
  var startSeconds: Double { starts[0].seconds }

  // MARK: Which is which

  /// Distance from its place within which a candidate is a mark.
  private static let reach = 0.04
  /// The same relative to the mark before it, after lost sound.
  private static let reachAfterStep = 0.3
  /// Speeds that are tried, so that a tape at another speed is named as such.
  private static let speeds = 0.8...1.25

  /// Number of the best candidates of which two are tried as two of the marks. Of a long tape some of them
  /// are neighbours.
  private static let maxCertain = 40

  /// Finds out which candidates are the marks of a tape.
  ///
  /// - Returns: the marks in order; empty if no three candidates lie as marks do.
  static func matched(_ candidates: [MarkSearch.Candidate], to marks: [Double]) -> [Found] {
    let certain = candidates.sorted { $0.correlation > $1.correlation }.prefix(maxCertain)
      .sorted { $0.atSeconds < $1.atSeconds }
    var best: (weight: Double, found: [Found]) = (0, [])
    for first in certain.indices {
      for second in certain[(first + 1)...].indices {
        let distance = certain[second].atSeconds - certain[first].atSeconds
        for mark in marks.indices {
          for next in marks[(mark + 1)...].indices.prefix(3) {
            let speed = distance / (marks[next] - marks[mark])
            guard speeds.contains(speed) else { continue }
            let start = certain[first].atSeconds - speed * marks[mark]
            let found = assigned(candidates, marks, start, speed)
            let weight = found.reduce(0) { $0 + $1.correlation }
            if weight > best.weight { best = (weight, found) }
          }
        }
      }
    }
    return best.found.count < 3 && marks.count >= 3 ? [] : best.found
  }

  private static func assigned(
    _ candidates: [MarkSearch.Candidate], _ marks: [Double], _ start: Double, _ speed: Double
  ) -> [Found] {
    var found: [Found] = []
    var place = 0
    for (number, mark) in marks.enumerated() {
      let time = start + speed * mark
      while place < candidates.count, candidates[place].atSeconds < time - reach { place += 1 }
      var best: MarkSearch.Candidate?
      for candidate in candidates[place...].prefix(while: { $0.atSeconds <= time + reach })
      where candidate.correlation > best?.correlation ?? 0 { best = candidate }
      if let best {
        found.append(Found(mark: number, atSeconds: best.atSeconds, correlation: best.correlation))
      }
    }
    return found
  }

  /// Adds the marks of a tape that lie at their distance from a neighbour, after lost or repeated sound.
  static func completed(
    _ found: [Found], _ candidates: [MarkSearch.Candidate], _ marks: [Double]
  ) -> [Found] {
    guard found.count > 1 else { return found }
    let speed = speed(of: found, marks)
    var places = Dictionary(uniqueKeysWithValues: found.map { ($0.mark, $0) })
    func add(_ mark: Int, beside neighbour: Int) {
      guard places[mark] == nil, let known = places[neighbour] else { return }
      let time = known.atSeconds + speed * (marks[mark] - marks[neighbour])
      let near = candidates.filter { abs($0.atSeconds - time) <= reachAfterStep }
      guard let best = near.max(by: { $0.correlation < $1.correlation }) else { return }
      places[mark] = Found(mark: mark, atSeconds: best.atSeconds, correlation: best.correlation)
    }
    for mark in marks.indices.dropFirst() { add(mark, beside: mark - 1) }
    for mark in marks.indices.dropLast().reversed() { add(mark, beside: mark + 1) }
    return places.values.sorted { $0.mark < $1.mark }
  }

  // MARK: Another start

  /// Adds the marks before and after those found that lie among themselves as marks do: beyond a pause.
  static func extended(
    _ found: [Found], _ candidates: [MarkSearch.Candidate], _ marks: [Double]
  ) -> [Found] {
    guard let first = found.first, let last = found.last, found.count > 1 else { return found }
    let speed = speed(of: found, marks)
    let clear = candidates.filter { $0.correlation >= MarkSearch.clearCorrelation }
    let before = clear.filter { $0.atSeconds < first.atSeconds - TapeMark.seconds }
    let after = clear.filter { $0.atSeconds > last.atSeconds + TapeMark.seconds }
    return stretch(of: before, marks, speed).filter { $0.mark < first.mark } + found
      + stretch(of: after, marks, speed).filter { $0.mark > last.mark }
  }

  /// Finds the second start of a tape whose copies sound at once.
  ///
  /// - Returns: seconds from the start of the marks that were found; `nil` if all marks are of one tape.
  static func secondStart(
    beside found: [Found], _ candidates: [MarkSearch.Candidate], _ marks: [Double]
  ) -> Double? {
    guard let first = found.first, let last = found.last, found.count > 1 else { return nil }
    let speed = speed(of: found, marks)
    let places = Set(found.map(\.atSeconds))
    let others = candidates.filter {
      $0.correlation > MarkSearch.chanceCorrelation && !places.contains($0.atSeconds)
    }
    let copy = stretch(of: others, marks, speed)
    guard copy.count >= max(3, marks.count / 3), copy[0].atSeconds < last.atSeconds,
      copy[copy.count - 1].atSeconds > first.atSeconds,
      TapeMarks.isTape(
        shareOfMarks: Double(Set((found + copy).map(\.mark)).count) / Double(marks.count),
        speed: speed)
    else { return nil }
    return copy[0].atSeconds - first.atSeconds - speed * (marks[copy[0].mark] - marks[first.mark])
  }

  /// Returns the most candidates that lie as marks do at one start; empty if they may by chance.
  private static func stretch(
    of candidates: [MarkSearch.Candidate], _ marks: [Double], _ speed: Double
  ) -> [Found] {
    var best: [Found] = []
    for candidate in candidates {
      for mark in marks {
        let found = assigned(candidates, marks, candidate.atSeconds - speed * mark, speed)
        if found.count > best.count { best = found }
      }
    }
    return best.count < 3 ? [] : best
  }

  /// Returns the speed of marks that were found by their envelope.
  static func speed(of found: [Found], _ marks: [Double]) -> Double {
    MarkFit(found, marks: marks, minStep: TapeMarks.minStep.envelope).speed
  }
}
