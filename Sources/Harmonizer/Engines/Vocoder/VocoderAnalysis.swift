import DSP
import Foundation

/// A partial in one frame, or the strongest of some noise, with the bins it rules.
struct SpectralPeak: BitwiseCopyable {
  /// Place of its peak, between bins.
  var bin: Float = 0
  /// log2 of its power.
  var level: Float = 0
  /// Phase in the middle of the frame, in turns.
  var phase: Double = 0
  /// Advance of its phase since the frame before, in turns, whole ones too.
  var advance: Double = 0
  /// The bins it rules, from `start` up to, not including, `end`.
  var start: Int32 = 0
  var end: Int32 = 0
  /// The peak that ruled here in the frame before; -1 for none.
  var parent: Int32 = -1
  /// True for what lies between two partials of a voice or below its first: breath, echo, rumble.
  var isBetweenPartials = false
}

/// The analysis that all voices share: each frame's spectrum, its partials followed from frame to
/// frame, and its envelope.
///
/// - Allocates: in `init` only.
/// - Source: Laroche and Dolson, "New phase-vocoder techniques for pitch-shifting, harmonizing and
///   other exotic effects", WASPAA 1999, for peaks and the bins they rule.
struct VocoderAnalysis: ~Copyable {
  let shape: VocoderShape
  let phaseLocked: Bool
  let transientsKept: Bool
  let window: RealtimeArray<Float>
  private(set) var spectrum: RealtimeArray<ComplexFloat>
  private(set) var peakCount = 0
  private(set) var peaks: RealtimeArray<SpectralPeak>
  private(set) var envelope: TrueEnvelope
  /// The frame is noise or a click: to be passed, not transposed.
  private(set) var isNoise = false
  /// Sound begins in the second half of the frame: phases are to be as they came in.
  private(set) var isAttack = false
  /// The constant in the sound, which has no pitch to move: taken out of each frame, to be given back
  /// as it is.
  private(set) var constant: Float = 0
  /// Share of the power in partials that go on as predicted, 0 to 1.
  private(set) var tonality: Float = 0

  private var transform: FourierTransform
  private var frame: RealtimeArray<Float>
  private var powers: RealtimeArray<Float>
  /// Peak that ruled each bin in the frame before.
  private var owners: RealtimeArray<Int32>
  private var previous: RealtimeArray<SpectralPeak>
  private var isCompanion: RealtimeArray<Bool>  // by peak
  private let neighbourhood: Int  // bins each side that a peak is the highest of
  private let windowSum: Float
  /// Share by which a frame moves `constant`: 0 for windows below 25 ms, in which a voice may have
  /// a mean.
  private let constantShare: Float

  init(_ settings: Vocoder.Settings, _ shape: VocoderShape, sampleRateHz: Double) {
    self.shape = shape
    phaseLocked = settings.phaseLocked
    transientsKept = settings.transientsKept
    let half = Double(shape.window) / 2
    window = RealtimeArray(
      (0..<shape.window).map { Float(Window.hann.value(at: (Double($0) - half) / half)) })
    let binCount = shape.binCount
    spectrum = RealtimeArray(repeating: ComplexFloat(0, 0), count: binCount)
    powers = RealtimeArray(repeating: 0, count: binCount)
    owners = RealtimeArray(repeating: -1, count: binCount)
    peaks = RealtimeArray(repeating: SpectralPeak(), count: binCount)
    isCompanion = RealtimeArray(repeating: false, count: binCount)
    previous = RealtimeArray(repeating: SpectralPeak(), count: binCount)
    transform = FourierTransform(count: shape.transform)
    frame = RealtimeArray(repeating: 0, count: shape.transform)
    envelope = TrueEnvelope(shape, sampleRateHz: sampleRateHz)
    neighbourhood = 2 * shape.transform / shape.window
    windowSum = Float(shape.window) / 2
    constantShare = Double(shape.window) < 0.025 * sampleRateHz ? 0 : 1
  }

  mutating func reset() {
    peakCount = 0
    (isNoise, isAttack, tonality, constant) = (false, false, 0, 0)
    owners.fill(with: -1)
    envelope.reset()
  }

  /// Analyses the window that ends with the newest sample.
  mutating func update(_ past: borrowing HistoryBuffer) {
    measureSpectrum(past)
    rememberPeaks()
    if phaseLocked { findPeaks() } else { takeEveryBin() }
    followPeaks()
    envelope.update(powers: powers, peaks: peaks, peakCount: peakCount)
    judge()
    markBetweenPartials()
  }

  /// The first peak after `p` that is not between partials.
  func partial(after p: Int) -> Int? {
    (p + 1..<peakCount).first { !peaks[$0].isBetweenPartials }
  }

  /// The partial nearest to a place in the spectrum, at or above the partial `p`.
  func partial(from p: Int, nearestTo bin: Float) -> Int {
    var best = p
    while let next = partial(after: best), abs(peaks[next].bin - bin) <= abs(peaks[best].bin - bin)
    {
      best = next
    }
    return best
  }

  private mutating func measureSpectrum(_ past: borrowing HistoryBuffer) {
    let (length, half) = (shape.window, shape.window / 2)
    let first = past.count - length
    followConstant(past)
    var (early, late) = (Float(0), Float(0))
    // The middle of the window goes to sample 0, so that phases are those of the middle.
    for i in 0..<half {
      let sample = (past[first &+ i] - constant) * window[unchecked: i]
      frame[unchecked: shape.transform - half + i] = sample
      early += sample * sample
    }
    for i in half..<length {
      let sample = (past[first &+ i] - constant) * window[unchecked: i]
      frame[unchecked: i - half] = sample
      late += sample * sample
    }
    isAttack = transientsKept && late > 10 * early
    transform.forward(frame)
    for k in 0..<shape.binCount {
      let value = transform[k]
      spectrum[unchecked: k] = value
      powers[unchecked: k] = value.power
    }
  }

  /// The mean under the window; on a constant it is that constant.
  private mutating func followConstant(_ past: borrowing HistoryBuffer) {
    var sum: Float = 0
    let first = past.count - shape.window
    for i in 0..<shape.window {
      sum += (past[first &+ i] - constant) * window[unchecked: i]
    }
    constant += constantShare * sum / windowSum
  }

  private mutating func rememberPeaks() {
    owners.fill(with: -1)
    for p in 0..<peakCount {
      previous[p] = peaks[p]
      for k in Int(peaks[p].start)..<Int(peaks[p].end) { owners[unchecked: k] = Int32(p) }
    }
  }

  /// Bins that are the highest of their neighbourhood.
  private mutating func findPeaks() {
    let (reach, last) = (neighbourhood, shape.binCount - 1)
    var highest: Float = 0
    for k in 0...last { highest = max(highest, powers[unchecked: k]) }
    // 100 dB below the highest, and in silence, is nothing.
    let floor = max(highest * 1e-10, 1e-14)
    peakCount = 0
    var k = 1
    while k < last {
      let power = powers[unchecked: k]
      guard power > floor, power >= powers[unchecked: k - 1], power > powers[unchecked: k + 1]
      else {
        k += 1
        continue
      }
      var stands = true
      for other in max(k - reach, 0)...min(k + reach, last) where powers[unchecked: other] > power {
        stands = false
      }
      if stands {
        add(atBin: k)
        k += reach
      }
      k += 1
    }
    dropCompanions()
    divideBins()
  }

  /// Takes out what stands 12 dB or more below a peak nearer than a partial's spacing: breath and
  /// leakage, which go along with the partial. By themselves they would land between the partials
  /// of the copy, half way, and be heard as an octave below.
  private mutating func dropCompanions() {
    let reach = 0.6 * Float(shape.transform) / envelope.period
    for p in 0..<peakCount { isCompanion[p] = hasStrongNeighbour(p, within: reach) }
    var kept = 0
    for p in 0..<peakCount where !isCompanion[p] {
      peaks[kept] = peaks[p]
      kept += 1
    }
    peakCount = kept
  }

  private func hasStrongNeighbour(_ p: Int, within reach: Float) -> Bool {
    let (bin, limit) = (peaks[p].bin, peaks[p].level + 4)  // log2 of power: 12 dB
    var other = p - 1
    while other >= 0, bin - peaks[other].bin < reach {
      if peaks[other].level > limit { return true }
      other -= 1
    }
    other = p + 1
    while other < peakCount, peaks[other].bin - bin < reach {
      if peaks[other].level > limit { return true }
      other += 1
    }
    return false
  }

  /// Gives each peak the bins up to the lowest between it and the next.
  private mutating func divideBins() {
    let last = shape.binCount - 1
    for p in 0..<peakCount {
      peaks[p].start = p == 0 ? 0 : peaks[p - 1].end
      guard p + 1 < peakCount else {
        peaks[p].end = Int32(last + 1)
        continue
      }
      var lowest = Int(peaks[p].bin + 0.5)
      for k in lowest...Int(peaks[p + 1].bin + 0.5)
      where powers[unchecked: k] < powers[unchecked: lowest] { lowest = k }
      peaks[p].end = Int32(lowest)
    }
  }

  /// The classic phase vocoder: every bin for itself.
  private mutating func takeEveryBin() {
    var count = 0
    for k in 1..<shape.binCount - 1 where powers[unchecked: k] > 1e-14 {
      peaks[count] = SpectralPeak(
        bin: Float(k), level: QuickMath.log2(powers[unchecked: k]), phase: phase(k),
        start: Int32(k),
        end: Int32(k + 1))
      count += 1
    }
    peakCount = count
  }

  private mutating func add(atBin k: Int) {
    let a = QuickMath.log2(max(powers[unchecked: k - 1], 1e-30))
    let b = QuickMath.log2(powers[unchecked: k])
    let c = QuickMath.log2(max(powers[unchecked: k + 1], 1e-30))
    let offset = min(max(peakOffset(a, b, c) ?? 0, -0.5), 0.5)
    peaks[peakCount] = SpectralPeak(
      bin: Float(k) + offset, level: b - 0.25 * (a - c) * offset, phase: phase(k))
    peakCount += 1
  }

  private func phase(_ k: Int) -> Double {
    Double(atan2f(spectrum[unchecked: k].im, spectrum[unchecked: k].re)) / (2 * .pi)
  }

  /// Finds what each peak was in the frame before and how far its phase went since.
  private mutating func followPeaks() {
    let turnsPerBin = Double(shape.hop) / Double(shape.transform)
    var (going, whole) = (Float(0), Float(0))
    for p in 0..<peakCount {
      let bin = peaks[p].bin
      let power = powers[unchecked: Int(bin + 0.5)]
      whole += power
      let parent = owners[unchecked: Int(bin + 0.5)]
      peaks[p].parent = parent
      guard parent >= 0 else { continue }
      let before = previous[Int(parent)]
      let expected = Double(bin + before.bin) / 2 * turnsPerBin
      let surprise = QuickMath.wrapped(peaks[p].phase - before.phase - expected)
      peaks[p].advance = expected + surprise
      let (left, right) = (
        powers[unchecked: max(Int(peaks[p].start) - 1, 0)], powers[unchecked: Int(peaks[p].end) - 1]
      )
      if abs(surprise) < 0.05, power > 8 * max(left, right) { going += power }
    }
    tonality = whole > 0 ? going / whole : 0
  }

  private mutating func judge() {
    guard peakCount > 0, transientsKept else {
      isNoise = false
      return
    }
    // Partials of a voice that glides or trembles go elsewhere than foretold, but still repeat.
    let repeats = envelope.periodicity > (isNoise ? 0.14 : 0.12)
    isNoise = tonality < (isNoise ? 0.5 : 0.35) && !repeats
  }

  /// Marks what is more than 0.15 of the partials' spacing from any partial.
  private mutating func markBetweenPartials() {
    let partialsPerBin = envelope.framePeriod / Float(shape.transform)
    let isVoice = envelope.periodicity > 0.15
    for p in 0..<peakCount {
      let number = peaks[p].bin * partialsPerBin
      peaks[p].isBetweenPartials =
        isVoice && (number < 0.75 || abs(number - number.rounded()) > 0.15)
    }
  }
}
