import DSP
import Foundation
import Synchronization

/// The strength of each tempered note, frame by frame: the non-negative strengths at which harmonic
/// tones of all notes best match the spectrum.
///
/// Spectra are read in steps of a semitone. A note has one pattern for each of `decays`: the
/// spectrum, read the same way, of a tone whose harmonics fall by that factor from one to the next.
///
/// - Cost: about 0.01 of real time. Allocates.
/// - Source: Mauch and Dixon, "Approximate note transcription for the improved identification of
///   difficult chords", ISMIR 2010; the step of Lee and Seung, "Algorithms for non-negative matrix
///   factorization", NIPS 2000.
struct NoteStrengths {
  /// MIDI numbers of the notes, E1 to C7.
  static let notes = 28...96

  let hopSeconds: Double
  /// Strengths of `notes` in each frame; all 0 in silence.
  private(set) var frames: [[Double]] = []

  private static let rateHz = 11_025.0
  private static let frameCount = 4096
  /// MIDI numbers at which the spectrum is read, up to 4.2 kHz.
  private static let rows = 28...108
  private static let decays = [0.45, 0.65, 0.85]
  private static let steps = 100

  init(of signal: Signal, tuningCents: Double, hopMs: Double) {
    hopSeconds = hopMs / 1000
    guard signal.firstNonFinite == nil, signal.count > 0 else { return }
    let samples = signal.withoutInfrasound().resampled(to: Self.rateHz).samples
    var reader = SemitoneReader(tuningCents: tuningCents)
    let patterns = Patterns.shared(tuningCents: tuningCents, &reader)
    for index in 0...Int(signal.durationSeconds / hopSeconds) {
      let centre = Int(Double(index) * hopSeconds * Self.rateHz)
      let start = centre - Self.frameCount / 2
      let cut = (start..<start + Self.frameCount).map {
        samples.indices.contains($0) ? samples[$0] : 0
      }
      frames.append(Self.strengths(reader.amplitudes(of: cut), patterns))
    }
  }

  /// A frame of harmonics whose phases are spread, so that they never coincide.
  private static func tone(_ f0Hz: Double, _ decay: Double) -> [Float] {
    var frame = [Double](repeating: 0, count: frameCount)
    var amplitude = 1.0
    for harmonic in 1... {
      let step = 2 * .pi * f0Hz * Double(harmonic) / rateHz
      guard step < 0.8 * .pi, amplitude > 1e-4 else { break }
      // A recurrence computes the sine from its last two values.
      let phase = Double(harmonic * harmonic)
      var (before, now) = (amplitude * sin(phase - step), amplitude * sin(phase))
      for n in frame.indices {
        frame[n] += now
        (before, now) = (now, 2 * cos(step) * now - before)
      }
      amplitude *= decay
    }
    return frame.map { Float($0) }
  }

  private static func strengths(
    _ spectrum: [Double], _ patterns: Patterns
  ) -> [Double] {
    let wanted = patterns.rows.map { dot($0, spectrum) }
    guard let most = wanted.max(), most > 1e-6 else {
      return Array(repeating: 0, count: notes.count)
    }
    var strengths = wanted
    for _ in 0..<steps {
      strengths = strengths.indices.map { note in
        strengths[note] * wanted[note] / max(dot(patterns.products[note], strengths), 1e-30)
      }
    }
    // The patterns of one note are adjacent.
    return stride(from: 0, to: strengths.count, by: decays.count).map { first in
      strengths[first..<first + decays.count].reduce(0, +)
    }
  }

  /// The patterns of each note and decay as unit vectors, and their inner products.
  private struct Patterns: Sendable {
    let rows: [[Double]]
    let products: [[Double]]

    private static let known = Mutex<[Double: Patterns]>([:])

    /// Returns the patterns of a tuning, computed once.
    static func shared(tuningCents: Double, _ reader: inout SemitoneReader) -> Patterns {
      if let patterns = known.withLock({ $0[tuningCents] }) { return patterns }
      var rows: [[Double]] = []
      for note in notes {
        for decay in decays {
          let row = reader.amplitudes(of: tone(reader.hz(ofNote: Double(note)), decay))
          let norm = dot(row, row).squareRoot()
          rows.append(row.map { $0 / max(norm, 1e-30) })
        }
      }
      let patterns = Patterns(rows: rows, products: rows.map { a in rows.map { dot(a, $0) } })
      known.withLock { $0[tuningCents] = patterns }
      return patterns
    }
  }

  /// Reads the spectrum of a frame in steps of a semitone.
  private struct SemitoneReader: ~Copyable {
    private let tuningCents: Double
    private let taper: [Float]
    /// Bins of each row with the share of their power; neighbouring rows overlap.
    private let shares: [[(bin: Int, share: Double)]]
    private var transform: FourierTransform

    init(tuningCents: Double) {
      self.tuningCents = tuningCents
      taper = Window.hann.samples(frameCount).map { Float($0) }
      transform = FourierTransform(count: frameCount)
      let binHz = rateHz / Double(frameCount)
      shares = rows.map { row in
        let hz = Self.hz(Double(row), tuningCents)
        // Low rows are closer together than bins, so each takes at least two bins.
        let below = max(hz - Self.hz(Double(row) - 1, tuningCents), binHz)
        let above = max(Self.hz(Double(row) + 1, tuningCents) - hz, binHz)
        return (Int(((hz - below) / binHz).rounded(.up))...Int((hz + above) / binHz)).map { bin in
          let away = Double(bin) * binHz - hz
          return (bin, 0.5 + 0.5 * cos(.pi * away / (away < 0 ? below : above)))
        }
      }
    }

    func hz(ofNote note: Double) -> Double { Self.hz(note, tuningCents) }

    private static func hz(_ note: Double, _ tuningCents: Double) -> Double {
      440 * exp2((note - 69 + tuningCents / 100) / 12)
    }

    mutating func amplitudes(of frame: [Float]) -> [Double] {
      transform.forward(zip(frame, taper).map { $0 * $1 }.span)
      var amplitudes: [Double] = []
      for row in shares {
        var power = 0.0
        for (bin, share) in row { power += share * Double(transform[bin].power) }
        amplitudes.append(power.squareRoot())
      }
      return amplitudes
    }
  }
}
