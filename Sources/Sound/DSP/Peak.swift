/// Returns the place of the maximum of a parabola through three neighbouring values, in steps from the
/// middle one; `nil` if the parabola has none.
@_noLocks @inlinable package func peakOffset(
  _ below: Double, _ here: Double, _ above: Double
) -> Double? {
  let curvature = below - 2 * here + above
  return curvature < 0 ? (below - above) / (2 * curvature) : nil
}

/// Returns the same of values in single precision.
@_noLocks @inlinable package func peakOffset(
  _ below: Float, _ here: Float, _ above: Float
) -> Float? {
  let curvature = below - 2 * here + above
  return curvature < 0 ? (below - above) / (2 * curvature) : nil
}
