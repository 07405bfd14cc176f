import Foundation

/// What is known of voices before one is heard: each parameter's place and spread.
struct VoicePrior: Equatable, Sendable {
  /// Of the logarithms of F1, F2, ... around a tube's; the last holds for all further ones.
  var frequencySpreads = [0.5, 0.35, 0.12, 0.08, 0.06]
  /// Of the logarithm of F1 around the pitch, where a tube's would lie below it.
  var tunedSpread = 0.15
  /// Of the logarithm of every bandwidth.
  var bandwidthSpread = 0.35
  /// Standard deviation of the logarithm of the length, from men's to children's mouths.
  var scaleSpread = 0.2
  var glottalHzSpread = 0.25
  var glottalWidthSpread = 0.3
  var tiltHzSpread = 0.8
  /// Ripples of the source and all else that the model can't follow, in dB.
  var modelErrorDb = 0.5

  /// What is expected of each parameter: its place, and the inverse of its variance.
  func expectation(_ index: Int, of model: VoiceModel) -> (value: Double, weight: Double) {
    let count = VoiceModel.count
    switch index {
    case 0..<count:
      let spread = frequencySpreads[min(index, frequencySpreads.count - 1)]
      let place = log(VoiceModel.tubeHz(index)) + model.values[VoiceModel.scaleIndex]
      if index == 0, !followsScale(0, of: model) {
        return (log(1.1 * model.f0Hz), 1 / (tunedSpread * tunedSpread))
      }
      return (place, 1 / (spread * spread))
    case count..<2 * count:
      let place = log(VoiceModel.typicalBandwidthHz(model.frequencyHz(index - count)))
      return (place, 1 / (bandwidthSpread * bandwidthSpread))
    case VoiceModel.scaleIndex:
      return (0.12, 1 / (scaleSpread * scaleSpread))
    case VoiceModel.glottalHzIndex:
      return (VoiceModel.typicalGlottalHz, 1 / (glottalHzSpread * glottalHzSpread))
    case VoiceModel.glottalWidthIndex:
      return (
        VoiceModel.typicalGlottalWidth, 1 / (glottalWidthSpread * glottalWidthSpread)
      )
    case VoiceModel.tiltHzIndex:
      return (VoiceModel.typicalTiltHz, 1 / (tiltHzSpread * tiltHzSpread))
    default: return (0, 0)
    }
  }

  /// Whether a resonance is expected where a tube of the model's length has it.
  ///
  /// All are but F1 of a high voice: singers open their mouths rather than let it fall below the
  /// pitch (Joliveau, Smith and Wolfe, "Tuning of vocal tract resonance by sopranos", Nature 427,
  /// 2004).
  func followsScale(_ index: Int, of model: VoiceModel) -> Bool {
    let tubeHz = VoiceModel.tubeHz(index) * exp(model.values[VoiceModel.scaleIndex])
    return index < VoiceModel.count && (index > 0 || tubeHz >= 1.1 * model.f0Hz)
  }
}
