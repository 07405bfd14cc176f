extension [SIMD4<Double>] {
  /// Arranges numbers in fours; the last is filled up with `padding`.
  init(_ values: [Double], padding: Double) {
    self = stride(from: 0, to: values.count, by: 4).map { start in
      var four = SIMD4<Double>(repeating: padding)
      for lane in 0..<Swift.min(4, values.count - start) { four[lane] = values[start + lane] }
      return four
    }
  }

  /// Returns the first `count` numbers.
  func numbers(_ count: Int) -> [Double] {
    (0..<count).map { self[$0 / 4][$0 % 4] }
  }
}
