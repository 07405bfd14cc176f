import Foundation

/// Prior knowledge of voices: the mean and spread of each parameter.
struct VoicePrior: Equatable, Sendable {
  /// Spreads of the logarithms of F1, F2, ... around a tube's; the last applies to all further
  /// ones.
  var frequencySpreads = [0.5, 0.35, 0.12, 0.08, 0.06]
  /// Spread of the logarithm of F1 around the pitch, for a tube's F1 below the pitch.
  var tunedSpread = 0.15
  /// Spread of the logarithm of each bandwidth.
  var bandwidthSpread = 0.35
  /// Spread of the logarithm of the length, from men's to children's vocal tracts.
  var scaleSpread = 0.2
  var glottalHzSpread = 0.25
  var glottalWidthSpread = 0.3
  var tiltHzSpread = 0.8
  /// Error of the model in dB: ripples of the source and other effects it can't follow.
  var modelErrorDb = 0.5

  /// Mean length scale, between men's and women's vocal tracts.
  static let meanScale = exp(0.12)

  /// The prior of a parameter: its mean, and the inverse of its variance.
  func expectation(_ index: Int, of model: VoiceModel) -> (value: Double, weight: Double) {
    let count = VoiceModel.count
    switch index {
    case 0..<count:
      let spread = frequencySpreads[min(index, frequencySpreads.count - 1)]
      let place = Self.tubeLogs[index] + model.values[VoiceModel.scaleIndex]
      if index == 0, !followsScale(0, of: model) {
        return (log(1.1 * model.f0Hz), 1 / (tunedSpread * tunedSpread))
      }
      return (place, 1 / (spread * spread))
    case count..<2 * count:
      let place = log(VoiceModel.typicalBandwidthHz(model.frequencyHz(index - count)))
      return (place, 1 / (bandwidthSpread * bandwidthSpread))
    case VoiceModel.scaleIndex:
      return (log(Self.meanScale), 1 / (scaleSpread * scaleSpread))
    case VoiceModel.glottalHzIndex:
      return (VoiceModel.typicalGlottalHz, 1 / (glottalHzSpread * glottalHzSpread))
    case VoiceModel.glottalWidthIndex:
      return (VoiceModel.typicalGlottalWidth, 1 / (glottalWidthSpread * glottalWidthSpread))
    case VoiceModel.tiltHzIndex:
      return (VoiceModel.typicalTiltHz, 1 / (tiltHzSpread * tiltHzSpread))
    default: return (0, 0)
    }
  }

  /// True if the prior places a parameter at the resonance of a tube of the model's length.
  ///
  /// That holds for all resonances but F1 of a high voice: singers open their mouths to keep it
  /// above the pitch (Joliveau, Smith and Wolfe, "Tuning of vocal tract resonance by sopranos",
  /// Nature 427, 2004).
  func followsScale(_ index: Int, of model: VoiceModel) -> Bool {
    guard index == 0 else { return index < VoiceModel.count }
    return VoiceModel.tubeHz(0) * exp(model.values[VoiceModel.scaleIndex]) >= 1.1 * model.f0Hz
  }

  /// The logarithms of a tube's resonances.
  private static let tubeLogs = (0..<VoiceModel.count).map { log(VoiceModel.tubeHz($0)) }
}
