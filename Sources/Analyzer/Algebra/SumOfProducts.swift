/// The dot product of two arrays of `count` numbers, eight at a time.
@inline(__always)
func sumOfProducts(
  _ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>, _ count: Int
) -> Double {
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

/// The sum of a vector's numbers, four at a time.
func sum(of values: [Double]) -> Double {
  unsafe values.withUnsafeBytes { bytes in
    var sums = SIMD4<Double>.zero
    let whole = values.count & ~3
    for place in stride(from: 0, to: 8 &* whole, by: 32) {
      sums += unsafe bytes.loadUnaligned(fromByteOffset: place, as: SIMD4<Double>.self)
    }
    return values[whole...].reduce(sums.sum(), +)
  }
}

extension [Double] {
  /// The dot products with several vectors of the same length, four at a time: each number of this
  /// vector is read once for four products.
  func products(with others: ArraySlice<[Double]>) -> [Double] {
    precondition(others.allSatisfy { $0.count == count }, "vectors of one length")
    var products: [Double] = []
    products.reserveCapacity(others.count)
    var rest = others
    while rest.count >= 4 {
      let first = rest.startIndex
      let four = fourProducts(rest[first], rest[first + 1], rest[first + 2], rest[first + 3])
      products.append(contentsOf: [four[0], four[1], four[2], four[3]])
      rest = rest.dropFirst(4)
    }
    return products + rest.map { dot(self, $0) }
  }

  private func fourProducts(
    _ a: [Double], _ b: [Double], _ c: [Double], _ d: [Double]
  ) -> SIMD4<Double> {
    unsafe withUnsafeBytes { own in
      unsafe a.withUnsafeBytes { a in
        unsafe b.withUnsafeBytes { b in
          unsafe c.withUnsafeBytes { c in
            unsafe d.withUnsafeBytes { d in
              typealias Four = SIMD4<Double>
              var (sumA, sumB, sumC, sumD) = (Four.zero, Four.zero, Four.zero, Four.zero)
              let whole = count & ~3
              for place in stride(from: 0, to: 8 &* whole, by: 32) {
                let x = unsafe own.loadUnaligned(fromByteOffset: place, as: Four.self)
                unsafe sumA += x * a.loadUnaligned(fromByteOffset: place, as: Four.self)
                unsafe sumB += x * b.loadUnaligned(fromByteOffset: place, as: Four.self)
                unsafe sumC += x * c.loadUnaligned(fromByteOffset: place, as: Four.self)
                unsafe sumD += x * d.loadUnaligned(fromByteOffset: place, as: Four.self)
              }
              var sums = Four(sumA.sum(), sumB.sum(), sumC.sum(), sumD.sum())
              for place in stride(from: 8 &* whole, to: 8 &* count, by: 8) {
                let x = unsafe own.load(fromByteOffset: place, as: Double.self)
                sums +=
                  unsafe x
                  * Four(
                    a.load(fromByteOffset: place, as: Double.self),
                    b.load(fromByteOffset: place, as: Double.self),
                    c.load(fromByteOffset: place, as: Double.self),
                    d.load(fromByteOffset: place, as: Double.self))
              }
              return sums
            }
          }
        }
      }
    }
  }
}
