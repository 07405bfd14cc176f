/// The dot product of two arrays of `count` numbers, eight at a time.
@inline(__always)
func sumOfProducts(_ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>, _ count: Int) -> Double {
  let (left, right) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
  var (even, odd) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
  let whole = count & ~7
  for i in stride(from: 0, to: whole, by: 8) {
    let (near, far) = (i &* 8, i &* 8 &+ 32)  // bytes
    even +=
      left.loadUnaligned(fromByteOffset: near, as: SIMD4<Double>.self)
      * right.loadUnaligned(fromByteOffset: near, as: SIMD4<Double>.self)
    odd +=
      left.loadUnaligned(fromByteOffset: far, as: SIMD4<Double>.self)
      * right.loadUnaligned(fromByteOffset: far, as: SIMD4<Double>.self)
  }
  var sum = (even + odd).sum()
  for i in whole..<count { sum += a[i] * b[i] }
  return sum
}

/// The dot product of two vectors, over the length of the shorter one.
func dot(_ a: [Double], _ b: [Double]) -> Double { sumOfProducts(a, b, min(a.count, b.count)) }

/// The dot product of `count` numbers of each of two arrays, from an index of each on.
func dot(
  _ a: [Double], from first: Int, _ b: [Double], from otherFirst: Int, count: Int
) -> Double {
  precondition(
    first >= 0 && otherFirst >= 0 && first + count <= a.count && otherFirst + count <= b.count,
    "a stretch of each array")
  return a.withUnsafeBufferPointer { a in
    b.withUnsafeBufferPointer { b in
      unsafe sumOfProducts(a.baseAddress! + first, b.baseAddress! + otherFirst, count)
    }
  }
}

extension [Double] {
  /// Sums of the first 0, 1, 2 and more numbers: two of them differ by the sum of the numbers between.
  var runningSums: [Double] { reduce(into: [0.0]) { $0.append($0[$0.count - 1] + $1) } }
}
