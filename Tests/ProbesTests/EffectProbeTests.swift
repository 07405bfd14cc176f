import Corpus
import DSP
import EvaluationSupport
import Foundation
import Platform
import Testing

@testable import Probes
@testable import Subjects

/// Effects whose figures follow from their formulas.
@Suite struct EffectProbeTests {
  private func probe(_ process: @escaping @Sendable ([Float]) -> [Float]) throws -> EffectProbe {
    EffectProbe(of: try ProbeBench(ToySubject(process)))
  }

  private func value(_ probe: EffectProbe, _ name: String) throws -> Double {
    let finding = try #require(probe.findings.first { $0.name == name })
    return try #require(finding.value, "\(finding.words)")
  }

  @Test func aGainHasNothingElse() throws {
    let probe = try probe { $0.map { 0.5 * $0 } }
    #expect(probe.rows.allSatisfy { abs($0.gainDb - 20 * log10(0.5)) < 0.02 })
    for (name, reason) in [
      ("lfo", "none"), ("rt60", "no tail"), ("attack", "does not depend on the level"),
      ("release", "does not depend on the level"),
    ] {
      let finding = try #require(probe.findings.first { $0.name == name })
      #expect(finding.verdict == .undefined)
      #expect(finding.words.contains(reason), "\(finding.words)")
    }
    #expect(try value(probe, "thd.-6") < 1e-4)
    #expect(try value(probe, "aliasing") < -110)
  }

  /// A cube and the Chebyshev polynomial of degree 9, which turns a sine of 0.5 into its ninth harmonic: 45 027 Hz
  /// comes out as 2973 Hz.
  @Test func harmonicsAndTheirImagesAreThoseOfPolynomials() throws {
    let cube = try probe { $0.map { $0 + 0.1 * $0 * $0 * $0 } }
    for levelDb in [-20.0, -6, 0] {
      let a = pow(10, levelDb / 20)
      let percent = 100 * (0.1 * a * a * a / 4) / (a + 0.1 * 3 * a * a * a / 4)
      #expect(abs(try value(cube, "thd.\(Int(levelDb))") / percent - 1) < 0.001)
    }
    let peak = pow(10.0, -6.0 / 20)
    let ninth = try probe {
      $0.map { sample in
        let x = max(-1, min(1, Double(sample) / peak))
        return sample + Float(0.001 * cos(9 * acos(x)))
      }
    }
    #expect(abs(try value(ninth, "aliasing") - 20 * log10(0.001 / peak)) < 0.1)
  }

  /// Comb filters whose echoes all lose 60 dB in 0.8 s.
  @Test func aDecayIsThatOfItsEchoes() throws {
    let probe = try probe { input in
      var output = [Float](repeating: 0, count: input.count)
      for delay in [1009, 1103, 1201, 1301, 1409, 1511, 1601, 1709, 1801, 1901, 2003, 2111] {
        let gain = Float(pow(10, -3 * Double(delay) / 48_000 / 0.8))
        var line = [Float](repeating: 0, count: delay)
        for n in input.indices {
          let echo = line[n % delay]
          line[n % delay] = input[n] + gain * echo
          output[n] += 0.1 * echo
        }
      }
      return output
    }
    #expect(abs(try value(probe, "rt60") / 0.8 - 1) < 0.03)
  }

  @Test func anEchoIsNoDecay() throws {
    let probe = try probe { input in
      var output = input
      for n in 9600..<input.count { output[n] += 0.5 * output[n - 9600] }
      return output
    }
    let finding = try #require(probe.findings.first { $0.name == "rt60" })
    #expect(finding.words.contains("steps"), "\(finding.words)")
  }

  @Test func aTremoloAndAVibratoHaveTheirRateAndDepth() throws {
    let tremolo = try probe { input in
      input.enumerated().map { n, sample in
        sample * Float(1 - 0.2 * (1 - cos(2 * .pi * 4.7 * Double(n) / 48_000)))
      }
    }
    #expect(abs(try value(tremolo, "lfo") - 4.7) < 0.005)
    #expect(abs(try value(tremolo, "lfo.level") - 40) < 0.1)
    #expect(tremolo.findings.contains { $0.name == "thd" && $0.words.contains("moves by itself") })
    let vibrato = try probe { input in
      input.indices.map { n in
        let delay = 100 + 24 * sin(2 * .pi * 5.5 * Double(n) / 48_000)
        let (whole, share) = (Int(delay), Float(delay - delay.rounded(.down)))
        guard n > whole else { return 0 }
        return input[n - whole] + share * (input[n - whole - 1] - input[n - whole])
      }
    }
    #expect(abs(try value(vibrato, "lfo") - 5.5) < 0.005)
    let cents = 1200 / log(2) * 2 * Double.pi * 5.5 * 24 / 48_000
    #expect(abs(try value(vibrato, "lfo.pitch") / cents - 1) < 0.01)
  }

  /// The gain in dB goes exponentially to its aim.
  @Test func attackAndReleaseAreTimeConstants() throws {
    let probe = try probe { input in
      var gainDb = 0.0
      return input.map { sample in
        let aim = abs(sample) > 0.1 ? -8.0 : 0
        gainDb += (aim - gainDb) * (1 - exp(-1 / (48 * (aim < gainDb ? 12.0 : 90))))
        return sample * Float(pow(10, gainDb / 20))
      }
    }
    #expect(abs(try value(probe, "attack") - 12) < 0.12)
    #expect(abs(try value(probe, "release") - 90) < 0.9)
  }

  /// A plugin without a place for the pitch is an effect, and only for those who ask for one.
  @Test(.enabled(if: ToyPlugin.compiler != nil, "no C compiler: apt-get install gcc"))
  func aPluginWithoutPitchIsAnEffect() throws {
    let toy = ToyPlugin()
    let subject = try toy.lv2(
      "plain-lv2.c", ports: [ToyPlugin.input, ToyPlugin.output, ToyPlugin.gain],
      "ports: {gain: 0.1}")
    #expect(throws: Refusal.self) { try ProbeBench(subject.judged) }
    let probe = EffectProbe(of: try ProbeBench(subject.judged, orEffect: true))
    #expect(probe.rows.count == 30)
    for row in probe.rows {
      let w = 2 * Double.pi * row.hz / 48_000
      let gain = 0.1 / (1 + 0.81 - 1.8 * cos(w)).squareRoot()
      #expect(abs(row.gainDb - 20 * log10(gain)) < 0.05, "\(row.hz) Hz")
    }
  }
}
