/// A repeatable piece of work whose cost is measured.
public protocol CostRounds: AnyObject {
  /// Recreates the work's objects at other addresses: their layout in memory changes the time by some
  /// percent.
  func renew() throws
  /// Repeats the work.
  ///
  /// - Returns: its processor time in seconds.
  func seconds(times: Int) throws -> Double
}
