/// The greatest integer not above `value`, which must fit an `Int`. Never allocates or locks.
@inlinable @inline(__always) @_noLocks package func floorOf(_ value: Double) -> Int {
  let whole = Int(value)
  return Double(whole) > value ? whole - 1 : whole
}

/// The integer nearest to `value`, which must fit an `Int`; ties go up. Never allocates or locks.
@inlinable @inline(__always) @_noLocks package func nearestOf(_ value: Double) -> Int {
  floorOf(value + 0.5)
}
