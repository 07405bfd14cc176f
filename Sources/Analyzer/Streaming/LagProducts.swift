import DSP
import Foundation

/// The correlation of a stream with its own past at every lag, kept up to date hop by hop.
///
/// Products are summed in blocks of a hop, when it ends; a correlation adds up the latest blocks, as
/// many as suit its lag, so that each lag is judged over about two of its own periods. What a lag's
/// products are measured by, the energies of the past, differ from lag to lag by a sample at each end.
///
/// - Cost: one multiplication a sample and lag, and two more a block of the window.
struct LagProducts: ~Copyable {
  /// Lags 0 up to, not including, this; a multiple of 8.
  let lagCount: Int
  private let blockCount: Int
  /// Weight of the block of each age at each lag, one row an age.
  private let weights: FloatBuffer
  /// How many ages have any weight at the eight lags from each eighth on.
  private let depths: Slots<Int>
  /// Mean age of what a lag's correlation is made of, in samples.
  private let ages: FloatBuffer
  private let hopSamples: Int
  private let ringCount: Int  // a power of two

  private var past: FloatBuffer  // twice over, the newest first
  private var newest = 0
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
    depths = Slots(lagCount / 8, repeating: 0)
    for lag in 0..<lagCount {
      let window = max(windowSamples(lag), hop)
      var (sum, moment) = (0.0, 0.0)
      for age in 0..<blockCount {
        let middle = (Double(age) + 0.5) * hop
        // Level at first, then falling like a cosine.
        let weight = middle < window ? 0.5 + 0.5 * cos(.pi * middle / window) : 0
        weights[age * lagCount + lag] = Float(weight)
        if weight > 0 { depths.values[lag / 8] = max(depths.values[lag / 8], age + 1) }
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
    blockProducts = FloatBuffer(count: blockCount * lagCount)
    blockEnergies = FloatBuffer(count: blockCount * lagCount)
  }

  @_noLocks mutating func reset() {
    past.clear()
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
  }

  /// Ends a block and writes the correlation at each lag, -1 to 1; returns the block's energy.
  @_noLocks mutating func close(into correlation: inout FloatBuffer) -> Float {
    block = block + 1 == blockCount ? 0 : block + 1
    keepProducts()
    keepEnergies()
    var lag = 0
    while lag < lagCount {
      correlation[eightAt: lag] = weighted(lag)
      lag &+= 8
    }
    return blockEnergies[block * lagCount]
  }

  /// Of the samples of the block, the oldest first, with those a lag before them.
  @_noLocks private mutating func keepProducts() {
    let row = block &* lagCount
    var lag = 0
    while lag < lagCount {
      var sum = SIMD8<Float>.zero
      var at = newest &+ hopSamples
      while at > newest {
        at &-= 1
        sum += past[at] * past[eightAt: at &+ lag]
      }
      blockProducts[eightAt: row &+ lag] = sum
      lag &+= 8
    }
  }

  /// Of the block as far back as each lag: one sample comes in, another goes.
  @_noLocks private mutating func keepEnergies() {
    let row = block &* lagCount
    var energy = 0.0
    for age in 0..<hopSamples { energy += square(age) }
    var most = 0.0
    var lag = 0
    while lag < lagCount {
      if energy > most { most = energy }
      // What is 130 dB below a sound that has gone out again is lost in the rounding of that.
      let least = 1e-13 * most
      blockEnergies[row &+ lag] = Float(energy > least ? energy : least)
      energy += square(lag &+ hopSamples) - square(lag)
      lag &+= 1
    }
  }

  /// Of the sample so long ago.
  @inline(__always) @_noLocks private func square(_ age: Int) -> Double {
    let sample = Double(past[newest &+ age])
    return sample * sample
  }

  /// The correlation at eight lags from `lag` on.
  @inline(__always) @_noLocks private func weighted(_ lag: Int) -> SIMD8<Float> {
    var product = SIMD8<Float>.zero
    var (early, late) = (product, product)
    let end = lag &+ depths.values[lag / 8] &* lagCount
    var (at, row) = (lag, block &* lagCount)
    while at < end {
      let weight = weights[eightAt: at]
      product += weight * blockProducts[eightAt: row &+ lag]
      early += weight * blockEnergies[eightAt: row &+ lag]
      late += weight * blockEnergies[row]
      at &+= lagCount
      row = row == 0 ? (blockCount &- 1) &* lagCount : row &- lagCount
    }
    return product / RealtimeMath.root(early * late + 1e-30)
  }
}
