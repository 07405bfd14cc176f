import DSP
import Foundation
import Singer
import Synchronization
import TestSupport

/// Known defects of known size.
enum Dose {
  /// Songs of the synthetic singer at 48 kHz, scaled to -20 dBFS in their loud parts; each is
  /// rendered once.
  static func song(_ id: String, semitones: Double = 0) throws -> (Signal, Truth) {
    let key = "\(id) \(semitones)"
    if let known = songs.withLock({ $0[key] }) { return known }
    let song = try rendered(id, semitones)
    songs.withLock { $0[key] = song }
    return song
  }

  private static let songs = Mutex<[String: (Signal, Truth)]>([:])

  private static func rendered(_ id: String, _ semitones: Double) throws -> (Signal, Truth) {
    let rendering = try Songbook.performance(id: id).transposed(bySemitones: semitones).render()
    let samples = rendering.signal.samples
    let loud = samples.filter { abs($0) > 1e-3 }
    let power = loud.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, loud.count))
    let gain = Float(0.1 / power.squareRoot())
    return (
      Signal(samples.map { $0 * gain }, sampleRateHz: rendering.signal.sampleRateHz),
      rendering.truth
    )
  }

  static func noise(seconds: Double, rms: Double, seed: UInt64 = 1, rateHz: Double = 48_000)
    -> Signal
  {
    .noise(
      count: Int(seconds * rateHz), width: rms * 12.0.squareRoot(), seed: seed,
      sampleRateHz: rateHz)
  }

  /// Adds single samples of a given level, one every `everySeconds`.
  static func clicks(_ signal: Signal, db: Double, everySeconds: Double = 1) -> (Signal, [Double]) {
    var spoiled = signal
    var random = SeededGenerator(seed: 4)
    var times: [Double] = []
    var time = 0.5
    while time < signal.durationSeconds - 0.2 {
      let index = Int((time + 0.2 * (random.uniform() - 0.5)) * signal.sampleRateHz)
      spoiled.samples[index] += Float(pow(10, db / 20)) * (random.uniform() < 0.5 ? 1 : -1)
      times.append(Double(index) / signal.sampleRateHz)
      time += everySeconds
    }
    return (spoiled, times)
  }

  /// Modulates the gain by `depthDb` from crest to trough.
  static func tremolo(_ signal: Signal, depthDb: Double, rateHz: Double) -> Signal {
    var spoiled = signal
    for i in spoiled.samples.indices {
      let angle = 2 * .pi * rateHz * Double(i) / signal.sampleRateHz
      spoiled.samples[i] *= Float(pow(10, depthDb / 2 * sin(angle) / 20))
    }
    return spoiled
  }

  /// Adds a delayed copy.
  static func echo(_ signal: Signal, ms: Double, db: Double) -> Signal {
    let delay = Int((ms / 1000 * signal.sampleRateHz).rounded())
    var spoiled = signal
    for i in spoiled.samples.indices.dropFirst(delay) {
      spoiled.samples[i] += Float(pow(10, db / 20)) * signal.samples[i - delay]
    }
    return spoiled
  }

  /// Convolves the sound with noise under an exponential decay of the amplitude.
  static func smeared(_ signal: Signal, decayMs: Double) -> Signal {
    var random = SeededGenerator(seed: 8)
    let decay = decayMs / 1000 * signal.sampleRateHz
    let kernel = (0..<Int(6 * decay)).map {
      Float(exp(-Double($0) / decay) * 2 * (random.uniform() - 0.5))
    }
    let gain = 1 / Float((decay / 6).squareRoot())
    return convolved(signal, kernel.map { gain * $0 })
  }

  /// Places the sound in a room: adds noise from `lateMs` that decays by 60 dB in `seconds`, at the
  /// sound's own level plus `wetDb`.
  static func room(_ signal: Signal, seconds: Double, wetDb: Double, lateMs: Double) -> Signal {
    var random = SeededGenerator(seed: 9)
    let rateHz = signal.sampleRateHz
    let tail = (0..<Int(1.5 * seconds * rateHz)).map {
      pow(10, -3 * Double($0) / rateHz / seconds) * (random.uniform() - 0.5)
    }
    let gain = pow(10, wetDb / 20) / tail.reduce(0) { $0 + $1 * $1 }.squareRoot()
    let silence = [Float](repeating: 0, count: Int(lateMs / 1000 * rateHz))
    return convolved(signal, [1] + silence + tail.map { Float(gain * $0) })
  }

  private static func convolved(_ signal: Signal, _ kernel: [Float]) -> Signal {
    var transform = FourierTransform(count: 1 << Int(log2(Double(signal.count + kernel.count)) + 1))
    transform.forward(kernel.span)
    let filter = (0..<transform.binCount).map { transform[$0] }
    transform.forward(signal.samples.span)
    do {
      var spectrum = transform.spectrum
      for i in 0..<spectrum.count {
        let (a, b) = (spectrum[i], filter[i])
        spectrum[i] = ComplexFloat(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
      }
    }
    transform.inverse()
    let scale = Float(transform.count)
    var samples = signal.samples
    for i in samples.indices { samples[i] = transform.samples[i] / scale }
    return Signal(samples, sampleRateHz: signal.sampleRateHz)
  }

  /// Unusual sounds that may break code, by name.
  static let awkward: [(String, Signal)] = {
    func signal(_ samples: [Float], _ rateHz: Double = 48_000) -> Signal {
      Signal(samples, sampleRateHz: rateHz)
    }
    let square = squareWave(periodSamples: 200, count: 48_000)
    var broken = square
    broken[100] = .nan
    broken[20_000] = .infinity
    return [
      ("nothing", signal([])), ("one sample", signal([0.5])),
      ("silence", signal([Float](repeating: 0, count: 48_000))),
      ("direct current", signal([Float](repeating: 0.5, count: 144_000))),
      ("square", signal(square)), ("not numbers", signal(broken)),
      ("impulse", signal((0..<144_000).map { $0 == 70_000 ? 1 : 0 })),
      ("8 kHz", noise(seconds: 3, rms: 0.1, rateHz: 8000)),
      ("192 kHz", noise(seconds: 2.5, rms: 0.1, rateHz: 192_000)),
      ("4 kHz", noise(seconds: 3, rms: 0.1, rateHz: 4000)),
    ]
  }()
}
