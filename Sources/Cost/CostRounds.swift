/// A piece of work that can be done again and again to see what it costs.
public protocol CostRounds: AnyObject {
  /// Begins anew, at other places in memory: where things lie makes the same work some percent
  /// slower or faster for as long as they lie there.
  func renew() throws
  /// Does the work so many times.
  ///
  /// - Returns: the seconds that it took on a core.
  func seconds(times: Int) throws -> Double
}
