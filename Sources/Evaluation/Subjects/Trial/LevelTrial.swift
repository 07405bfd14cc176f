import Statistics

/// The level of a sound after a disturbance beside its level without one, of a subject that may sing at
/// another level every time.
///
/// A first difference is rendered again. It counts if all levels with the disturbance lie above all
/// without it, or below them: of six and six, chance orders one pair of 462 so.
struct LevelTrial {
  /// Levels of a rendering without the disturbance and of one with it.
  typealias Pair = (cleanDb: Double, disturbedDb: Double)

  /// Change of level that nobody should hear after a disturbance.
  static let limitDb = 3.0
  /// Number of renderings of each sound that prove a change.
  static let renderings = 6

  private var clean: [Double]
  private var disturbed: [Double]

  init(_ first: Pair, again: () throws -> Pair) rethrows {
    (clean, disturbed) = ([first.cleanDb], [first.disturbedDb])
    while isChanged, clean.count < Self.renderings {
      let pair = try again()
      clean.append(pair.cleanDb)
      disturbed.append(pair.disturbedDb)
    }
  }

  /// Change of the median level.
  var changeDb: Double { Statistics.median(disturbed)! - Statistics.median(clean)! }

  var isChanged: Bool {
    let isApart = clean.max()! < disturbed.min()! || disturbed.max()! < clean.min()!
    return isApart && abs(changeDb) > Self.limitDb
  }
}
