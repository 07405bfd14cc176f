import Foundation

extension Signal {
  /// The same sound at another sample rate.
  ///
  /// The filter is a polyphase windowed sinc (Kaiser). Images and aliases beyond the lower Nyquist
  /// frequency are at least 100 dB down; the pass band is flat within 0.001 dB up to 0.9 of it.
  /// There is no delay: time 0 stays time 0. Offline; about 150 multiplications a sample, once for each
  /// sound and rate.
  ///
  /// - Source: Crochiere and Rabiner, "Multirate Digital Signal Processing", 1983.
  public func resampled(to rateHz: Double) -> Signal {
    guard rateHz != sampleRateHz, !samples.isEmpty else {
      return rateHz == sampleRateHz ? self : Signal(samples, sampleRateHz: rateHz)
    }
    return derived("resampled \(rateHz)") {
      Signal(
        PolyphaseFilter.shared(from: sampleRateHz, to: rateHz).apply(samples), sampleRateHz: rateHz)
    }
  }
}

extension SoundSource {
  /// The number of samples of the sound at another rate.
  public func count(at rateHz: Double) -> Int {
    rateHz == sampleRateHz
      ? count : PolyphaseFilter.shared(from: sampleRateHz, to: rateHz).outputCount(of: count)
  }

  /// A range of the sound at another rate, bit for bit as in `Signal.resampled(to:)` of the whole.
  /// Samples beyond either end are 0.
  public func resampled(to rateHz: Double, range: Range<Int>) throws(Failure) -> [Float] {
    guard rateHz != sampleRateHz else { return try paddedSamples(range) }
    let filter = PolyphaseFilter.shared(from: sampleRateHz, to: rateHz)
    let inside = range.clamped(to: 0..<filter.outputCount(of: count))
    var output = [Float](repeating: 0, count: range.count)
    guard !inside.isEmpty else { return output }
    let padded = try paddedSamples(filter.inputs(of: inside))
    filter.apply(to: padded, range: inside, into: &output, at: inside.lowerBound - range.lowerBound)
    return output
  }
}

/// A low-pass filter tabulated at fractions of a sample.
private struct PolyphaseFilter: Sendable {
  /// The rate ratio: output samples advance by `down / up` input samples.
  let up: Int
  let down: Int
  /// The half length of the filter in input samples.
  let reach: Int
  /// The length of a row, a multiple of `step`; coefficients beyond `reach` are 0.
  let width: Int
  /// The number of phases that have a row of their own: all `up`, or `maxPhases`, between which a
  /// straight line is drawn.
  let phases: Int
  /// One row of coefficients per phase from 0 to `phases`, which is the first of the next sample.
  let rows: [Float]

  /// The number of products taken at a time.
  static let step = 32

  private static let known = TableCache<[Double], PolyphaseFilter>(limit: 16)

  /// Returns the filter from one rate to another; makes it the first time.
  static func shared(from: Double, to: Double) -> PolyphaseFilter {
    known([from, to]) { PolyphaseFilter(from: from, to: to) }
  }

  private init(from: Double, to: Double) {
    (up, down) = Self.ratio(to / from)
    let narrowing = min(1, to / from)
    // The transition runs from 0.9 to 1 of the lower Nyquist frequency. Kaiser's formulas for a
    // ripple of -100 dB give beta and the half length, in input samples.
    let attenuationDb = 105.0
    let beta = 0.1102 * (attenuationDb - 8.7)
    let transition = 0.1 * narrowing * Double.pi
    let halfLength = (attenuationDb - 7.95) / (2.285 * transition) / 2
    let cutoff = 0.95 * narrowing
    reach = Int(halfLength.rounded(.up)) + 1
    width = (2 * reach + Self.step) / Self.step * Self.step
    phases = min(up, Self.maxPhases)
    var rows = [Float](repeating: 0, count: (phases + 1) * width)
    for phase in 0...phases {
      let fraction = Double(phase) / Double(phases)
      let taps = (-reach...reach).map { offset in
        let x = Double(offset) - fraction
        let sinc = x == 0 ? cutoff : sin(.pi * cutoff * x) / (.pi * x)
        return sinc * Window.kaiser(beta: beta).value(at: x / halfLength)
      }
      let sum = taps.reduce(0, +)
      for (tap, value) in taps.enumerated() { rows[phase * width + tap] = Float(value / sum) }
    }
    self.rows = rows
  }

  func outputCount(of inputCount: Int) -> Int { (inputCount * up + down - 1) / down }

  /// The range of input that a range of output depends on.
  func inputs(of outputs: Range<Int>) -> Range<Int> {
    let first = outputs.lowerBound * down / up
    return first - reach..<(outputs.upperBound - 1) * down / up - reach + width
  }

  func apply(_ input: [Float]) -> [Float] {
    let range = 0..<outputCount(of: input.count)
    var output = [Float](repeating: 0, count: range.count)
    let padding = [Float](repeating: 0, count: reach)
    let padded = padding + input + padding + [Float](repeating: 0, count: Self.step + 1)
    apply(to: padded, range: range, into: &output, at: 0)
    return output
  }

  /// Writes a range of the output to `output`, starting at `place`.
  ///
  /// - Parameter input: the samples of `inputs(of: range)`.
  func apply(to input: [Float], range: Range<Int>, into output: inout [Float], at place: Int) {
    guard let last = range.last else { return }
    let start = range.lowerBound * down / up
    precondition(last * down / up - start + width <= input.count, "the input of the whole range")
    unsafe input.withUnsafeBufferPointer { input in
      unsafe rows.withUnsafeBufferPointer { rows in
        for index in range {
          let (whole, part) = (index * down).quotientAndRemainder(dividingBy: up)
          let (phase, beyond) = (part * phases).quotientAndRemainder(dividingBy: up)
          let row = unsafe rows.baseAddress! + phase * width
          let input = unsafe input.baseAddress! + (whole - start)
          var value = unsafe dot(row, input, width)
          if beyond != 0 {
            let share = Float(beyond) / Float(up)
            value += unsafe share * (dot(row + width, input, width) - value)
          }
          output[place + index - range.lowerBound] = value
        }
      }
    }
  }

  /// The most phases with rows of their own: those of all common rates are fewer. Between rows 1/512 of a sample
  /// apart, a straight line is off by (π / 512)² / 8 at Nyquist, -106 dB.
  ///
  /// - Source: J. O. Smith, "Digital Audio Resampling Home Page", section on the choice of table size.
  private static let maxPhases = 512

  /// Returns `ratio` as a fraction: exact for common rates, otherwise within one part in 10⁹.
  static func ratio(_ ratio: Double) -> (Int, Int) {
    var (previous, current) = ((0, 1), (1, 0))
    var rest = ratio
    while true {
      let whole = Int(rest.rounded(.down))
      (previous, current) = (
        current, (whole * current.0 + previous.0, whole * current.1 + previous.1)
      )
      let error = abs(Double(current.0) / Double(current.1) / ratio - 1)
      if error < 1e-9 { return current }
      rest = 1 / (rest - Double(whole))
    }
  }
}

/// The sum of `count` products, a multiple of `PolyphaseFilter.step`, of two rows of samples.
@inline(__always)
private func dot(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ count: Int) -> Float {
  let (a, b) = unsafe (UnsafeRawPointer(a), UnsafeRawPointer(b))
  func product(_ place: Int) -> SIMD8<Float> {
    let left = unsafe a.loadUnaligned(fromByteOffset: 4 &* place, as: SIMD8<Float>.self)
    let right = unsafe b.loadUnaligned(fromByteOffset: 4 &* place, as: SIMD8<Float>.self)
    return left * right
  }
  // Four sums at a time: an addition waits only for the last one to its own sum.
  var (first, second) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
  var (third, fourth) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
  for place in stride(from: 0, to: count, by: PolyphaseFilter.step) {
    first += product(place)
    second += product(place &+ 8)
    third += product(place &+ 16)
    fourth += product(place &+ 24)
  }
  return (first + second + third + fourth).sum()
}
