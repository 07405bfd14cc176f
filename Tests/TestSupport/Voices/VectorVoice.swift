import DSP
import Foundation

/// The voice of `scripts/vectors/voice.py`, equal sample by sample, and its degradations. Change
/// both together.
public struct VectorVoice {
  public var rateHz: Double
  public var seconds = 3.0
  public var f0Hz = 120.0
  public var seed: UInt64 = 1
  /// Factor on the formants; 1 in the scripts.
  public var formantScale = 1.0

  public init(
    rateHz: Double, seconds: Double = 3, f0Hz: Double = 120, seed: UInt64 = 1,
    formantScale: Double = 1
  ) {
    (self.rateHz, self.seconds, self.f0Hz) = (rateHz, seconds, f0Hz)
    (self.seed, self.formantScale) = (seed, formantScale)
  }

  /// F1 to F3 of a, e, i, o, u in Hz, near those of Peterson and Barney, 1952.
  private static let vowelsHz: [[Double]] = [
    [730, 1090, 2440], [530, 1840, 2480], [270, 2290, 3010], [570, 840, 2410], [300, 870, 2240],
  ]

  /// Two poles at a frequency, with unit gain at 0 Hz (Klatt 1980).
  private struct Resonator {
    var first = 0.0
    var second = 0.0

    mutating func step(_ x: Double, hz: Double, widthHz: Double, rateHz: Double) -> Double {
      let radius = exp(-.pi * widthHz / rateHz)
      let b = 2 * radius * cos(2 * .pi * hz / rateHz)
      let c = -radius * radius
      let y = (1 - b - c) * x + b * first + c * second
      (first, second) = (y, first)
      return y
    }
  }

  /// Renders syllables of 0.25 s: a hiss, a vowel, a pause; every sixth is silent.
  public func signal() -> Signal {
    var random = SeededGenerator(seed: seed)
    var hiss = SeededGenerator(seed: seed + 1000)
    var resonators = [Resonator](repeating: Resonator(), count: 3)
    var samples: [Float] = []
    var (phase, syllable, glide, shift) = (0.0, -1, 1.0, 1.0)
    var formantsHz = Self.vowelsHz[0]
    for n in 0..<Int(seconds * rateHz) {
      let time = Double(n) / rateHz
      if Int(time / 0.25) != syllable {
        syllable = Int(time / 0.25)
        formantsHz = Self.vowelsHz[Int(random.uniform() * 5)]
        shift = 0.9 + 0.2 * random.uniform()
        glide = 0.8 + 0.4 * random.uniform()
      }
      let place = time / 0.25 - Double(syllable)
      let loud = syllable % 6 == 5 ? 0.0 : 1.0
      phase += f0Hz * glide * (1 + 0.2 * place) / rateHz
      let pulse = phase >= 1 ? 1.0 : 0.0
      phase -= pulse
      let swell = max(0, min(1, min((place - 0.2) / 0.15, (0.85 - place) / 0.25)))
      let hush = max(0, min(1, min(place / 0.05, (0.25 - place) / 0.05)))
      let noise = 2 * hiss.uniform() - 1
      var value = loud * swell * (pulse * rateHz.squareRoot() + 0.02 * noise)
      for i in 0..<3 {
        value = resonators[i].step(
          value, hz: formantsHz[i] * shift * formantScale, widthHz: 60 + 30 * Double(i),
          rateHz: rateHz)
      }
      samples.append(Float(0.05 * value + 0.02 * loud * hush * noise))
    }
    return Signal(samples, sampleRateHz: rateHz)
  }

  /// Applies a degradation such as `white 10`.
  public static func spoiled(_ signal: Signal, _ condition: String) -> Signal {
    let words = condition.split(separator: " ")
    let amount = Double(words[1])!
    let rate = signal.sampleRateHz
    let x = signal.samples.map { Double($0) }
    let y: [Double]
    switch words[0] {
    case "white", "pink":
      let noise = words[0] == "pink" ? pink(white(x.count)) : white(x.count)
      let gain = (energy(x) / energy(noise)).squareRoot() * pow(10, -amount / 20)
      y = zip(x, noise).map { $0 + gain * $1 }
    case "lowpass":
      let share = 1 - exp(-2 * .pi * amount / rate)
      y = (0..<4).reduce(x) { input, _ in
        var state = 0.0
        return input.map {
          state += share * ($0 - state)
          return state
        }
      }
    case "reverb": y = reverberated(x, rt60S: amount, rate)
    case "clip":
      let top = x.reduce(0) { max($0, abs($1)) } * amount
      y = x.map { max(-top, min(top, $0)) }
    case "ring": y = x.indices.map { x[$0] * sin(2 * .pi * amount * Double($0) / rate) }
    case "gate":
      let length = Int(amount / 1000 * rate)
      y = x.indices.map { $0 / length % 2 == 0 ? x[$0] : 0 }
    default: fatalError("unknown degradation \(condition)")
    }
    return Signal(y.map { Float($0) }, sampleRateHz: rate)
  }

  private static func energy(_ x: [Double]) -> Double { x.reduce(0) { $0 + $1 * $1 } }

  private static func white(_ count: Int) -> [Double] {
    var random = SeededGenerator(seed: 77)
    return (0..<count).map { _ in 2 * random.uniform() - 1 }
  }

  /// Pink noise by Kellet's three-pole approximation.
  private static func pink(_ white: [Double]) -> [Double] {
    var (a, b, c) = (0.0, 0.0, 0.0)
    return white.map {
      a = 0.99765 * a + $0 * 0.0990460
      b = 0.96300 * b + $0 * 0.2965164
      c = 0.57000 * c + $0 * 1.0526913
      return a + b + c + $0 * 0.1848
    }
  }

  private static func reverberated(_ x: [Double], rt60S: Double, _ rate: Double) -> [Double] {
    var y = x
    for ms in [29.7, 37.1, 41.1, 43.7] {
      let delay = Int(ms / 1000 * rate)
      let gain = pow(10, -3 * ms / 1000 / rt60S)
      var comb: [Double] = []
      for n in x.indices {
        comb.append(x[n] + (n >= delay ? gain * comb[n - delay] : 0))
        y[n] += comb[n] - x[n]
      }
    }
    return y
  }
}
