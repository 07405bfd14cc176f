import DSP
import Foundation

/// A stretch of voice of known pitch, in which each period gets a mark.
///
/// Positions are in samples from the beginning of the sound; they may be fractional.
struct EpochWave {
  /// A mark as first set, and what the sound says of it.
  private struct Mark {
    /// The centre of the power of its period.
    var centre: Double
    /// Distance to the next mark.
    var lag: Double
    /// One over the squares of the likely errors of both.
    var (centreTrust, lagTrust): (Double, Double)
  }

  /// One over the likely error, in periods, of a centre of power, a repetition and the pitch. In `OfflineShifter` 5
  /// and 20 for a centre, 100 and 500 for the pitch are as good (.01 to .02 % of the frames of singing wrong,
  /// scripts/peers/people.py).
  private static let (centreTrust, repetitionTrust, pitchTrust) = (10.0, 500.0, 250.0)
  /// Share of the way to its centre of power that a mark goes before the next is sought. In `OfflineShifter` .05, .1
  /// and .2 leave .11, .06 and .04 % of the frames of speech wrong and lose .28 to .29 % of singing.
  private static let pull = 0.1
  /// Concentration that a sound without a centre counts with, so that the equations of its marks have a solution.
  private static let minConcentration = 0.01

  private let samples: [Float]
  private let rateHz: Double
  private let range: Range<Int>
  private let track: PitchTrack
  private let frames: Range<Int>

  /// - Parameter frames: voiced frames of `track`; the stretch reaches half a hop beyond them.
  init(_ samples: [Float], rateHz: Double, track: PitchTrack, frames: Range<Int>) {
    (self.samples, self.rateHz, self.track, self.frames) = (samples, rateHz, track, frames)
    let hop = track.hopSeconds * rateHz
    let from = max(0, (Double(frames.lowerBound) - 0.5) * hop)
    let to = (Double(frames.upperBound) - 0.5) * hop
    let first = min(max(1, Int(from)), max(1, samples.count - 1))
    range = first..<max(first, min(Int(to), samples.count - 1))
  }

  /// The period at a place, in samples; beyond the first and the last frame as there.
  private func period(_ place: Double) -> Double {
    let first = Double(frames.lowerBound) * track.hopSeconds
    let last = Double(frames.upperBound - 1) * track.hopSeconds
    return rateHz / track.f0Hz(atSeconds: min(max(place / rateHz, first), last))!
  }

  /// Returns one mark for each period: near the centre of its power, and as far from the next as the
  /// waveform repeats, or else as the pitch says.
  func marks() -> [Double] {
    let start = Double(range.lowerBound)
    let centre = centreOfPower(near: start).place
    var place = centre < start ? centre + period(start) : centre
    var marks: [Mark] = []
    while place < Double(range.upperBound) {
      let centre = centreOfPower(near: place)
      place += Self.pull * (centre.place - place)
      let period = self.period(place)
      let repeated = repetition(from: place, lag: period)
      let lag = repeated ?? period
      let concentration = max(centre.concentration, Self.minConcentration)
      marks.append(
        Mark(
          centre: centre.place, lag: lag,
          centreTrust: pow(Self.centreTrust * concentration / period, 2),
          lagTrust: pow((repeated == nil ? Self.pitchTrust : Self.repetitionTrust) / lag, 2)))
      place += lag
    }
    return Self.settled(marks)
  }

  /// Returns the places that agree best with all centres and distances, by least squares: a tridiagonal
  /// problem.
  private static func settled(_ marks: [Mark]) -> [Double] {
    var diagonal = marks.map(\.centreTrust)
    var places = marks.map { $0.centreTrust * $0.centre }
    for (i, mark) in marks.enumerated().dropLast() {
      diagonal[i] += mark.lagTrust
      diagonal[i + 1] += mark.lagTrust
      places[i] -= mark.lagTrust * mark.lag
      places[i + 1] += mark.lagTrust * mark.lag
    }
    for i in marks.indices.dropFirst() {
      let factor = marks[i - 1].lagTrust / diagonal[i - 1]
      diagonal[i] -= factor * marks[i - 1].lagTrust
      places[i] += factor * places[i - 1]
    }
    for i in marks.indices.reversed() {
      if i + 1 < marks.count { places[i] += marks[i].lagTrust * places[i + 1] }
      places[i] /= diagonal[i]
    }
    return places
  }

  /// Returns the centre of power nearest to a place, by the phase of the power's fundamental under a Hann
  /// window of two periods, and the concentration of the power there: the mean resultant length of circular
  /// statistics, 0 to 1.
  private func centreOfPower(near place: Double) -> (place: Double, concentration: Double) {
    let period = self.period(place)
    let first = max(0, Int(place - period) + 1)
    let last = min(samples.count - 1, Int(place + period))
    var (re, im, all) = (0.0, 0.0, 1e-20)
    for n in stride(from: first, through: last, by: 1) {
      let offset = (Double(n) - place) / period
      let power = Window.hann.value(at: offset) * Double(samples[n] * samples[n])
      re += power * cos(2 * .pi * offset)
      im += power * sin(2 * .pi * offset)
      all += power
    }
    return (place + atan2(im, re) / (2 * .pi) * period, hypot(re, im) / all)
  }

  /// The lag near the expected one at which the sound around a mark correlates best.
  private func repetition(from first: Double, lag expected: Double) -> Double? {
    let (start, reach) = (Int(first.rounded()), Int(expected / 2))
    let widest = max(2, Int(0.1 * expected))
    let shortest = max(1, Int(expected.rounded()) - widest)
    let longest = Int(expected.rounded()) + widest
    guard start - reach >= 0, start + longest + reach + 2 < samples.count else { return nil }
    let values = (shortest - 1...longest + 1).map { normalizedCorrelation(start, $0, reach) }
    guard let best = values.indices.dropFirst().dropLast().max(by: { values[$0] < values[$1] }),
      values[best] > 0.6, values[best] >= values[best - 1], values[best] >= values[best + 1],
      let offset = peakOffset(values[best - 1], values[best], values[best + 1])
    else { return nil }
    return Double(shortest - 1 + best) + offset
  }

  private func normalizedCorrelation(_ middle: Int, _ lag: Int, _ reach: Int) -> Double {
    var (product, early, late) = (Float(1e-20), Float(1e-20), Float(1e-20))
    for n in middle - reach...middle + reach {
      let (a, b) = (samples[n], samples[n + lag])
      product += a * b
      early += a * a
      late += b * b
    }
    return Double(product / (early * late).squareRoot())
  }
}
