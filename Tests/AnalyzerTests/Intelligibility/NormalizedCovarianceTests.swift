import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct NormalizedCovarianceTests {
  struct Vectors: Decodable {
    struct Row: Decodable, Sendable {
      var rateHz: Double
      var condition: String
      var seed: UInt64
      var ncm: Double
      var transmission: [Double]
    }
    var rows: [Row]
  }

  /// SciPy's Hilbert transform wraps around at the ends, ours is padded, which changes a band's
  /// index by a few thousandths.
  @Test func valuesAreThoseOfAnIndependentProgram() throws {
    let rows = try golden("ncm.json", as: Vectors.self).rows
    #expect(rows.count == 20)
    for row in rows {
      let clean = VectorVoice(rateHz: row.rateHz, seed: row.seed).signal()
      let found = try NormalizedCovariance(
        of: VectorVoice.spoiled(clean, row.condition), against: clean)
      #expect(abs(found.ncm - row.ncm) < 0.003, "\(row.condition): \(found.ncm), \(row.ncm)")
      for (mine, theirs) in zip(found.transmission, row.transmission) {
        #expect(abs((mine ?? -1) - theirs) < 0.02)
      }
    }
  }

  @Test func aGainChangesNothingAndAShortDelayLittle() throws {
    let voice = VectorVoice(rateHz: 16_000, seconds: 4).signal()
    let noisy = VectorVoice.spoiled(voice, "white 5")
    let plain = try NormalizedCovariance(of: noisy, against: voice).ncm
    let soft = Signal(noisy.samples.map { $0 * 0.1 }, sampleRateHz: 16_000)
    #expect(try abs(NormalizedCovariance(of: soft, against: voice).ncm - plain) < 1e-5)
    // A delay of 3 ms is a twentieth of the shortest period that counts: at worst 12 of 15 dB
    // remain.
    #expect(try NormalizedCovariance(of: voice.late(samples: 48), against: voice).ncm > 0.85)
  }

  @Test func theMeasureFallsWithNoise() throws {
    let voice = VectorVoice(rateHz: 16_000, seconds: 3).signal()
    let values = try [20, 10, 0, -10].map {
      try NormalizedCovariance(of: VectorVoice.spoiled(voice, "pink \($0)"), against: voice).ncm
    }
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 > $1 }, "\(values)")
  }

  @Test func incomparableSoundsThrow() {
    for (name, signal) in Dose.awkward {
      do {
        let found = try NormalizedCovariance(of: signal, against: signal)
        #expect(found.ncm.isFinite, "\(name)")
      } catch {}
    }
    let noise = Dose.noise(seconds: 1, rms: 0.1)
    let half = Signal(Array(noise.samples.prefix(24_000)), sampleRateHz: 48_000)
    #expect(cause { try NormalizedCovariance(of: half, against: noise) } == .lengthsDiffer)
  }
}
