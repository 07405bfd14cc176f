import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct IntelligibilityTests {
  struct Vectors: Decodable {
    struct Row: Decodable, Sendable {
      var rateHz: Double
      var condition: String
      var seed: UInt64
      var stoi: Double
      var estoi: Double
    }
    struct Resampled: Decodable {
      var rateHz: Int
      var count: Int
      var every400th: [Double]
    }
    var rows: [Row]
    var resampled: [Resampled]
  }

  private let vectors = try! golden("stoi.json", as: Vectors.self)

  /// The tolerance is 0.001; rounding alone is far smaller. ESTOI of digital silence (the long
  /// gates) is random in pystoi; the vectors hold the mean of 30 runs, whose standard error is
  /// 0.0002.
  @Test func valuesAreThoseOfPystoi() throws {
    #expect(vectors.rows.count == 37)
    var worst = 0.0
    for row in vectors.rows {
      let clean = VectorVoice(rateHz: row.rateHz, seed: row.seed).signal()
      let spoiled = VectorVoice.spoiled(clean, row.condition)
      let found = try Intelligibility(of: spoiled, against: clean)
      let away = max(abs(found.stoi - row.stoi), abs(found.estoi - row.estoi))
      #expect(away < 0.001, "\(row): \(found)")
      if !row.condition.hasPrefix("gate 700") { worst = max(worst, away) }
    }
    // Without randomness only the last bits of sines and logarithms may differ.
    #expect(worst < 1e-6)
  }

  @Test func theResamplerIsThatOfPystoi() {
    for vector in vectors.resampled {
      let voice = VectorVoice(rateHz: Double(vector.rateHz), seconds: 0.5).signal()
      let found = OctaveResampler(from: vector.rateHz, to: 10_000).apply(voice.samples)
      #expect(found.count == vector.count)
      for (index, expected) in vector.every400th.enumerated() {
        // One sample in a few million rounds to a neighbouring Float.
        #expect(abs(found[400 * index] - expected) < 1e-7)
      }
    }
  }

  @Test func theTransformIsThatOfTheDefinition() {
    var random = SeededGenerator(seed: 3)
    let frame = (0..<60).map { _ in random.uniform() - 0.5 }
    var transform = PreciseTransform(count: 64)
    let power = transform.power(of: frame)
    for k in 0...32 {
      let angles = frame.indices.map { -2 * .pi * Double(k * $0) / 64 }
      let re = zip(frame, angles).reduce(0) { $0 + $1.0 * cos($1.1) }
      let im = zip(frame, angles).reduce(0) { $0 + $1.0 * sin($1.1) }
      #expect(abs(power[k] - (re * re + im * im)) < 1e-12)
    }
  }

  @Test func aSoundMatchesItself() throws {
    let voice = VectorVoice(rateHz: 16_000).signal()
    let plain = try Intelligibility(of: voice, against: voice)
    let vocoded = try Intelligibility(vocodedOf: voice, against: voice)
    for value in [plain.stoi, plain.estoi, vocoded.stoi, vocoded.estoi] {
      #expect(abs(value - 1) < 1e-9)
    }
  }

  /// The same words a fifth higher lose much in plain STOI but little after vocoding; moved
  /// formants cost more than pitch.
  @Test func vocodingRemovesTheEffectOfPitchAlone() throws {
    for seed: UInt64 in 1...3 {
      let low = VectorVoice(rateHz: 16_000, seconds: 6, f0Hz: 140, seed: seed)
      var (high, moved, other) = (low, low, low)
      high.f0Hz *= exp2(7.0 / 12)
      moved.f0Hz = high.f0Hz
      moved.formantScale = exp2(7.0 / 12)
      other.seed += 40
      let plain = try Intelligibility(of: high.signal(), against: low.signal())
      let kept = try Intelligibility(vocodedOf: high.signal(), against: low.signal())
      let chipmunk = try Intelligibility(vocodedOf: moved.signal(), against: low.signal())
      let unrelated = try Intelligibility(vocodedOf: other.signal(), against: low.signal())
      #expect(kept.stoi > plain.stoi + 0.14 && kept.estoi > plain.estoi + 0.3)
      // Eight bands show a formant shift of a fifth as 0.08 to 0.13; unrelated words are far lower.
      #expect(kept.estoi > chipmunk.estoi + 0.05)
      #expect(chipmunk.estoi > unrelated.estoi + 0.2)
    }
  }

  private func failure(
    _ output: [Float], _ reference: [Float], _ rateHz: Double = 10_000
  ) -> Unmeasurable? {
    let (output, reference) = (
      Signal(output, sampleRateHz: rateHz), Signal(reference, sampleRateHz: rateHz)
    )
    do {
      _ = try Intelligibility(of: output, against: reference)
      return nil
    } catch { return error }
  }

  @Test func incomparableSoundsThrow() {
    let voice = VectorVoice(rateHz: 10_000, seconds: 1).signal()
    let (samples, silence) = (voice.samples, [Float](repeating: 0, count: 10_000))
    #expect(failure(samples, samples) == nil)
    #expect(failure(silence, samples) == Unmeasurable(.silent, "the output is silent"))
    #expect(failure(samples, silence) == Unmeasurable(.silent, "the reference is silent"))
    #expect(failure([], []) == Unmeasurable(.silent, "the reference is silent"))
    #expect(failure([1], [1])?.cause == .tooLittleSound)
    #expect(
      failure(samples, Array(samples.dropLast()))
        == Unmeasurable(
          .lengthsDiffer,
          "the output has 10000 samples, the reference 9999; align them and cut both to one length")
    )
    #expect(failure(samples, samples, 44_100.5)?.cause == .unsuitableRate)
    var broken = samples
    broken[7] = .nan
    #expect(
      failure(broken, samples)
        == Unmeasurable(.notFinite, "sample 7 of the output is not a number"))
    let slow = Signal(samples, sampleRateHz: 8_000)
    #expect(cause { try Intelligibility(of: slow, against: voice) } == .ratesDiffer)
    // Frames of 128 new samples: 30 are compared, and the sound needs one more sample than they
    // span.
    let noise = (0..<10_000).map { Float(sin(Double($0 * $0))) }
    let enough = Array(noise.prefix(30 * 128 + 256 + 1))
    #expect(failure(enough, enough) == nil)
    let short = Array(enough.dropLast())
    #expect(failure(short, short)?.description.hasPrefix("only 29 frames ") == true)
  }
}
