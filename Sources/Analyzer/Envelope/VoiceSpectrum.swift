import DSP
import Foundation

/// The spectrum of a `VoiceModel`, prepared for many frequencies.
///
/// Frequencies are given as squares in kHz². There a resonance divides the power by
/// (x - place)² + rest, and products of all resonances stay within the range of numbers, so one
/// division and one logarithm serve them all.
struct VoiceSpectrum {
  typealias Four = SIMD4<Double>

  /// Number of parameters that change the levels: all but the length scale, which only moves
  /// resonances above the band.
  static let slopeCount = VoiceModel.parameterCount - 1

  /// Returns the parameter by which the levels have a slope.
  static func parameter(ofSlope index: Int) -> Int {
    index < VoiceModel.scaleIndex ? index : index + 1
  }

  /// Returns frequencies as this type takes them.
  static func squares(ofHz hz: [Double]) -> [Four] { [Four](hz.map { $0 * $0 / 1e6 }, padding: 1) }

  /// Decibels per unit of the natural logarithm of a power.
  private static let perLog = 10 / log(10.0)
  /// Number of resonances, fitted and above: even, since two are taken at a time.
  private static let count = VoiceModel.count + 8

  /// The fitted resonances.
  private let resonances: [Resonance]
  /// Places and rests of all resonances, the fitted ones first.
  private let places: [Double]
  private let rests: [Double]
  private let gainDb: Double
  private let pulse: Pulse
  /// The product of what the divisors are at 0 Hz.
  private let peaks: Double

  init(_ model: VoiceModel) {
    let scale = exp(model.values[VoiceModel.scaleIndex])
    var (fitted, places, rests, peaks): ([Resonance], [Double], [Double], Double) = ([], [], [], 1)
    fitted.reserveCapacity(VoiceModel.count)
    places.reserveCapacity(Self.count)
    rests.reserveCapacity(Self.count)
    for index in 0..<Self.count {
      // Above the fitted resonances lie those of a straight tube.
      let isFitted = index < VoiceModel.count
      let resonance =
        isFitted
        ? Resonance(hz: model.frequencyHz(index), width: model.bandwidthHz(index))
        : Resonance(hz: VoiceModel.tubeHz(index) * scale, width: 500)
      if isFitted { fitted.append(resonance) }
      places.append(resonance.place)
      rests.append(resonance.rest)
      peaks *= resonance.peak * resonance.peak
    }
    resonances = fitted
    (self.places, self.rests, self.peaks) = (places, rests, peaks)
    gainDb = model.values[VoiceModel.gainIndex]
    pulse = Pulse(model)
  }

  /// Writes the level at each frequency, in decibels.
  func writeLevels(at squares: [Four], to levels: inout [Four]) {
    precondition(levels.count == squares.count, "a level for each frequency")
    writePowers(at: squares, to: &levels)
    takeLogarithms(of: &levels)
    let perLog = Self.perLog
    var level = levels.mutableSpan
    for i in 0..<level.count { level[inBounds: i] = level[inBounds: i] * perLog + gainDb }
  }

  private func writePowers(at squares: [Four], to powers: inout [Four]) {
    let x = squares.span
    let place = places.span
    let rest = rests.span
    let top = pulse.byGlottal * peaks
    var power = powers.mutableSpan
    for i in 0..<x.count {
      let square = x[inBounds: i]
      // Two products: a multiplication waits only for the last one to its own product.
      var (even, odd) = (Four(repeating: 1), Four(repeating: 1))
      for pair in 0..<Self.count / 2 {
        let first: Four = square - place[inBounds: 2 &* pair]
        let second: Four = square - place[inBounds: 2 &* pair &+ 1]
        let firstDivisor: Four = first * first + rest[inBounds: 2 &* pair]
        let secondDivisor: Four = second * second + rest[inBounds: 2 &* pair &+ 1]
        even *= firstDivisor
        odd *= secondDivisor
      }
      let (glottis, tilt) = pulse.divisors(square)
      let divisor: Four = glottis * tilt * (even * odd)
      let above: Four = square * top
      power[inBounds: i] = above / divisor
    }
  }

  /// Writes the derivatives of the levels by the parameters, in decibels per unit: column after
  /// column, each with a value for each frequency.
  ///
  /// - Parameter factors: multiply the derivatives at each frequency.
  func writeSlopes(at squares: [Four], times factors: [Four], to slopes: inout [Four]) {
    let rows = squares.count
    precondition(factors.count == rows && slopes.count == rows * Self.slopeCount, "as many columns")
    for part in stride(from: 0, to: VoiceModel.count, by: 2) {
      writeSlopes(ofPairAt: part, squares, factors, &slopes)
    }
    let x = squares.span
    let factor = factors.span
    var slope = slopes.mutableSpan
    let own = 2 * VoiceModel.count * rows
    let (perLog, twice) = (Self.perLog, 2 * Self.perLog)
    let (width, nearest) = (2 * pulse.widthSquare, 2 * pulse.widthSquare - 4)
    for i in 0..<rows {
      let weight = factor[inBounds: i]
      let glottal: Four = x[inBounds: i] * pulse.byGlottal
      let tilted: Four = x[inBounds: i] * pulse.byTilt
      let (glottis, tilt) = pulse.divisors(x[inBounds: i])
      let share: Four = weight * perLog / (glottis * tilt)
      let byGlottis: Four = share * tilt * glottal
      let away: Four = glottal * 4 + nearest
      slope[inBounds: own &+ i] = weight
      slope[inBounds: own &+ rows &+ i] = byGlottis * away - weight * twice
      slope[inBounds: own &+ 2 &* rows &+ i] = byGlottis * -width
      slope[inBounds: own &+ 3 &* rows &+ i] = share * glottis * (tilted * 2)
    }
  }

  /// Writes the derivatives by the logarithms of frequency and bandwidth of two resonances, which
  /// share a division.
  private func writeSlopes(
    ofPairAt part: Int, _ squares: [Four], _ factors: [Four], _ slopes: inout [Four]
  ) {
    let (a, b) = (resonances[part], resonances[part + 1])
    let x = squares.span
    let factor = factors.span
    var slope = slopes.mutableSpan
    let rows = x.count
    let frequencies = part * rows
    let bandwidths = (VoiceModel.count + part) * rows
    let perUnit = 4 * Self.perLog
    for i in 0..<rows {
      let square = x[inBounds: i]
      let weight: Four = factor[inBounds: i] * perUnit
      let (nearA, nearB) = (square - a.place, square - b.place)
      let divisorA: Four = nearA * nearA + a.rest
      let divisorB: Four = nearB * nearB + b.rest
      let both: Four = weight / (divisorA * divisorB)
      let (shareA, shareB) = (both * divisorB, both * divisorA)
      // What the peak contributes, and what the divisor does.
      let (peakA, peakB) = (weight * a.byPeak, weight * b.byPeak)
      let (belowA, belowB) = (shareA * (square - a.peak), shareB * (square - b.peak))
      let (aboveA, aboveB) = (shareA * (square + a.peak), shareB * (square + b.peak))
      slope[inBounds: frequencies &+ i] = (peakA + belowA) * a.square
      slope[inBounds: frequencies &+ rows &+ i] = (peakB + belowB) * b.square
      slope[inBounds: bandwidths &+ i] = (peakA - aboveA) * a.quarter
      slope[inBounds: bandwidths &+ rows &+ i] = (peakB - aboveB) * b.quarter
    }
  }

  /// A pair of poles with unit power at 0 Hz.
  private struct Resonance {
    let square: Double  // of the frequency
    let quarter: Double  // of the square of the bandwidth
    let place: Double
    let rest: Double
    let peak: Double
    let byPeak: Double

    init(hz: Double, width: Double) {
      square = hz * hz / 1e6
      quarter = width * width / 4e6
      place = square - quarter
      rest = 4 * square * quarter
      peak = square + quarter
      byPeak = 1 / peak
    }
  }

  /// The glottal pulse.
  private struct Pulse {
    /// The inverse squares of the glottal formant and of the tilt's corner frequency.
    let byGlottal: Double
    let byTilt: Double
    let widthSquare: Double

    init(_ model: VoiceModel) {
      let glottalHz = model.f0Hz * exp(model.values[VoiceModel.glottalHzIndex])
      let width = exp(model.values[VoiceModel.glottalWidthIndex])
      let tiltHz = model.f0Hz * exp(model.values[VoiceModel.tiltHzIndex])
      byGlottal = 1e6 / (glottalHz * glottalHz)
      byTilt = 1e6 / (tiltHz * tiltHz)
      widthSquare = width * width
    }

    /// Divisors of the power: of the glottal formant, and of the tilt.
    @inline(__always) func divisors(_ square: Four) -> (glottis: Four, tilt: Four) {
      let glottal = square * byGlottal
      let rest = glottal - 1
      return (rest * rest + glottal * widthSquare, square * byTilt + 1)
    }
  }
}
