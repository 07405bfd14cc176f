/// Returns the place of the maximum of a parabola through three neighbouring values, in steps from the
/// middle one; `nil` if the parabola has none.
@_transparent package func peakOffset<Value: BinaryFloatingPoint>(
  _ below: Value, _ here: Value, _ above: Value
) -> Value? {
  let curvature = below - 2 * here + above
  return curvature < 0 ? (below - above) / (2 * curvature) : nil
}
