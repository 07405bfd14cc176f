/// The sum of products of two vectors; the shorter one's length counts.
///
/// Sums in eight lanes, which the compiler can't do by itself without reordering.
func dot(_ a: [Double], _ b: [Double]) -> Double {
  let (x, y) = (a.span, b.span)
  let count = min(x.count, y.count)
  var lanes = SIMD8<Double>.zero
  var i = 0
  while i + 8 <= count {
    var (u, v) = (SIMD8<Double>(), SIMD8<Double>())
    for k in 0..<8 {
      u[k] = unsafe x[unchecked: i + k]
      v[k] = unsafe y[unchecked: i + k]
    }
    lanes += u * v
    i += 8
  }
  var sum = lanes.sum()
  while i < count {
    sum += x[i] * y[i]
    i += 1
  }
  return sum
}
