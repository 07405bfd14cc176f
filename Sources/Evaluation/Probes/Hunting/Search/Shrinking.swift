import Platform

/// The simplest sound that still shows a fault: fewest parameters away from plain, then the
/// shortest sound and the smallest changes.
///
/// - Source: Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002,
///   whose delta debugging makes ever smaller parts of the parameters plain.
struct Shrinking {
  let kind: FaultKind
  let jobs: Int
  /// True to try combinations where many parameters are left, which takes up to 200 sounds.
  let combines: Bool
  /// Severity that has to be exceeded.
  var beyond = 0.0
  let judge: @Sendable (HuntPoint) -> Judgement

  /// Parameters that a recipe may have; a shorter sound must not make it more complicated than
  /// that.
  static let maxParameters = 3

  /// Returns the simplest judgement that has the fault; after a cancellation the simplest so far.
  func shrunk(_ first: Judgement) async -> Judgement {
    var best = first
    best = await withFewerParameters(best)
    best = await withFew(best)
    best = await withStronger(best)
    best = await shorter(best)
    best = await nearer(best)
    return best
  }

  /// Returns the first of the points that still shows the fault.
  private func first(of points: [HuntPoint], than now: HuntPoint) async -> Judgement? {
    let new = points.filter { $0 != now }
    // One point for each job at a time; nothing after the first success is judged.
    for start in stride(from: 0, to: new.count, by: max(1, jobs)) where !Task.isCancelled {
      let part = Array(new[start..<min(start + max(1, jobs), new.count)])
      let judged = await part.concurrentMap(jobs: jobs, judge)
      let found = judged.first { ($0.fault(kind)?.severity ?? 0) > beyond }
      if let found { return found }
    }
    return nil
  }

  private func withFewerParameters(_ start: Judgement) async -> Judgement {
    var best = start
    var size = max(1, best.point.awayCount / 2)
    while true {
      let keys = best.point.keys
      let parts = stride(from: 0, to: keys.count, by: size).map {
        best.point.plain(Array(keys[$0..<min($0 + size, keys.count)])).normalized
      }.filter { $0.awayCount < best.point.awayCount }
      if let found = await first(of: parts, than: best.point) {
        best = found
        size = max(1, min(size, best.point.awayCount))
      } else if size == 1 {
        return best
      } else {
        size = max(1, size / 2)
      }
    }
  }

  /// Tries all combinations of at most three parameters where more are left: what one step can't
  /// make plain, several may.
  private func withFew(_ start: Judgement) async -> Judgement {
    let keys = start.point.keys
    guard combines, keys.count > Self.maxParameters, keys.count <= Self.maxCombined else {
      return start
    }
    let few = (1...Self.maxParameters).flatMap { size in Self.combinations(of: keys, size) }
    let points = few.map { kept in
      start.point.plain(keys.filter { !kept.contains($0) }).normalized
    }.filter { $0.awayCount <= Self.maxParameters }
    return await first(of: points.uniqued(), than: start.point) ?? start
  }

  /// Most parameters of which all combinations are tried.
  private static let maxCombined = 10

  private static func combinations(of keys: [HuntPoint.Key], _ size: Int) -> [[HuntPoint.Key]] {
    guard size > 0 else { return [[]] }
    return keys.indices.flatMap { index in
      combinations(of: Array(keys[(index + 1)...]), size - 1).map { [keys[index]] + $0 }
    }
  }

  /// Makes one parameter plain and moves another to the end of its range, where more than a recipe
  /// may have are left: parameters make up for each other, as a soft vowel and a low level do.
  private func withStronger(_ start: Judgement) async -> Judgement {
    var best = start
    while combines, best.point.awayCount > Self.maxParameters {
      let candidates = best.point.keys.flatMap { key in
        best.point.away.compactMap { parameter -> HuntPoint? in
          guard key != .parameter(parameter), let end = parameter.end(beyond: best.point) else {
            return nil
          }
          var point = best.point.plain([key])
          point[parameter] = end
          return point.normalized
        }
      }.filter { $0.awayCount < best.point.awayCount }
      guard let found = await first(of: candidates.uniqued(), than: best.point) else { return best }
      best = found
    }
    return best
  }

  private func shorter(_ start: Judgement) async -> Judgement {
    let point = start.point
    guard point.awayCount < Self.maxParameters || point.away.contains(.seconds) else {
      return start
    }
    let candidates = [0.15, 0.2, 0.3, 0.4, 0.5, 0.6].filter { $0 < point.noteSeconds }
      .map { seconds -> HuntPoint in
        var shorter = point
        shorter[.seconds] = seconds
        return shorter
      }
    return await first(of: candidates, than: point) ?? start
  }

  /// Moves each number as near to plain as the fault allows.
  private func nearer(_ start: Judgement) async -> Judgement {
    var best = start
    for parameter in start.point.away where parameter != .seconds {
      guard case .number = parameter.domain, let value = best.point[parameter],
        let plain = parameter.plain ?? parameter.mildest
      else { continue }
      let candidates = [0.1, 0.25, 0.5, 0.75, 0.9].map { share -> HuntPoint in
        var nearer = best.point
        nearer[parameter] = plain + share * (value - plain)
        return nearer.normalized
      }.filter { $0.awayCount <= best.point.awayCount }
      if let found = await first(of: candidates, than: best.point) { best = found }
    }
    return best
  }
}

extension HuntParameter {
  /// The end of the range on the far side of a point's value from plain; `nil` for a choice.
  fileprivate func end(beyond point: HuntPoint) -> Double? {
    guard case .number(let range, _) = domain, let plain = plain ?? mildest,
      let value = point[self]
    else { return nil }
    return value < plain ? range.lowerBound : range.upperBound
  }

  /// The value nearest to a plain sound where plain has nothing of the kind.
  fileprivate var mildest: Double? {
    switch self {
    case .noiseDb: 60
    case .jitterPercent: 0.3
    case .shimmerPercent: 1.5
    case .breathDb: -26
    case .pulseShape: 1
    default: nil
    }
  }
}

extension HuntPoint {
  /// One thing that sets the point apart from plain.
  enum Key: Equatable {
    case parameter(HuntParameter)
    case setting(String)
  }

  var keys: [Key] { away.map(Key.parameter) + settings.keys.sorted().map(Key.setting) }

  func plain(_ keys: [Key]) -> HuntPoint {
    var point = self
    for key in keys {
      switch key {
      case .parameter(let parameter): point[parameter] = nil
      case .setting(let name): point.settings[name] = nil
      }
    }
    return point
  }
}
