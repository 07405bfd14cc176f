/// A feed-forward network of few weights: layers of sums, each but the last followed by `max(0, x)`.
///
/// Weights lie in the order of the layers: of each layer a row per input, then the constants. Every layer
/// but the last is a multiple of eight wide.
struct SmallNetwork: Sendable {
  private let sizes: [Int]
  private let weights: [Float]

  /// - Parameter sizes: number of inputs, then of the values of each layer; the last has one.
  init(_ sizes: [Int], _ weights: [Float]) {
    let count = zip(sizes, sizes.dropFirst()).reduce(0) { $0 + ($1.0 + 1) * $1.1 }
    precondition(weights.count == count && sizes.last == 1, "\(count) weights are needed")
    precondition(sizes.dropLast().allSatisfy { $0 % 8 == 0 }, "layers must be multiples of eight")
    (self.sizes, self.weights) = (sizes, weights)
  }

  /// Returns the value of the last layer.
  func value(of inputs: [Float]) -> Float {
    precondition(inputs.count == sizes[0], "\(sizes[0]) inputs are needed")
    var values = inputs
    var start = 0
    for layer in 1..<sizes.count - 1 {
      values = hidden(values, start, width: sizes[layer])
      start += (sizes[layer - 1] + 1) * sizes[layer]
    }
    var sum = weights[start + values.count]
    for i in values.indices { sum += values[i] * weights[start + i] }
    return sum
  }

  private func hidden(_ inputs: [Float], _ start: Int, width: Int) -> [Float] {
    let weights = weights.span
    return [Float](unsafeUninitializedCapacity: width) { buffer, count in
      for column in stride(from: 0, to: width, by: 8) {
        var sum = weights[uncheckedEightAt: start &+ inputs.count &* width &+ column]
        for i in 0..<inputs.count {
          sum += inputs[i] * weights[uncheckedEightAt: start &+ i &* width &+ column]
        }
        sum.replace(with: 0, where: sum .< 0)
        for k in 0..<8 { buffer[column + k] = sum[k] }
      }
      count = width
    }
  }
}
