import DSP
import Foundation

/// The normal equations of a model: first the amplitudes of the partials by frequency, then the
/// coefficients of the paths, voice by voice.
struct HarmonicEquations {
  /// The block of amplitudes: lower triangle, rows from the model's `first` on.
  var matrix: [Complex]
  /// The block of amplitudes and coefficients: a row for each coefficient.
  var border: [[Complex]]
  /// The block of coefficients.
  var corner: SymmetricMatrix
}

extension HarmonicModel {
  /// The regularization that determines the split between coinciding partials.
  var ridge: Double { Self.ridge * frame.weightSum }

  /// - Parameter degree: number of coefficients of a path.
  mutating func equations(degree: Int) -> HarmonicEquations {
    arrange()
    let products = products()
    let count = order.count
    // One array for all rows: a row of rows is checked for other owners at each change.
    var border = [Complex](repeating: Complex(), count: paths.count * degree * count)
    var corner = SymmetricMatrix(count: paths.count * degree)
    var matrix: [Complex] = []
    matrix.reserveCapacity(products.count / 7)
    let slopes = order.map { slope($0) }
    let voices = order.map { partials[$0].voice * degree }
    var sums = border.mutableSpan
    var at = 0
    for i in order.indices {
      let mine = voices[i]
      for j in first[i]...i {
        let other = voices[j]
        matrix.append(products[at] + Complex(i == j ? ridge : 0, 0))
        let both = slopes[i].conjugate * slopes[j]
        for n in 0..<degree {
          let product = products[at + n + 1]
          let place = (other + n) * count + i
          sums[place] = sums[place] + slopes[j] * product
          if i != j {
            let mirrored = (mine + n) * count + j
            sums[mirrored] = sums[mirrored] + slopes[i] * product.conjugate
          }
          for m in 0..<degree {
            let value = (both * products[at + n + m + 2]).re
            let (a, b) = (max(mine + n, other + m), min(mine + n, other + m))
            // An entry off the diagonal needs both orders of a pair of different partials, or two
            // of these sums.
            if i != j {
              corner[a, b] += a == b ? 2 * value : value
            } else if m <= n {
              corner[a, b] += value
            }
          }
        }
        at += 7
      }
    }
    return HarmonicEquations(
      matrix: matrix,
      border: (0..<paths.count * degree).map { Array(border[$0 * count..<($0 + 1) * count]) },
      corner: corner)
  }

  /// The derivative of a partial by its voice's phase, i h a; 0 if the partial is shared or
  /// covered.
  func slope(_ p: Int) -> Complex {
    let partial = partials[p]
    guard !partial.isShared, !partial.isCovered else { return Complex() }
    return Complex(-partial.amplitude.im, partial.amplitude.re) * Double(partial.number)
  }

  func hz(_ p: Int) -> Double { paths[partials[p].voice].f0Hz * Double(partials[p].number) }

  /// Sorts the partials, marks those that coincide, and finds the reach of each row.
  private mutating func arrange() {
    let hz = partials.indices.map { self.hz($0) }
    order = partials.indices.sorted { hz[$0] < hz[$1] }
    let bin = 1 / (2 * frame.halfSeconds)
    for p in partials.indices {
      partials[p].isShared = false
      partials[p].isCrowded = false
      partials[p].isCovered = isCovered(partials[p])
    }
    first = []
    var from = 0
    for i in order.indices {
      while hz[order[i]] - hz[order[from]] > Self.reachBins * bin { from += 1 }
      first.append(from)
      for j in (from..<i).reversed() {
        let apart = (hz[order[i]] - hz[order[j]]) / bin
        guard apart < Self.crowdedBins else { break }
        guard partials[order[i]].voice != partials[order[j]].voice else { continue }
        for p in [order[i], order[j]] {
          partials[p].isCrowded = true
          if apart < Self.sharedBins { partials[p].isShared = true }
        }
      }
    }
  }

  /// True if a higher voice is nearly a multiple of the partial's voice and lies on this partial.
  private func isCovered(_ partial: Partial) -> Bool {
    let own = paths[partial.voice]
    return paths.contains { path in
      path.harmonic(of: own).map { partial.number.isMultiple(of: $0) } ?? false
    }
  }

  /// The products of neighbouring partials, weighted and multiplied with time to the powers 0 to 6:
  /// seven per pair, in rows that start at `first`.
  private mutating func products() -> [Complex] {
    let width = Self.blockCount / 8
    let step = 2 / Double(Self.blockCount)
    // One voice alone has no neighbouring partials.
    if first.indices.contains(where: { first[$0] < $0 }) { fill(from: -1 + step / 2, by: step) }
    let pairs = first.enumerated().reduce(0) { $0 + $1.offset - $1.element + 1 }
    var result = [Complex](repeating: Complex(), count: 7 * pairs)
    var both = [SIMD8<Float>](repeating: .zero, count: 2 * width)
    let z = phasors.span
    let w = frame.window.productWeights.span
    var sums = result.mutableSpan
    var product = both.mutableSpan
    var at = 0
    for i in order.indices {
      let zi = 2 * width * order[i]
      for j in first[i]...i {
        if i == j {
          for power in 0..<7 { sums[at + power].re = frame.window.moments[power] }
          at += 7
          continue
        }
        let zj = 2 * width * order[j]
        for v in 0..<width {
          let (ci, si) = (z[inBounds: zi + v], z[inBounds: zi + width + v])
          let (cj, sj) = (z[inBounds: zj + v], z[inBounds: zj + width + v])
          product[inBounds: v] = ci * cj + si * sj
          product[inBounds: width + v] = ci * sj - si * cj
        }
        for power in 0..<7 {
          var (re, im) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
          for v in 0..<width {
            let weight = w[inBounds: power * width + v]
            re += weight * product[inBounds: v]
            im += weight * product[inBounds: width + v]
          }
          sums[at + power] = Complex(Double(re.sum()), Double(im.sum()))
        }
        at += 7
      }
    }
    return result
  }
}
