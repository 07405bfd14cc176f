import DSP
import Foundation

/// The correlation of a stream with its past at every lag, updated every hop.
///
/// Products are summed in blocks of a hop. The correlation at a lag sums the latest blocks over a
/// window that suits the lag, about two of its periods. The energies of the past, which normalize
/// it, change from lag to lag by one sample at each end.
///
/// - Cost: one multiplication per sample and lag, and two more per block of the window.
struct LagProducts: ~Copyable {
  /// Number of lags from 0; a multiple of 8.
  let lagCount: Int
  private let blockCount: Int
  /// Weight of a block by its age and the lag, in rows of one age.
  private let weights: RealtimeArray<Float>
  /// Number of ages with any weight, for each group of eight lags.
  private let depths: RealtimeArray<Int>
  /// Mean age in samples of the sound in each lag's correlation.
  private let ages: RealtimeArray<Float>
  private let hopSamples: Int

  /// The newest samples.
  private(set) var past: HistoryBuffer
  private var blockProducts: RealtimeArray<Float>  // one row per block
  private var blockEnergies: RealtimeArray<Float>
  private var block = 0

  /// - Parameters:
  ///   - memory: minimum number of samples that `past` keeps.
  ///   - windowSamples: window length for a lag.
  init(longestLag: Int, hopSamples: Int, memory: Int, windowSamples: (Int) -> Double) {
    lagCount = (longestLag + 1 + 7) / 8 * 8
    let longest = max(windowSamples(0), windowSamples(lagCount - 1))
    let hop = Double(hopSamples)
    blockCount = max(1, Int((longest / hop).rounded(.up)))
    var weights = [Float](repeating: 0, count: blockCount * lagCount)
    var ages = [Float](repeating: 0, count: lagCount)
    var depths = [Int](repeating: 0, count: lagCount / 8)
    for lag in 0..<lagCount {
      let window = max(windowSamples(lag), hop)
      var (sum, moment) = (0.0, 0.0)
      for age in 0..<blockCount {
        let middle = (Double(age) + 0.5) * hop
        // Flat at first, then falling like a cosine.
        let weight = middle < window ? 0.5 + 0.5 * cos(.pi * middle / window) : 0
        weights[age * lagCount + lag] = Float(weight)
        if weight > 0 { depths[lag / 8] = max(depths[lag / 8], age + 1) }
        sum += weight
        moment += weight * middle
      }
      ages[lag] = Float(moment / sum + Double(lag) / 2)
    }
    self.weights = RealtimeArray<Float>(weights)
    self.ages = RealtimeArray(ages)
    self.depths = RealtimeArray(depths)
    self.hopSamples = hopSamples
    past = HistoryBuffer(longest: max(lagCount + hopSamples, memory), window: lagCount + hopSamples)
    blockProducts = RealtimeArray<Float>(count: blockCount * lagCount)
    blockEnergies = RealtimeArray<Float>(count: blockCount * lagCount)
  }

  @_noLocks mutating func reset() {
    past.reset()
    blockProducts.clear()
    blockEnergies.clear()
    block = 0
  }

  /// Age in samples of the centre of the sound that the correlation at `lag` compares.
  @_noLocks func age(atLag lag: Int) -> Double { Double(ages[lag]) }

  @_noLocks mutating func add(_ sample: Float) { past.push(sample) }

  /// Ends a block and writes the correlation at each lag, -1 to 1; returns the block's energy.
  @_noLocks mutating func close(into correlation: inout RealtimeArray<Float>) -> Float {
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

  /// Stores the products of the block's samples, oldest first, with those one lag before.
  @_noLocks private mutating func keepProducts() {
    let row = block &* lagCount
    let window = past.place(of: past.count &- hopSamples &- lagCount)
    let (first, end) = (window &+ lagCount, window &+ lagCount &+ hopSamples)
    var lag = 0
    while lag < lagCount {
      var sum = SIMD8<Float>.zero  // the longest lag first
      var at = first
      while at < end {
        sum += past.sample(inWindow: at) * past.eight(inWindow: at &- lag &- 7)
        at &+= 1
      }
      blockProducts[uncheckedEightAt: row &+ lag] = sum.reversed
      lag &+= 8
    }
  }

  /// Stores the energy of the block shifted back by each lag: one sample enters, one leaves.
  @_noLocks private mutating func keepEnergies() {
    let row = block &* lagCount
    var energy = 0.0
    for age in 0..<hopSamples { energy += square(age) }
    var most = 0.0
    var lag = 0
    while lag < lagCount {
      if energy > most { most = energy }
      // Rounding hides whatever is 130 dB below a sound that has left the sum.
      let least = 1e-13 * most
      blockEnergies[unchecked: row &+ lag] = Float(energy > least ? energy : least)
      energy += square(lag &+ hopSamples) - square(lag)
      lag &+= 1
    }
  }

  /// The square of the sample of a given age.
  @inline(__always) @_noLocks private func square(_ age: Int) -> Double {
    let sample = Double(past[delay: age])
    return sample * sample
  }

  /// The correlation at the eight lags from `lag`.
  @inline(__always) @_noLocks private func weighted(_ lag: Int) -> SIMD8<Float> {
    var product = SIMD8<Float>.zero
    var (early, late) = (product, product)
    let end = lag &+ depths[lag / 8] &* lagCount
    var (at, row) = (lag, block &* lagCount)
    while at < end {
      let weight = weights[uncheckedEightAt: at]
      product += weight * blockProducts[uncheckedEightAt: row &+ lag]
      early += weight * blockEnergies[uncheckedEightAt: row &+ lag]
      late += weight * blockEnergies[unchecked: row]
      at &+= lagCount
      row = row == 0 ? (blockCount &- 1) &* lagCount : row &- lagCount
    }
    return product / RealtimeMath.root(early * late + 1e-30)
  }
}
