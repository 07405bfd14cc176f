import Foundation
import Music

/// All control values of the synthesizer at one instant.
struct Controls {
  var writtenHz: Double
  /// Sung frequency without the constant pitch ratio.
  var lineHz: Double
  var pulseShape: Double
  /// Peak of the glottal pulse.
  var sourceGain: Double
  var voicing: Double
  var aspirationGain: Double
  /// Modulation of the aspiration by the glottal opening: 0 none, 1 full.
  var aspirationPulse: Double
  var fricationGains: SIMD8<Double>
  var jitter: Double
  var shimmer: Double
  var shape: TractShape
}

/// The control values over time.
struct ControlLine {
  private var line: NoteLine
  private var articulation: Articulation
  private var pitchMap: PitchMap
  private let voice: Voice
  private let flutterPhase: Double

  init(of performance: Performance) {
    line = NoteLine(of: performance.notes, voice: performance.voice)
    articulation = Articulation(of: performance.phones, voice: performance.voice)
    pitchMap = PitchMap(performance.pitch)
    voice = performance.voice
    let noise = Noise(seed: performance.seed, stream: 3)
    flutterPhase = noise.pair(at: 0).0 * 100
  }

  /// Returns the controls at a time; call in ascending order.
  mutating func controls(at seconds: Double) -> Controls {
    let note = line.state(at: seconds)
    let levels = articulation.levels(at: seconds)
    let expression = note.expressionSemitones + flutter(at: seconds) * note.flutterCents / 100
    let writtenHz = NoteNumber(note.pitchSemitones + expression).hz
    let loudness = pow(10, note.loudnessDb / 20)
    let voicing = levels.voicing * (1 - note.whisper)
    let sourceGain = voicing * loudness
    let breath = note.aspirationDb <= -100 ? 0 : sourceGain * pow(10, note.aspirationDb / 20)
    let whisper = levels.voicing * loudness * note.whisper * Self.whisperGain
    let aspirationGain = breath + levels.aspiration + whisper
    return Controls(
      writtenHz: writtenHz,
      lineHz: pitchMap.lineHz(
        at: seconds, writtenHz: writtenHz, pitchSemitones: note.pitchSemitones),
      pulseShape: min(max(exp2(note.logPulseShape), 0.3), 2.7),
      sourceGain: sourceGain, voicing: voicing, aspirationGain: aspirationGain,
      aspirationPulse: min(voicing, 1) * 0.8, fricationGains: levels.frication,
      jitter: pitchMap.isExact ? 0 : note.jitterPercent / 100 / Self.localOverDeviation,
      shimmer: note.shimmerPercent / 100 / Self.localOverDeviation,
      shape: tuned(articulation.shape(at: seconds), to: NoteNumber(note.pitchSemitones).hz))
  }

  /// Mean difference of neighbours over the standard deviation, for independent normal values.
  private static let localOverDeviation = 2 / Double.pi.squareRoot()

  /// Gain of a whisper, about 20 dB below the voice.
  private static let whisperGain = 0.1

  /// A slow, aperiodic variation, -1 to 1.
  ///
  /// - Source: Klatt and Klatt, "Analysis, synthesis, and perception of voice quality variations",
  ///   J. Acoust. Soc. Am. 87(2), 1990.
  private func flutter(at seconds: Double) -> Double {
    let t = 2 * .pi * (seconds + flutterPhase)
    return (sin(12.7 * t) + sin(7.1 * t) + sin(4.7 * t)) / 3
  }

  /// Opens the mouth so that the first formant does not fall below the written note.
  ///
  /// - Source: Sundberg, "Formant technique in a professional female singer", Acustica 32(2), 1975.
  private func tuned(_ shape: TractShape, to f0Hz: Double) -> TractShape {
    guard voice.tunesFirstFormant, shape.frequenciesHz[0] < f0Hz else { return shape }
    var opened = shape
    opened.frequenciesHz[0] = f0Hz
    opened.bandwidthsHz[0] = max(shape.bandwidthsHz[0], 0.15 * f0Hz)  // a wide mouth radiates more
    opened.frequenciesHz[1] = max(shape.frequenciesHz[1], f0Hz + 300)
    opened.frequenciesHz[2] = max(shape.frequenciesHz[2], opened.frequenciesHz[1] + 400)
    return opened
  }
}
