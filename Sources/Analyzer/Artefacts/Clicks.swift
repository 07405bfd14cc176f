import DSP
import Foundation

/// Clicks in a sound, found without a reference as peaks that have no equal nearby.
///
/// A linear prediction filter removes most of a voice and leaves the glottal pulses, noise and the
/// whole of a click. The same filter run backwards gathers what the first pass spread. A glottal
/// pulse returns every period and a burst lasts several milliseconds, so both have neighbours of
/// their own height within 50 ms. A click has none: it must exceed the third highest of its
/// neighbours by the factor `minProminence`. A neighbour is a cell of 1 ms; the third is used so that
/// a pair of splices does not hide itself.
///
/// A click is a spike, a step, or a splice with a kink; a dropped block has one at each edge.
/// Clicks under breath noise or under louder pulses are missed: docs/notes/voices.md#clicks has the
/// recall by level.
///
/// - Domain: a voice, 8 to 192 kHz. The first and last 2 ms are not searched.
/// - Cost: about 0.02 of real time at 48 kHz. Allocates.
/// - Source: Vaseghi, "Advanced Digital Signal Processing and Noise Reduction", 4th ed., chapter 13
///   (prediction residual and matched filter); the comparison with neighbours is ours.
public struct Clicks: Codable, Equatable, Sendable {
  /// Minimum height relative to the neighbours.
  private static let minProminence = 2.0
  /// Reach of the neighbourhood to either side; at least two periods of the lowest voice.
  private static let neighbourhoodMs = 50.0

  public struct Click: Codable, Equatable, Sendable {
    public var timeSeconds: Double
    /// Height of a spike or size of a step, whichever fits better; full scale is 0.
    public var levelDbfs: Double
    /// Height relative to the neighbours, at most 1000.
    public var prominence: Double
  }

  /// The clicks in order of time.
  public var clicks: [Click]
  public var durationSeconds: Double

  /// Creates the result for a sound that is known to have no clicks.
  public init(none durationSeconds: Double) {
    clicks = []
    self.durationSeconds = durationSeconds
  }

  /// - Parameter minDbfs: minimum level of a reported click.
  public init(in signal: Signal, minDbfs: Double = -80) throws(Unmeasurable) {
    try signal.checkedForArtefacts()
    guard signal.sampleRateHz >= 8000 else {
      throw .rateTooLow(hz: signal.sampleRateHz, minHz: 8000)
    }
    durationSeconds = signal.durationSeconds
    let prediction = PredictionResidual(of: signal.withoutInfrasound())
    clicks = Self.found(in: prediction, signal, minDbfs: minDbfs)
  }

  /// Finds clicks while reading the sound half a minute at a time.
  ///
  /// - Throws: as for a signal, and the source's reading errors.
  public init(of sound: some SoundSource) throws {
    guard sound.sampleRateHz >= 8000 else {
      throw Unmeasurable.rateTooLow(hz: sound.sampleRateHz, minHz: 8000)
    }
    durationSeconds = sound.durationSeconds
    clicks = try Self.found(in: sound)
  }

  private static func found(in sound: some SoundSource) throws -> [Click] {
    guard sound.count > 0 else { throw Unmeasurable.empty }
    let (own, margin) = (Int(30 * sound.sampleRateHz), Int(0.5 * sound.sampleRateHz))
    var clicks: [Click] = []
    var isSilent = true
    for start in stride(from: 0, to: sound.count, by: own) {
      let (first, end) = (max(0, start - margin), min(sound.count, start + own))
      let stretch = Signal(
        try sound.samples(first..<min(sound.count, end + margin)),
        sampleRateHz: sound.sampleRateHz)
      if let place = stretch.firstNonFinite {
        throw Unmeasurable.notFinite(sample: place + first)
      }
      guard stretch.hasSound else { continue }
      isSilent = false
      for var click in found(in: PredictionResidual(of: stretch.withoutInfrasound()), stretch) {
        click.timeSeconds += Double(first) / sound.sampleRateHz
        let place = Int((click.timeSeconds * sound.sampleRateHz).rounded())
        if (start..<end).contains(place) { clicks.append(click) }
      }
    }
    if isSilent { throw Unmeasurable.silent }
    return clicks
  }

  /// Removes the clicks that a reference, such as the input, already had.
  ///
  /// - Parameters:
  ///   - delaySeconds: delay of this sound relative to the reference.
  ///   - toleranceMs: maximum distance between two clicks counted as the same; the window length
  ///     for a shifter whose delay sweeps.
  public func excluding(
    _ reference: Clicks, delaySeconds: Double = 0, toleranceMs: Double = 2
  ) -> Clicks {
    var left = self
    left.clicks.removeAll { click in
      reference.clicks.contains {
        abs(click.timeSeconds - $0.timeSeconds - delaySeconds) <= toleranceMs / 1000
      }
    }
    return left
  }

  private static func found(
    in prediction: PredictionResidual, _ signal: Signal, minDbfs: Double = -80
  ) -> [Click] {
    let rateHz = signal.sampleRateHz
    let cell = max(1, Int((0.001 * rateHz).rounded()))
    let cells = prediction.height.count / cell
    let places = (0..<cells).map { index in
      (index * cell..<(index + 1) * cell).max { prediction.height[$0] < prediction.height[$1] }!
    }
    let heights = places.map { prediction.height[$0] }
    let reach = Int(neighbourhoodMs)
    let least = pow(10, minDbfs / 20)
    let edge = Int(0.002 * rateHz)
    return (0..<cells).compactMap { index in
      let height = heights[index]
      guard height > 0, places[index] >= edge, places[index] < signal.count - edge,
        index == 0 || heights[index - 1] <= height,
        index + 1 == cells || heights[index + 1] < height
      else { return nil }
      var (first, second, third) = (0.0, 0.0, 0.0)
      for other in max(0, index - reach)...min(cells - 1, index + reach)
      where abs(other - index) > 1 {
        let value = heights[other]
        if value > first {
          (first, second, third) = (value, first, second)
        } else if value > second {
          (second, third) = (value, second)
        } else if value > third {
          third = value
        }
      }
      guard height > minProminence * third else { return nil }
      let level = prediction.size(at: places[index])
      guard level >= least else { return nil }
      return Click(
        timeSeconds: Double(places[index]) / rateHz, levelDbfs: 20 * log10(level),
        prominence: min(1000, height / max(third, 1e-12)))
    }
  }
}
