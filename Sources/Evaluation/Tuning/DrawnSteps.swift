/// The coordinates of settings in each draw: the steps of all faults together, then latency and cost.
struct DrawnSteps: Sendable {
  let settings: Int
  /// Steps of all faults by setting and draw; `nil` if none is weighed.
  private let faults: [[Double]]?
  /// Steps of latency and cost, as far as they are weighed, by axis, setting and draw.
  private let paid: [[[Double]]]
  /// Figures of each axis with a budget; `nil` if nothing in the run defines it.
  private let budgets: [(figures: [[Double?]]?, isOver: @Sendable (Double) -> Bool)]

  /// - Parameters:
  ///   - faults: steps of all faults by setting and draw.
  ///   - drawn: figures of latency and cost, and of axes with a budget, by setting and draw.
  init(
    _ faults: [[Double]], _ drawn: [TuneAxis: [[Double?]]], _ weighed: [TuneAxis],
    _ goal: TuneGoal, settings: Int
  ) {
    self.settings = settings
    self.faults = weighed.contains(where: \.isAudible) ? faults : nil
    paid = weighed.filter { !$0.isAudible }.map { axis in
      (0..<settings).map { setting in
        drawn[axis]?[setting].map { $0.map { goal.steps(axis, $0) } ?? .nan } ?? []
      }
    }
    budgets = goal.budgets.map { axis, budget in
      (drawn[axis], { axis.excess($0, over: budget) > 0 })
    }
  }

  /// Returns the coordinates of all settings as `TuneGoal.coordinates` defines them.
  func coordinates(inDraw draw: Int) -> FrontPoints {
    let first = faults == nil ? 0 : 1
    var points = FrontPoints(count: settings, width: first + paid.count)
    for index in 0..<settings {
      if let faults { points[index, 0] = faults[index][draw] }
      for (place, steps) in paid.enumerated() where !steps[index].isEmpty {
        points[index, first + place] = steps[index][draw]
      }
    }
    return points
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
