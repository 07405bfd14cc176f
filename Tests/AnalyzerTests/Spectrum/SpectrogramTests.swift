import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct SpectrogramTests {
  @Test(arguments: [(100.0, 1.0), (440.0, 0.1), (3000.0, 0.01)])
  func aSineStandsAtItsPitchWithItsLevel(hz: Double, amplitude: Double) throws {
    let spectrogram = Spectrogram(of: Signal.sine(hz, amplitude: amplitude))
    let column = spectrogram.levelsDb[spectrogram.levelsDb.count / 2]
    let row = column.indices.max { column[$0] < column[$1] }!
    // Half of the 5.9 Hz between bins, and half of the 2.2 % between rows.
    #expect(abs(spectrogram.frequenciesHz[row] - hz) <= 3 + 0.011 * hz)
    // A Hann lobe falls by 0.1 dB half-way between bins at fourfold padding.
    #expect(abs(Double(column[row]) - 20 * log10(amplitude)) < 0.2)
  }

  @Test func columnsCoverTheSoundHoweverLong() throws {
    let spectrogram = Spectrogram(of: Signal.sine(200, amplitude: 0.5), maxColumns: 50)
    // Columns hold whole frames, so there may be half as many.
    #expect((25...50).contains(spectrogram.levelsDb.count))
    let covered = Double(spectrogram.levelsDb.count) * spectrogram.hopSeconds
    #expect(abs(covered - 1) < 2 * spectrogram.hopSeconds)
  }

  /// One sample in a second, shown in ten columns, appears only in the column that it is nearest to.
  @Test func aClickIsNotLostBetweenColumns() throws {
    var samples = [Float](repeating: 0, count: 48_000)
    samples[24_350] = 1
    let spectrogram = Spectrogram(of: Signal(samples, sampleRateHz: 48_000), maxColumns: 10)
    let loud = spectrogram.levelsDb.indices.filter { spectrogram.levelsDb[$0].max()! > -100 }
    #expect(loud == [Int((24_350 / 48_000 / spectrogram.hopSeconds).rounded())])
  }

  @Test(arguments: [[Float](), [0.5], [.nan, .infinity, 0.1]])
  func everySoundHasASpectrogram(samples: [Float]) throws {
    let spectrogram = Spectrogram(of: Signal(samples, sampleRateHz: 8_000))
    #expect(spectrogram.levelsDb.allSatisfy { $0.allSatisfy(\.isFinite) })
    #expect(spectrogram.frequenciesHz.last! <= 4_000.001)
  }
}
