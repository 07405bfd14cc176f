import DSP
import Foundation

/// Searches a sound of any length for the defects of `SignalDefects`, from start to end.
struct DefectSearch<Sound: SoundSource> {
  private let sound: Sound
  /// Samples on either side of a run of zeros that decide whether it is a gap.
  private let besideCount: Int

  init(_ sound: Sound) {
    self.sound = sound
    besideCount = max(1, Int(0.005 * sound.sampleRateHz))
  }

  func found() throws(Sound.Failure) -> SignalDefects {
    var notNumbers = RunFinder(least: 1)
    let minGap = max(2, Int((SignalDefects.minDropoutMs / 1000 * sound.sampleRateHz).rounded()))
    var zeros = RunFinder(least: minGap)
    var tops = FlatTops()
    var floor = QuietLevel(sampleRateHz: sound.sampleRateHz)
    var sum = 0.0
    try sound.forEachBlock { samples in
      notNumbers.add(samples) { !$0.isFinite }
      zeros.add(samples) { $0 == 0 }
      tops.add(samples)
      for sample in samples where sample.isFinite { sum += Double(sample) }
    }
    let heard = AudibleSound(sound)
    let length = 1 << 18
    for start in stride(from: 0, to: sound.count, by: length) {
      let range = start..<min(start + length, sound.count)
      floor.add(try sound.samples(range), heard: try heard.samples(range))
    }
    notNumbers.end()
    zeros.end()
    tops.end()

    var defects = SignalDefects()
    defects.nonFinite = notNumbers.runs.map(stretch)
    defects.nonFiniteCount = notNumbers.runs.reduce(0) { $0 + $1.count }
    let finite = sound.count - defects.nonFiniteCount
    if finite > 0 { defects.dcOffset = sum / Double(finite) }
    defects.clips = tops.found.map(stretch)
    if sound.count > 0 {
      defects.clippedShare = Double(tops.found.reduce(0) { $0 + $1.count }) / Double(sound.count)
    }
    for run in zeros.runs where try isGap(run) { defects.dropouts.append(stretch(run)) }
    defects.noiseFloorDbfs = floor.decibels
    return defects
  }

  /// Decides whether a run of zeros interrupts a sound.
  ///
  /// A sound that fades out before the zeros and fades in after them paused on purpose. A gap has a
  /// sharp edge: its last or first half millisecond is at least a quarter as loud as the 5 ms
  /// beside it.
  private func isGap(_ run: Range<Int>) throws(Sound.Failure) -> Bool {
    let threshold = pow(10, SignalDefects.minBesideDropoutDbfs / 20)
    guard run.lowerBound > 0, run.upperBound < sound.count else { return false }
    let edge = max(1, besideCount / 10)
    let before = try level(run.lowerBound - besideCount..<run.lowerBound)
    let last = try level(run.lowerBound - edge..<run.lowerBound)
    let after = try level(run.upperBound..<run.upperBound + besideCount)
    let first = try level(run.upperBound..<run.upperBound + edge)
    return (before >= threshold && last > before / 4) || (after >= threshold && first > after / 4)
  }

  private func level(_ range: Range<Int>) throws(Sound.Failure) -> Double {
    let range = range.clamped(to: 0..<sound.count)
    guard !range.isEmpty else { return 0 }
    let energy = try sound.samples(range).reduce(0.0) {
      $1.isFinite ? $0 + Double($1) * Double($1) : $0
    }
    return (energy / Double(range.count)).squareRoot()
  }

  private func stretch(_ range: Range<Int>) -> SignalDefects.Stretch {
    SignalDefects.Stretch(
      startSeconds: Double(range.lowerBound) / sound.sampleRateHz,
      durationMs: Double(range.count) / sound.sampleRateHz * 1000)
  }
}

/// Finds runs of samples that meet a condition.
private struct RunFinder {
  private(set) var runs: [Range<Int>] = []
  private var start: Int?
  private var taken = 0
  private let least: Int

  /// - Parameter least: minimum length of a run in samples.
  init(least: Int) { self.least = least }

  /// Takes the next samples.
  ///
  /// - Parameter isPart: condition, the same in every call.
  @inline(__always)
  mutating func add(_ samples: [Float], where isPart: (Float) -> Bool) {
    for (i, sample) in samples.enumerated() {
      if isPart(sample) {
        start = start ?? taken + i
      } else if start != nil {
        close(at: taken + i)
      }
    }
    taken += samples.count
  }

  mutating func end() { close(at: taken) }

  private mutating func close(at place: Int) {
    guard let from = start else { return }
    if place - from >= least { runs.append(from..<place) }
    start = nil
  }
}

/// Finds runs of equal samples that lie beyond both neighbours and are flatter than a crest.
///
/// The crest of a clean low tone repeats samples as well, which differ by less than the quantization
/// of the file. A crest that falls by `drop` over half of n + 1 samples, with its fourth power at the
/// flattest, falls by ((n - 1) / (n + 1))⁴ of that within n of them. Only if this exceeds a step of the
/// quantization do equal samples show that something cut the crest off.
private struct FlatTops {
  private var candidates: [(run: Range<Int>, fall: Float)] = []
  private let minLevel = Float(pow(10, SignalDefects.minClipDbfs / 20))
  private var start = 0
  private var level: Float = .nan
  private var before: Float = 0
  private var last: Float = 0
  private var position = 0
  /// Largest power of two of which all samples are multiples: the step of the quantization.
  private var quantization: Float = 1 / 128  // of 8 bits, the coarsest
  /// Largest difference of samples that count as equal.
  private static let equality: Float = 1e-6

  /// Ranges of samples in flat tops.
  var found: [Range<Int>] {
    let least = 1.5 * max(quantization, Self.equality)
    return candidates.filter { $0.fall > least }.map(\.run)
  }

  mutating func add(_ samples: [Float]) {
    for sample in samples {
      if !(abs(sample - level) <= Self.equality) {
        close(followedBy: sample)
        (start, level, before) = (position, sample, last)
      }
      if quantization > Self.equality, sample.isFinite, sample != 0 {
        let zeros = min(23, sample.significandBitPattern.trailingZeroBitCount)
        quantization = min(quantization, sample.ulp * Float(1 << zeros))
      }
      last = sample
      position += 1
    }
  }

  mutating func end() { close(followedBy: 0) }

  private mutating func close(followedBy after: Float) {
    guard position - start >= SignalDefects.minClipSamples, level.isFinite, abs(level) >= minLevel
    else { return }
    let drop = level > 0 ? level - max(before, after) : min(before, after) - level
    // A plateau within a slope, such as a held sample, is not a clip.
    guard drop > 0 else { return }
    let count = Float(position - start)
    candidates.append((start..<position, drop * pow((count - 1) / (count + 1), 4)))
  }
}

/// The level of the quietest tenth of all 10 ms frames.
private struct QuietLevel {
  private var powers: [Double] = []
  private let length: Int
  private var energy = 0.0
  private var count = 0

  init(sampleRateHz: Double) { length = max(1, Int((0.01 * sampleRateHz).rounded())) }

  /// - Parameter heard: the same samples without infrasound. The filter rings into digital silence,
  ///   which must stay silent.
  mutating func add(_ samples: [Float], heard: [Float]) {
    for (sample, heard) in zip(samples, heard) {
      if sample.isFinite, sample != 0 { energy += Double(heard) * Double(heard) }
      count += 1
      guard count == length else { continue }
      powers.append(energy / Double(length))
      (energy, count) = (0, 0)
    }
  }

  /// The level; `nil` for digital silence or fewer than ten frames.
  var decibels: Double? {
    guard powers.count >= 10 else { return nil }
    let quiet = powers.sorted().prefix(powers.count / 10)
    let mean = quiet.reduce(0, +) / Double(quiet.count)
    return mean > 0 ? 10 * log10(mean) : nil
  }
}
