import Analyzer

extension Observation {
  /// Returns one measurement for each voice that is judged. An error is the reason why a voice has none.
  ///
  /// - Parameter missing: returns the reason why a delay leaves a voice without a measurement.
  /// - Throws: the reason why a probe has none.
  func byVoice(
    without missing: (SoundDelay) -> Undefined? = \.unknown,
    _ measure: (VoiceObservation, Int) throws -> MetricResult
  ) throws(Undefined) -> [MetricResult] {
    if isProbe { throw .probe }
    return voices.indices.filter { judged?.contains($0) ?? true }.map { index in
      let voice = voices[index]
      var result: MetricResult
      do {
        if let reason = missing(voice.delay) { throw reason }
        result = try measure(voice, index)
      } catch { result = .undefined(Undefined(error)) }
      result.voice = index
      return result
    }
  }

  /// Returns one measurement for each voice that the subject outputs alone. A mix of voices gets one,
  /// of the whole output.
  ///
  /// - Parameters:
  ///   - needsDelay: true if it is undefined where the delay is unknown.
  ///   - inMix: measures the mix; by default it is undefined.
  func byStem(
    needsDelay: Bool = true, inMix: ((MixObservation) throws -> MetricResult)? = nil,
    _ measure: (VoiceObservation, AnalyzedSound, Int) throws -> MetricResult
  ) throws -> [MetricResult] {
    if let mix {
      guard let inMix else { throw Undefined.noStems }
      if needsDelay, let reason = mix.delay.unknown { throw reason }
      return [try inMix(mix)]
    }
    let missing: (SoundDelay) -> Undefined? = { needsDelay ? $0.unknown : nil }
    return try byVoice(without: missing) { voice, index in
      guard let sound = voice.sound else { throw Undefined.noStems }
      return try measure(voice, sound, index)
    }
  }
}
