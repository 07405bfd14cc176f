/// The cells that a run computes, in their order, except that a few may wait for others at work on
/// the same reference.
struct CellQueue {
  /// The cells that have not begun.
  private(set) var left: ArraySlice<Cell>

  init(_ pending: [Cell]) { left = pending[...] }

  /// Largest number of cells that one may overtake.
  private static let longestJump = 15

  /// Returns the next cell to begin, and `nil` at the end.
  ///
  /// - Parameter running: cells at work now. A cell that shares its reference with none of them
  ///   goes first, since two would wait for each other at every analysis of it.
  mutating func next(besides running: [Cell] = []) -> Cell? {
    guard !running.isEmpty, left.count > 1 else { return left.popFirst() }
    let references = Set(running.map(\.reference))
    let place =
      left.prefix(Self.longestJump + 1).firstIndex { !references.contains($0.reference) }
      ?? left.startIndex
    let cell = left[place]
    for later in stride(from: place, to: left.startIndex, by: -1) { left[later] = left[later - 1] }
    left.removeFirst()
    return cell
  }
}
