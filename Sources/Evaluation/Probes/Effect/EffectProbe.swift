import Corpus
import DSP
import Foundation
import Platform
import Subjects

/// Measures a subject as an effect at the pitch of its input: frequency response, distortion, aliasing, decay,
/// low-frequency oscillator, attack and release.
///
/// A figure whose assumption fails is undefined: a response needs an effect that stands still, a decay a tail,
/// an attack a gain that depends on the level.
public struct EffectProbe {
  /// The gain, and the decay where the frequency is the centre of an octave.
  public struct Row: Encodable, Sendable {
    public let hz: Double
    public let gainDb: Double
    @NullIfMissing public var decaySeconds: Double?
  }

  private(set) var rows: [Row] = []
  private(set) var findings: [ProbeFinding] = []

  private let bench: ProbeBench
  static let rateHz = 48_000.0

  /// - Cost: that of processing 75 s of sound.
  init(of bench: ProbeBench) {
    self.bench = bench
    var movement: String?
    attempt("lfo") {
      let oscillator = try EffectOscillator(of: $0.played(EffectOscillator.sound))
      movement = oscillator.movement
      return oscillator.findings
    }
    if let movement {
      findings += ["response", "rt60", "thd", "aliasing", "attack", "release"].map {
        .undefined(.effect, $0, "the effect moves by itself: \(movement)")
      }
      return
    }
    var delaySamples = 0
    attempt("response") {
      let response = try EffectResponse(of: $0.played(EffectResponse.sound))
      (delaySamples, $0.rows) = (response.delaySamples, response.rows)
      return response.findings
    }
    attempt("thd") { try EffectDistortion.harmonics(of: $0.played(EffectDistortion.levelledTone)) }
    attempt("aliasing") { try [EffectDistortion.aliases(of: $0.played(EffectDistortion.highTone))] }
    attempt("attack") {
      try EffectDynamics.findings($0.played(EffectDynamics.sound), delaySamples: delaySamples)
    }
  }

  private mutating func attempt(
    _ name: String, _ measure: (inout EffectProbe) throws -> [ProbeFinding]
  ) {
    do { findings += try measure(&self) } catch {
      findings.append(.undefined(.effect, name, error))
    }
  }

  /// Returns the answer to a sound, as long as the sound.
  private func played(_ input: [Float]) throws -> [Float] {
    let output = try bench.render(
      Signal(input, sampleRateHz: Self.rateHz), bench.followingScore(noteHz: 220, semitones: 0)
    ).mix
    if let bad = output.firstNonFinite {
      throw Refusal(bench.subject.id, "returned \(output.samples[bad]) at sample \(bad)")
    }
    return Array(output.samples.prefix(input.count))
      + [Float](repeating: 0, count: max(0, input.count - output.count))
  }

  /// Returns a sine that fades in for 20 ms.
  static func tone(hz: Double, levelDb: Double, seconds: Double, turns: Double = 0) -> [Float] {
    let amplitude = pow(10, levelDb / 20)
    return (0..<Int(seconds * rateHz)).map { n in
      // Whole turns are left out, or the sine of a late sample would be inexact.
      let phase = (hz * Double(n)).truncatingRemainder(dividingBy: rateHz) / rateHz + turns
      return Float(amplitude * min(1, Double(n) / (0.02 * rateHz)) * sin(2 * .pi * phase))
    }
  }
}

extension ProbeFinding {
  /// A figure of an effect: a number without a judgement.
  static func effect(
    _ name: String, _ value: Double, _ unit: String, _ words: String
  ) -> ProbeFinding {
    ProbeFinding(.effect, name, value, unit, .measured, words)
  }
}
