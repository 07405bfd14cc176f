import DSP
import Foundation

/// The correlation of a stream with its own past at every lag, kept up to date sample by sample.
///
/// Products are summed in blocks of a hop; a correlation adds up the latest blocks, as many as suit
/// its lag, so that each lag is judged over about two of its own periods. What a lag's products are
/// measured by, the energies of the past, differ from lag to lag by a sample at each end.
///
/// - Cost: one multiplication a sample and lag, and two more a block of the window.
struct LagProducts: ~Copyable {
  /// Lags 0 up to, not including, this; a multiple of 8.
  let lagCount: Int
  private let blockCount: Int
  /// Weight of the block of each age at each lag, one row an age.
  private let weights: FloatBuffer
  /// Mean age of what a lag's correlation is made of, in samples.
  private let ages: FloatBuffer
  private let hopSamples: Int
  private let ringCount: Int  // a power of two

  private var past: FloatBuffer  // twice over, the newest first
  private var newest = 0
  private var products: FloatBuffer  // of the block under way
  private var blockProducts: FloatBuffer  // one row a block
  private var blockEnergies: FloatBuffer
  private var block = 0

  /// - Parameters:
  ///   - windowSamples: the window that suits a lag.
  init(longestLag: Int, hopSamples: Int, windowSamples: (Int) -> Double) {
    lagCount = (longestLag + 1 + 7) / 8 * 8
    let longest = max(windowSamples(0), windowSamples(lagCount - 1))
    let hop = Double(hopSamples)
    blockCount = max(1, Int((longest / hop).rounded(.up)))
    var weights = [Float](repeating: 0, count: blockCount * lagCount)
    var ages = [Float](repeating: 0, count: lagCount)
    for lag in 0..<lagCount {
      let window = max(windowSamples(lag), hop)
      var (sum, moment) = (0.0, 0.0)
      for age in 0..<blockCount {
        let middle = (Double(age) + 0.5) * hop
        // Level at first, then falling like a cosine.
        let weight = middle < window ? 0.5 + 0.5 * cos(.pi * middle / window) : 0
        weights[age * lagCount + lag] = Float(weight)
        sum += weight
        moment += weight * middle
      }
      ages[lag] = Float(moment / sum + Double(lag) / 2)
    }
    self.weights = FloatBuffer(weights)
    self.ages = FloatBuffer(ages)
    self.hopSamples = hopSamples
    ringCount = 1 << (Int.bitWidth - (lagCount + hopSamples).leadingZeroBitCount)
    past = FloatBuffer(count: 2 * ringCount)
    products = FloatBuffer(count: lagCount)
    blockProducts = FloatBuffer(count: blockCount * lagCount)
    blockEnergies = FloatBuffer(count: blockCount * lagCount)
  }

  @_noLocks mutating func reset() {
    past.clear()
    products.clear()
    blockProducts.clear()
    blockEnergies.clear()
    newest = 0
    block = 0
  }

  /// How long ago, in samples, the middle of what the correlation at `lag` compares was.
  @_noLocks func age(atLag lag: Int) -> Double { Double(ages[lag]) }

  @_noLocks mutating func add(_ sample: Float) {
    newest = (newest &- 1) & (ringCount &- 1)
    past[newest] = sample
    past[newest &+ ringCount] = sample
    for lag in stride(from: 0, to: lagCount, by: 8) {
      let earlier = past[eightAt: newest &+ lag]
      products[eightAt: lag] += sample * earlier
    }
  }

  /// Ends a block and writes the correlation at each lag, -1 to 1; returns the block's energy.
  @_noLocks mutating func close(into correlation: inout FloatBuffer) -> Float {
    keepBlock()
    for lag in stride(from: 0, to: lagCount, by: 8) {
      correlation[eightAt: lag] = weighted(lag)
    }
    return blockEnergies[block * lagCount]
  }

  /// Moves the block under way among those kept.
  @_noLocks private mutating func keepBlock() {
    block = block + 1 == blockCount ? 0 : block + 1
    let row = block * lagCount
    for lag in stride(from: 0, to: lagCount, by: 8) {
      blockProducts[eightAt: row + lag] = products[eightAt: lag]
    }
    products.clear()
    // Of the block as far back as each lag: one sample comes in, another goes.
    var energy = 0.0
    for age in 0..<hopSamples { energy += square(age) }
    var most = 0.0
    for lag in 0..<lagCount {
      most = max(most, energy)
      // What is 130 dB below a sound that has gone out again is lost in the rounding of that.
      blockEnergies[row + lag] = Float(max(energy, 1e-13 * most))
      energy += square(lag + hopSamples) - square(lag)
    }
  }

  /// Of the sample so long ago.
  @inline(__always) @_noLocks private func square(_ age: Int) -> Double {
    let sample = Double(past[newest &+ age])
    return sample * sample
  }

  /// The correlation at eight lags from `lag` on.
  @_noLocks private func weighted(_ lag: Int) -> SIMD8<Float> {
    var product = SIMD8<Float>.zero
    var (early, late) = (product, product)
    for age in 0..<blockCount {
      let row = (block >= age ? block - age : block - age + blockCount) * lagCount
      let weight = weights[eightAt: age * lagCount + lag]
      product += weight * blockProducts[eightAt: row + lag]
      early += weight * blockEnergies[eightAt: row + lag]
      late += weight * blockEnergies[row]
    }
    return product / RealtimeMath.root(early * late + 1e-30)
  }
}
