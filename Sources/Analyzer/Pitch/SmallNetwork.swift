import DSP

/// A feed-forward network of few weights: layers of sums, each but the last followed by `max(0, x)`.
///
/// Weights lie in the order of the layers: of each layer a row per input, then the constants. Every layer
/// but the last is a multiple of eight wide.
///
/// - Allocates: in `init` only.
struct SmallNetwork: ~Copyable, Sendable {
  private static var maxWidth: Int { @_noLocks get { 72 } }

  private let sizes: RealtimeArray<Int>
  private let weights: RealtimeArray<Float>

  init(_ table: NetworkTable) { self.init(table.sizes, table.weights) }

  /// - Parameter sizes: number of inputs, then of the values of each layer; the last has one.
  init(_ sizes: [Int], _ weights: [Float]) {
    let count = zip(sizes, sizes.dropFirst()).reduce(0) { $0 + ($1.0 + 1) * $1.1 }
    precondition(weights.count == count && sizes.last == 1, "\(count) weights are needed")
    precondition(
      sizes.dropLast().allSatisfy { $0 % 8 == 0 && $0 <= Self.maxWidth },
      "layers must be multiples of eight, up to \(Self.maxWidth)")
    self.sizes = RealtimeArray(sizes)
    self.weights = RealtimeArray(weights)
  }

  /// Returns a mean of the values of two networks.
  ///
  /// - Parameters:
  ///   - inputs: of both; the last of them are left out by the one that takes fewer.
  ///   - weight: of the other network, 0 to 1.
  func value(of inputs: [Float], _ other: borrowing SmallNetwork, weight: Double) -> Double {
    let inputs = RealtimeArray<Float>(inputs)
    var value = weight < 1 ? (1 - weight) * Double(self.value(of: inputs)) : 0
    if weight > 0 { value += weight * Double(other.value(of: inputs)) }
    return value
  }

  /// Returns the value of the last layer for the inputs from an index on; those after them are left out.
  @_noLocks func value(of inputs: borrowing RealtimeArray<Float>, from first: Int = 0) -> Float {
    // The values of two layers in turn, each half of the buffer.
    var values = InlineArray<144, Float>(repeating: 0)
    var (from, to, count) = (0, Self.maxWidth, sizes[0])
    for i in 0..<count { values[i] = inputs[first &+ i] }
    var start = 0
    for number in 1..<sizes.count &- 1 {
      let width = sizes[number]
      var column = 0
      while column < width {
        var sum = weights[uncheckedEightAt: start &+ count &* width &+ column]
        for i in 0..<count {
          sum +=
            values[unchecked: from &+ i] * weights[uncheckedEightAt: start &+ i &* width &+ column]
        }
        sum.replace(with: 0, where: sum .< 0)
        for k in 0..<8 { values[unchecked: to &+ column &+ k] = sum[k] }
        column &+= 8
      }
      (from, to) = (to, from)
      start &+= (count &+ 1) &* width
      count = width
    }
    var sum = weights[start &+ count]
    for i in 0..<count { sum += values[from &+ i] * weights[start &+ i] }
    return sum
  }
}
