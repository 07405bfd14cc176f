import DSP

/// The loudness of a sound in four bands, filtered side by side.
///
/// Every number is the same as that of `ButterworthBand` and `LoudnessCurve` for each band alone.
struct FourBands {
  /// One section of all four filters. The zeros at 0 Hz and at half the sample rate need no
  /// products.
  private struct Section {
    let a1: Four
    let a2: Four
    var s1 = Four.zero
    var s2 = Four.zero

    init(_ bands: [ButterworthBand?], _ index: Int) {
      var (a1, a2) = (Four.zero, Four.zero)
      for (lane, band) in bands.enumerated() {
        guard let band else { continue }
        (a1[lane], a2[lane]) = (band.sections[index].a1, band.sections[index].a2)
      }
      (self.a1, self.a2) = (a1, a2)
    }

    @inline(__always) mutating func next(_ input: Four) -> Four {
      let output = input + s1
      s1 = s2 - a1 * output
      s2 = Four.zero - input - a2 * output
      return output
    }
  }

  private let sections: [Section]
  private let gains: Four
  private let isPresent: [Bool]

  /// - Parameter bands: the four bands; `nil` for one that the sample rate doesn't reach.
  init(_ bands: [ButterworthBand?]) {
    precondition(bands.count == 4, "four bands")
    sections = (0..<4).map { Section(bands, $0) }
    isPresent = bands.map { $0 != nil }
    var gains = Four.zero
    for (lane, band) in bands.enumerated() { gains[lane] = band?.gain ?? 0 }
    self.gains = gains
  }

  /// Returns the loudness curve of each band; an empty one for a band that is `nil`.
  func curves(of signal: Signal) -> [[Double]] {
    let windows = LoudnessCurve.Windows(count: signal.count, sampleRateHz: signal.sampleRateHz)
    var curves = isPresent.map { [Double](repeating: 0, count: $0 ? windows.count : 0) }
    // The squares are summed up to each sample. Only the sums that a window can reach are kept.
    let mask = powerOfTwo(above: windows.longest) - 1
    var latest = [Four](repeating: .zero, count: mask + 1)
    var sums = latest.mutableSpan
    var (first, second, third, fourth) = (sections[0], sections[1], sections[2], sections[3])
    let samples = signal.samples.span
    var sum = Four.zero
    var next = 0
    var range = windows[0]
    for n in 0...samples.count {
      if n > 0 {
        let sample = samples[n - 1]
        let input = gains * (sample.isFinite ? Double(sample) : 0)
        sum += Self.powers(fourth.next(third.next(second.next(first.next(input)))))
      }
      sums[inBounds: n & mask] = sum
      while next < windows.count, range.upperBound == n {
        let energy = sum - sums[inBounds: range.lowerBound & mask]
        var mean = energy / Double(max(1, range.count))
        mean.replace(with: 0, where: mean .< 0)
        let loudness = mean.squareRoot()
        for band in 0..<4 where isPresent[band] { curves[band][next] = loudness[band] }
        next += 1
        range = windows[next]
      }
    }
    return curves
  }

  /// The squares of samples in single precision; 0 for those that are not finite.
  @inline(__always) private static func powers(_ value: Four) -> Four {
    let samples = Four(
      Double(Float(value[0])), Double(Float(value[1])), Double(Float(value[2])),
      Double(Float(value[3])))
    var powers = samples * samples
    powers.replace(with: 0, where: .!(powers .< Double.infinity))
    return powers
  }
}

/// A number for each band.
private typealias Four = SIMD4<Double>
