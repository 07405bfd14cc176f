import Foundation

/// The steps of settings in each draw, laid out for counting: a run has 2000 settings and 200 draws.
struct DrawnSteps: Sendable {
  private let settings: Int
  /// Drawn figures of each heard axis with its scale and weight.
  private let heard: [Axis]
  private let paid: [Axis]
  /// Figures of each axis with a budget; `nil` if nothing in the run defines it.
  private let budgets: [(figures: [[Double?]]?, isOver: @Sendable (Double) -> Bool)]

  private struct Axis: Sendable {
    var figures: [[Double?]]
    var steps: @Sendable (Double) -> Double
  }

  /// - Parameter drawn: figures by axis, setting and draw.
  init(
    _ drawn: [TuneAxis: [[Double?]]], _ weighed: [TuneAxis], _ goal: TuneGoal, settings: Int
  ) {
    self.settings = settings
    let none = [[Double?]](repeating: [], count: settings)
    func axes(_ chosen: [TuneAxis]) -> [Axis] {
      chosen.map { axis in
        let (scale, isHeard) = (goal.scale(axis), axis.isHeard)
        let weight = goal.weights?.weight(of: axis) ?? 1
        return Axis(figures: drawn[axis] ?? none) { value in
          // As `TuneGoal.steps`, whose scales and weights take longer to look up than the logarithm.
          let units = axis.shortfall(value) / scale
          return isHeard ? weight * log2(1 + units) : units
        }
      }
    }
    heard = axes(weighed.filter(\.isHeard))
    paid = axes(weighed.filter { !$0.isHeard })
    budgets = goal.budgets.map { axis, budget in
      (drawn[axis], { axis == .intelligibility ? $0 < budget : $0 > budget })
    }
  }

  /// Returns the coordinates of all settings as `TuneGoal.coordinates` defines them.
  func coordinates(inDraw draw: Int) -> FrontPoints {
    let first = heard.isEmpty ? 0 : 1
    var points = FrontPoints(count: settings, width: first + paid.count)
    for index in 0..<settings {
      if first == 1 {
        var sum = 0.0
        for axis in heard { sum += Self.steps(axis, index, draw) }
        points[index, 0] = sum
      }
      for (place, axis) in paid.enumerated() {
        points[index, first + place] = Self.steps(axis, index, draw)
      }
    }
    return points
  }

  private static func steps(_ axis: Axis, _ index: Int, _ draw: Int) -> Double {
    let figures = axis.figures[index]
    guard !figures.isEmpty, let value = figures[draw] else { return .nan }
    return axis.steps(value)
  }

  /// Returns true if a setting is within all budgets.
  func fits(_ index: Int, inDraw draw: Int) -> Bool {
    budgets.allSatisfy { figures, isOver in
      guard let value = figures?[index][draw] else { return false }
      return !isOver(value)
    }
  }
}

/// Points of equal width in one list; a coordinate that is missing is NaN.
struct FrontPoints: Sendable {
  let count: Int
  let width: Int
  private var coordinates: [Double]

  init(count: Int, width: Int) {
    (self.count, self.width) = (count, width)
    coordinates = [Double](repeating: .nan, count: count * width)
  }

  init(_ points: [[Double?]]) {
    self.init(count: points.count, width: points.first?.count ?? 0)
    for (index, point) in points.enumerated() {
      for (place, value) in point.enumerated() { self[index, place] = value ?? .nan }
    }
  }

  subscript(point: Int, place: Int) -> Double {
    get { coordinates[point * width + place] }
    set { coordinates[point * width + place] = newValue }
  }

  /// Returns true if a point has all coordinates.
  func isWhole(_ point: Int) -> Bool {
    for place in 0..<width where self[point, place].isNaN { return false }
    return true
  }

  /// True if some point has all coordinates.
  var hasWhole: Bool { (0..<count).contains { isWhole($0) } }

  /// Returns the sum of a point's coordinates; `nil` if one is missing, and without coordinates.
  func total(_ point: Int) -> Double? {
    guard width > 0, isWhole(point) else { return nil }
    var sum = 0.0
    for place in 0..<width { sum += self[point, place] }
    return sum
  }
}
