import DSP
import Foundation

/// Spectra in steps of a semitone, and harmonic tones of all notes to be fitted to them.
///
/// A note has one pattern for each of `decays`: the spectrum, read the same way, of a tone whose
/// harmonics fall by that factor from one to the next. Patterns and spectra are compared by their
/// square roots, so that a strong note does not hide the others.
struct HarmonicTones: Sendable {
  /// MIDI numbers at which the spectrum is read: E1 to C8, up to 4.2 kHz.
  static let rows = 28...108
  /// MIDI number of the note of each pattern, E1 to C7.
  let notes: [Int]

  private static let rateHz = 11_025.0
  private static let frameCount = 4096
  private static let decays = [0.45, 0.65, 0.85]
  private static let steps = 60
  private let patterns: [[Double]]
  /// Inner products of the patterns.
  private let products: [[Double]]

  /// Made at first use, which takes a tenth of a second.
  static let all = HarmonicTones()

  private init() {
    var reader = SemitoneReader()
    var (notes, patterns): ([Int], [[Double]]) = ([], [])
    for note in 28...96 {
      for decay in Self.decays {
        notes.append(note)
        patterns.append(Self.compressed(reader.amplitudes(of: Self.tone(note, decay))))
      }
    }
    (self.notes, self.patterns) = (notes, patterns)
    products = patterns.map { a in patterns.map { dot(a, $0) } }
  }

  /// Returns the amplitudes of `rows` in each frame; none if a sample is no number.
  func spectra(of signal: Signal, hopSeconds: Double) -> [[Double]] {
    guard signal.firstNonFinite == nil, signal.count > 0 else { return [] }
    let samples = signal.withoutInfrasound().resampled(to: Self.rateHz).samples
    var reader = SemitoneReader()
    var frames: [[Double]] = []
    for index in 0...Int(signal.durationSeconds / hopSeconds) {
      let start = Int(Double(index) * hopSeconds * Self.rateHz) - Self.frameCount / 2
      let frame = (start..<start + Self.frameCount).map {
        samples.indices.contains($0) ? samples[$0] : 0
      }
      frames.append(reader.amplitudes(of: frame))
    }
    return frames
  }

  /// Returns the strength of each pattern.
  func strengths(of spectrum: [Double]) -> [Double] {
    fit(Self.compressed(spectrum), by: Array(patterns.indices)).strengths
  }

  /// Returns the share of a spectrum that some of the patterns leave over.
  func unexplained(of spectrum: [Double], by chosen: [Int]) -> Double {
    fit(Self.compressed(spectrum), by: chosen).left
  }

  /// Fits non-negative strengths by multiplicative steps, which keep them so.
  private func fit(_ wanted: [Double], by chosen: [Int]) -> (strengths: [Double], left: Double) {
    let likeness = chosen.map { dot(patterns[$0], wanted) }
    let inner = chosen.map { row in chosen.map { products[row][$0] } }
    var strengths = likeness
    for _ in 0..<Self.steps {
      strengths = strengths.indices.map { index in
        strengths[index] * likeness[index] / max(dot(inner[index], strengths), 1e-30)
      }
    }
    let square = strengths.indices.reduce(0) { sum, index in
      sum + strengths[index] * (dot(inner[index], strengths) - 2 * likeness[index])
    }
    return (strengths, 1 + square)
  }

  /// Returns the square roots as a unit vector; all 0 in silence.
  private static func compressed(_ amplitudes: [Double]) -> [Double] {
    let norm = amplitudes.reduce(0, +).squareRoot()
    return amplitudes.map { norm > 0 ? $0.squareRoot() / norm : 0 }
  }

  /// Returns a frame of harmonics whose phases are spread, so that they never coincide.
  private static func tone(_ note: Int, _ decay: Double) -> [Float] {
    let step = 2 * .pi * 440 * exp2(Double(note - 69) / 12) / rateHz
    var frame = [Double](repeating: 0, count: frameCount)
    var amplitude = 1.0
    for harmonic in 1... {
      guard step * Double(harmonic) < 0.8 * .pi, amplitude > 1e-4 else { break }
      let phase = Double(harmonic * harmonic)
      for n in frame.indices { frame[n] += amplitude * sin(step * Double(harmonic * n) + phase) }
      amplitude *= decay
    }
    return frame.map { Float($0) }
  }

  /// Reads the spectrum of a frame in steps of a semitone.
  private struct SemitoneReader: ~Copyable {
    private let taper: [Float]
    /// Bins of each row with the share of their power; neighbouring rows overlap.
    private let shares: [[(bin: Int, share: Double)]]
    private var transform: FourierTransform

    init() {
      taper = Window.hann.samples(frameCount).map { Float($0) }
      transform = FourierTransform(count: frameCount)
      let binHz = rateHz / Double(frameCount)
      func hz(_ row: Int) -> Double { 440 * exp2(Double(row - 69) / 12) }
      shares = rows.map { row in
        // Low rows are closer together than bins, so each takes at least two bins.
        let below = max(hz(row) - hz(row - 1), binHz)
        let above = max(hz(row + 1) - hz(row), binHz)
        let first = Int(((hz(row) - below) / binHz).rounded(.up))
        return (first...Int((hz(row) + above) / binHz)).map { bin in
          let away = Double(bin) * binHz - hz(row)
          return (bin, 0.5 + 0.5 * cos(.pi * away / (away < 0 ? below : above)))
        }
      }
    }

    mutating func amplitudes(of frame: [Float]) -> [Double] {
      let tapered = zip(frame, taper).map { $0 * $1 }
      transform.forward(tapered.span)
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
