import Analyzer
import DSP
import Foundation
import Probes

/// Damage to a sound by exact amounts.
extension Signal {
  /// Mutes the sound once for `ms` while the lead sings, with ramps of 5 ms.
  func dropped(ms: Double, lead: PitchTrack, _ random: inout SeededGenerator) -> Signal {
    let start = Self.sungInstant(of: lead, &random) ?? 0
    let (from, to) = (start, start + ms / 1000)
    return shaped { time in
      time < from || time > to ? 1 : max(0, 1 - min(time - from, to - time) / 0.005)
    }
  }

  var silenced: Signal {
    Signal([Float](repeating: 0, count: count), sampleRateHz: sampleRateHz)
  }

  /// Inserts bursts of another sound while the lead sings, with ramps of 5 ms. On average they last
  /// `share` of the time that the lead sings.
  func bursts(
    of other: Signal, seconds burst: Double, share: Double, lead: PitchTrack,
    _ random: inout SeededGenerator
  ) -> Signal {
    let sung = Double(lead.f0Hz.count { $0 > 0 }) * lead.hopSeconds
    let wanted = share * sung / burst
    let count = Int(wanted) + (random.uniform() < wanted - wanted.rounded(.down) ? 1 : 0)
    var result = self
    for _ in 0..<count {
      guard let start = Self.sungInstant(of: lead, &random) else { return self }
      let range = Int(start * sampleRateHz)..<Int((start + burst) * sampleRateHz)
      for i in range.clamped(to: samples.indices) {
        let edge = Double(min(i - range.lowerBound, range.upperBound - i)) / sampleRateHz
        let gain = Float(min(1, edge / 0.005))
        result.samples[i] += gain * (other.samples[i] - result.samples[i])
      }
    }
    return result
  }

  private static func sungInstant(of lead: PitchTrack, _ random: inout SeededGenerator) -> Double? {
    let sung = lead.f0Hz.indices.filter { lead.f0Hz[$0] > 0 }
    guard !sung.isEmpty else { return nil }
    return Double(sung[Int(random.uniform() * Double(sung.count))]) * lead.hopSeconds
  }

  /// Adds one click a second, at a random instant of that second.
  func clickingEachSecond(dbfs: Double, _ random: inout SeededGenerator) -> Signal {
    clicking(
      at: (0..<Int(durationSeconds.rounded(.up))).map { second in
        Int((Double(second) + random.uniform()) * sampleRateHz)
      }, dbfs: dbfs)
  }

  /// Adds clicks at -20 dBFS, each at a random instant of an equal part of the sound.
  func clicking(count clicks: Int, _ random: inout SeededGenerator) -> Signal {
    clicking(
      at: (0..<clicks).map { click in
        Int((Double(click) + random.uniform()) / Double(clicks) * Double(count - 1))
      }, dbfs: -20)
  }

  /// Adds clicks at -20 dBFS at even distances.
  func clickingEvenly(count clicks: Int) -> Signal {
    clicking(at: (0..<clicks).map { (2 * $0 + 1) * count / (2 * clicks) }, dbfs: -20)
  }

  /// Adds clicks of one sample; those beyond the end are left out.
  private func clicking(at places: [Int], dbfs: Double) -> Signal {
    var result = self
    for place in places where place < count { result.samples[place] += Float(pow(10, dbfs / 20)) }
    return result
  }

  /// Modulates the level by `db` from trough to crest.
  func trembling(db: Double, rateHz: Double = 6, _ random: inout SeededGenerator) -> Signal {
    let start = random.uniform()
    return shaped { pow(10, db / 2 * sin(2 * .pi * (rateHz * $0 + start)) / 20) }
  }

  /// Tilts the spectrum by `db` from 100 Hz to 5 kHz, and on beyond; negative falls.
  func tilted(db: Double) -> Signal {
    filtered { hz in db * log2(max(hz, 50) / 100) / log2(50) }
  }

  /// Changes the level above a frequency by `db`, with a transition of one octave around it.
  func shelved(db: Double, aboveHz: Double) -> Signal {
    filtered { hz in db * min(1, max(0, log2(max(hz, 1) / aboveHz) + 0.5)) }
  }

  /// Adds white noise, uniform and softer than the sound by a ratio.
  func noisy(snrDb: Double, _ random: inout SeededGenerator) -> Signal {
    // The deviation of a uniform value is its largest over the root of 3.
    let height = Float(rms * pow(10, -snrDb / 20) * 3.0.squareRoot())
    return Signal(
      samples.map { $0 + height * Float(2 * random.uniform() - 1) }, sampleRateHz: sampleRateHz)
  }

  /// Adds the sound through a tail of noise, as strong as the sound itself, which decays by 60 dB.
  func smeared(ms: Double, _ random: inout SeededGenerator) -> Signal {
    let tail = (0..<Int(ms / 1000 * sampleRateHz)).map { n in
      Float((2 * random.uniform() - 1) * pow(10, -3 * Double(n) / (ms / 1000 * sampleRateHz)))
    }
    let scale = Float(1 / max(1e-9, tail.reduce(0.0) { $0 + Double($1 * $1) }.squareRoot()))
    let wet = convolved(with: tail.map { $0 * scale })
    return Signal(samples.indices.map { samples[$0] + wet[$0] }, sampleRateHz: sampleRateHz)
  }

  /// Returns the sound through a response, as long as itself, by one transform of the whole.
  ///
  /// `Convolution` of `Corpus` goes block by block, which rounds otherwise; the grades that the program
  /// ships are of this sound.
  private func convolved(with response: [Float]) -> [Float] {
    let size = powerOfTwo(above: count + response.count)
    var dry = FourierTransform(count: size)
    var room = FourierTransform(count: size)
    dry.forward((samples + [Float](repeating: 0, count: size - count)).span)
    room.forward((response + [Float](repeating: 0, count: size - response.count)).span)
    var spectrum = dry.spectrum
    for bin in 0..<spectrum.count {
      let (x, y) = (spectrum[bin], room[bin])
      spectrum[bin] = ComplexFloat(
        (x.re * y.re - x.im * y.im) / Float(size), (x.re * y.im + x.im * y.re) / Float(size))
    }
    dry.inverse()
    let wet = dry.samples
    return (0..<count).map { wet[$0] }
  }

  func scaled(byDb db: Double) -> Signal {
    let gain = Float(pow(10, db / 20))
    return Signal(samples.map { gain * $0 }, sampleRateHz: sampleRateHz)
  }

  func added(_ other: Signal) -> Signal {
    Signal(zip(samples, other.samples).map { $0 + $1 }, sampleRateHz: sampleRateHz)
  }

  private func shaped(_ gain: (Double) -> Double) -> Signal {
    Signal(
      samples.enumerated().map { $1 * Float(gain(Double($0) / sampleRateHz)) },
      sampleRateHz: sampleRateHz)
  }

  /// Changes the level of each frequency, over the whole sound at once.
  private func filtered(_ gainDb: (Double) -> Double) -> Signal {
    guard count > 1 else { return self }
    // A second of silence separates the end from the beginning, which adjoin in the transform.
    let size = powerOfTwo(above: count + Int(sampleRateHz))
    var transform = FourierTransform(count: size)
    transform.forward(samples.span)
    var spectrum = transform.spectrum
    for bin in 0..<spectrum.count {
      let db = gainDb(Double(bin) * sampleRateHz / Double(size))
      let gain = Float(pow(10, db / 20)) / Float(size)
      spectrum[bin] = ComplexFloat(spectrum[bin].re * gain, spectrum[bin].im * gain)
    }
    transform.inverse()
    let sound = transform.samples
    return Signal((0..<count).map { sound[$0] }, sampleRateHz: sampleRateHz)
  }
}
