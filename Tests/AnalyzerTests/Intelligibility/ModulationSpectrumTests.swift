import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct ModulationSpectrumTests {
  /// Noise modulated at 4 Hz by 80 %: a root mean square of 0.8 / √2 of the mean, in that octave.
  @Test func aKnownModulationIsMeasured() throws {
    var noise = Dose.noise(seconds: 8, rms: 0.1, rateHz: 16_000)
    for i in noise.samples.indices {
      noise.samples[i] *= 1 + 0.8 * sin(2 * .pi * 4 * Float(i) / 16_000)
    }
    let found = try ModulationSpectrum(of: noise, against: noise)
    #expect(abs(found.similarity - 1) < 1e-9)
    for band in found.reference.suffix(3) {
      // Noise has a modulation of its own, lower in wider bands.
      #expect(abs(band[2] - 0.8 / 2.0.squareRoot()) < 0.04, "\(band)")
      #expect(band[0] < 0.1)
    }
  }

  @Test func gainAndDelayChangeNothing() throws {
    let voice = VectorVoice(rateHz: 16_000, seconds: 4).signal()
    let late = voice.late(samples: 400, gain: 0.2)
    // The delay cuts off a hundredth of the sound.
    #expect(try ModulationSpectrum(of: late, against: voice).similarity > 0.99)
  }

  @Test func similarityFallsWithNoiseAndReverberation() throws {
    let voice = VectorVoice(rateHz: 16_000, seconds: 6).signal()
    for kind in ["white 20 white 5 white -10", "reverb 0.2 reverb 0.8 reverb 3"] {
      let words = kind.split(separator: " ")
      let values = try [0, 2, 4].map {
        try ModulationSpectrum(
          of: VectorVoice.spoiled(voice, "\(words[$0]) \(words[$0 + 1])"), against: voice
        ).similarity
      }
      #expect(values[0] > values[1] && values[1] > values[2], "\(kind): \(values)")
    }
  }

  /// The same song at another pitch keeps its rhythm; another song has a different one.
  @Test func pitchCountsLessThanWords() throws {
    let song = try Dose.song("fricatives-alto").0
    let moved = try Dose.song("fricatives-alto", semitones: 4).0
    let same = try ModulationSpectrum(of: moved, against: song).similarity
    let other = try Dose.song("stops-tenor").0
    let count = min(other.count, song.count)
    let different = try ModulationSpectrum(
      of: Signal(Array(other.samples.prefix(count)), sampleRateHz: 48_000),
      against: Signal(Array(song.samples.prefix(count)), sampleRateHz: 48_000)
    ).similarity
    #expect(same > 0.94 && different < same - 0.05, "\(same), \(different)")
  }

  @Test func incomparableSoundsThrow() {
    for (name, signal) in Dose.awkward {
      do {
        let found = try ModulationSpectrum(of: signal, against: signal)
        #expect(found.similarity.isFinite, "\(name)")
      } catch {}
    }
  }
}
