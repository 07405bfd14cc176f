import Analyzer
import DSP
import Foundation

/// Cuts a voice into grains of two periods about its marks, as spectra.
///
/// A spectrum can be moved by parts of a sample, and reshaped, without error.
struct GrainCutter: ~Copyable {
  private let sound: SplitSound
  private let marks: MarkedVoice
  /// Samples of `sound` to one of the input.
  private let scale: Double
  private var transform: FourierTransform

  /// - Parameters:
  ///   - sound: the input, at a rate that makes it `scale` times as many samples.
  ///   - marks: in the input.
  init(_ sound: SplitSound, scale: Double, _ marks: MarkedVoice, transformCount: Int) {
    (self.sound, self.scale, self.marks) = (sound, scale, marks)
    transform = FourierTransform(count: transformCount)
  }

  /// The spectrum of the grain about a mark within a run of voice, as if the mark were at time 0; of the
  /// low band alone where the voice is in doubt.
  mutating func spectrum(ofMark mark: Int, in run: VoicedRun) -> [ComplexFloat] {
    let sound = marks.isDoubtful[mark] ? self.sound.low : self.sound.whole
    let (before, after) = marks.reach(ofMark: mark, in: run)
    let centre = marks.epochs[mark].timeSamples * scale
    let (left, right) = (before * scale, after * scale)
    let middle = Int(centre.rounded())
    let half = transform.count / 2
    var cut = [Float](repeating: 0, count: transform.count)
    let first = max(Int((centre - left).rounded(.up)), middle - half + 1, 0)
    let last = min(Int(centre + right), middle + half - 1, sound.count - 1)
    for n in stride(from: first, through: last, by: 1) {
      let offset = Double(n) - centre
      let weight = Window.hann.value(at: offset < 0 ? offset / left : offset / right)
      cut[n < middle ? n - middle + transform.count : n - middle] = Float(weight) * sound.samples[n]
    }
    transform.forward(cut.span)
    var phasor = Phasor(perStep: 2 * .pi * (centre - Double(middle)) / Double(transform.count))
    return (0..<transform.binCount).map { bin in phasor.next() * transform[bin] }
  }
}

/// A grain of two periods as a spectrum about its mark, or a mix of two.
struct VoiceGrain {
  var spectrum: [ComplexFloat]
  /// Period and power of the voice that it was cut from; power in any unit, 0 if it has no such period.
  var periodSamples: Double
  var power: Double

  /// Least power at the harmonics, as a share of that of all bins by their number. Of a period or of noise it is
  /// 1 to 1.3; where the tracker took the ringing of an onset for a voice four times as high, .0003 to .3.
  private static let minShare = 0.5

  /// - Parameter scale: samples of the spectrum's sound to one of the voice.
  init(_ spectrum: [ComplexFloat], periodSamples: Double, scale: Double) {
    (self.spectrum, self.periodSamples, power) = (spectrum, periodSamples, 0)
    let atHarmonics = self.power(ofRatio: 1 / scale)
    let all = spectrum.reduce(0) { $0 + Double($1.power) }
    let bins = Double(2 * (spectrum.count - 1)) / (periodSamples * scale)  // between harmonics
    if atHarmonics * scale * scale * bins > Self.minShare * all { power = atHarmonics }
  }

  /// - Parameter share: of the second.
  init(mixing first: VoiceGrain, _ second: VoiceGrain, share: Double) {
    func mixed(_ a: Double, _ b: Double) -> Double { a + share * (b - a) }
    spectrum = zip(first.spectrum, second.spectrum).map { .mixed($0, $1, Float(share)) }
    periodSamples = mixed(first.periodSamples, second.periodSamples)
    power = mixed(first.power, second.power)
  }

  /// The power of a voice made of such grains alone, `ratio` times as high; read from its harmonics, on
  /// straight lines between bins.
  func power(ofRatio ratio: Double) -> Double {
    let step = Double(2 * (spectrum.count - 1)) * ratio / periodSamples  // bins
    var (sum, place) = (0.0, step)
    while place < Double(spectrum.count - 1) {
      let bin = Int(place)
      let (low, high) = (Double(spectrum[bin].power), Double(spectrum[bin + 1].power))
      sum += low + (place - Double(bin)) * (high - low)
      place += step
    }
    return sum * ratio * ratio
  }
}

/// Adds grains to a sound at any time, between samples too.
struct GrainPlacer: ~Copyable {
  private var transform: FourierTransform

  init(transformCount: Int) { transform = FourierTransform(count: transformCount) }

  /// Adds a grain with its mark at a time.
  mutating func add(
    _ grain: [ComplexFloat], atSamples time: Double, gain: Double, to output: inout [Float]
  ) {
    let count = transform.count
    let middle = Int(time.rounded(.down))
    var phasor = Phasor(perStep: -2 * .pi * (time - Double(middle)) / Double(count))
    var spectrum = transform.spectrum
    for bin in grain.indices { spectrum[bin] = phasor.next() * grain[bin] }
    transform.inverse()
    let samples = transform.samples
    let scale = Float(gain / Double(count))
    let start = max(-count / 2 + 1, -middle)
    let end = min(count / 2, output.count - middle)
    for n in stride(from: start, to: end, by: 1) {
      output[middle + n] += scale * samples[n < 0 ? n + count : n]
    }
  }
}

/// A number of size 1 that turns by the same angle at every step, from 1 on.
struct Phasor {
  private var (re, im) = (1.0, 0.0)
  private let (stepRe, stepIm): (Double, Double)

  /// - Parameter angle: in radians.
  init(perStep angle: Double) { (stepRe, stepIm) = (cos(angle), sin(angle)) }

  mutating func next() -> ComplexFloat {
    defer { (re, im) = (re * stepRe - im * stepIm, re * stepIm + im * stepRe) }
    return ComplexFloat(Float(re), Float(im))
  }
}
