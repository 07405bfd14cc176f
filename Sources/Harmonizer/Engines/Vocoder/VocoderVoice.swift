import DSP
import Foundation

/// One transposed copy, made from the analysis of a frame by moving the bins of each partial.
///
/// A partial at `b` bins goes to `ratio * b`: its bins are moved by the difference, between bins by
/// interpolation, turned by the phase that the difference has gathered, and brought to the level that
/// the envelope has there. Nothing is resampled, so a copy costs one transform a frame.
///
/// For shifts down the bins are those of the partial nearest to where it goes, with the breath that
/// belongs there: a clean partial of the lead stays clean though breath covers those above it.
///
/// - Allocates: in `init` only.
/// - Source: Laroche and Dolson 1999, as for `VocoderAnalysis`.
struct VocoderVoice: ~Copyable {
  private let shape: VocoderShape
  private let formantsKept: Bool
  private let initialShift: Double
  private let initialFormantShift: Double
  private(set) var shiftSemitones: Double
  private(set) var formantShiftSemitones: Double
  private var ratio: Double
  /// Stretch of the envelope.
  private var formantRatio: Double

  private var transform: FourierTransform
  private var turns: RealtimeArray<Double>  // by peak: how far each is turned
  private var before: RealtimeArray<Double>  // likewise in the frame before
  private var bins: RealtimeArray<ComplexFloat>  // of the frame being made
  private var moved: RealtimeArray<Float>  // a peak's bins, interleaved, with room around
  private var taper: RealtimeArray<Float>  // what makes frames add up to 1
  private var fade: RealtimeArray<Float>  // the same, of frames that were not tapered before
  private var sum: RealtimeArray<Float>  // ring of frames added up
  private let mask: Int
  private var plainFrames: Int  // since when there is nothing to transpose
  /// True if the present hop is the input itself.
  private(set) var isPlain: Bool

  init(
    shiftSemitones: Double, _ settings: Vocoder.Settings, _ shape: VocoderShape,
    window: borrowing RealtimeArray<Float>
  ) {
    self.shape = shape
    formantsKept = settings.formantsKept
    initialFormantShift = settings.formantShiftSemitones
    formantShiftSemitones = initialFormantShift
    initialShift = shiftSemitones
    self.shiftSemitones = shiftSemitones
    (ratio, formantRatio) = (1, 1)
    transform = FourierTransform(count: shape.transform)
    turns = RealtimeArray(repeating: 0, count: shape.binCount)
    before = RealtimeArray(repeating: 0, count: shape.binCount)
    bins = RealtimeArray(repeating: ComplexFloat(0, 0), count: shape.binCount)
    moved = RealtimeArray(repeating: 0, count: 2 * (shape.binCount + 8))
    let half = Double(shape.span) / 2
    let share = 2 * Double(shape.hop) / Double(shape.span)
    let shares = (0..<shape.span).map {
      Float(share * Window.hann.value(at: (Double($0) - half) / half))
    }
    fade = RealtimeArray(shares)
    taper = RealtimeArray(repeating: 0, count: shape.span)
    for i in 0..<shape.span {
      let place = (shape.window - shape.span) / 2 + i
      taper[unchecked: i] = shares[i] / window[place] / Float(shape.transform)
    }
    let length = powerOfTwo(above: shape.span + 2 * shape.hop)
    sum = RealtimeArray(repeating: 0, count: length)
    mask = length - 1
    (plainFrames, isPlain) = (0, false)
    reset()
  }

  mutating func reset() {
    (shiftSemitones, formantShiftSemitones) = (initialShift, initialFormantShift)
    setRatios()
    turns.clear()
    before.clear()
    sum.clear()
    // Before the beginning there was silence, which is as if passed.
    plainFrames = changesNothing ? shape.span / shape.hop : 0
    isPlain = changesNothing
  }

  mutating func setShift(semitones: Double) {
    guard semitones == semitones, semitones != shiftSemitones else { return }
    shiftSemitones = Engine.cut(semitones)
    setRatios()
  }

  /// Moves the formants from the next frame on; frames fade into each other.
  mutating func setFormantShift(semitones: Double) {
    guard semitones == semitones, semitones != formantShiftSemitones else { return }
    formantShiftSemitones = Engine.cutFormants(semitones)
    setRatios()
  }

  private mutating func setRatios() {
    ratio = frequencyRatio(ofSemitones: shiftSemitones)
    formantRatio = (formantsKept ? 1 : ratio) * frequencyRatio(ofSemitones: formantShiftSemitones)
  }

  private var changesNothing: Bool {
    shiftSemitones == 0 && formantShiftSemitones == 0
  }

  /// Begins a hop; call it when the frames that reach into it have all been added.
  mutating func beginHop() { isPlain = plainFrames >= shape.span / shape.hop }

  /// The next sample of the frames added up.
  @inline(__always) mutating func next(_ time: Int) -> Float {
    let sample = sum[unchecked: time & mask]
    sum[unchecked: time & mask] = 0
    return sample
  }

  /// Adds the frame analysed last, to be heard from `time` on.
  mutating func addFrame(
    _ analysis: borrowing VocoderAnalysis, past: borrowing HistoryBuffer, middle: Int,
    at time: Int
  ) {
    if changesNothing {
      plainFrames = min(plainFrames + 1, shape.span)
      for p in 0..<analysis.peakCount { turns[p] = 0 }
      let first = middle - shape.span / 2
      for i in 0..<shape.span {
        sum[unchecked: (time + i) & mask] += fade[unchecked: i] * past[first &+ i]
      }
    } else {
      plainFrames = 0
      let constant = analysis.constant
      for i in 0..<shape.span { sum[unchecked: (time + i) & mask] += fade[unchecked: i] * constant }
      guard analysis.peakCount > 0 else { return }
      movePeaks(analysis)
      addTransformed(at: time)
    }
  }

  private mutating func movePeaks(_ analysis: borrowing VocoderAnalysis) {
    let count = analysis.peakCount
    let binCount = shape.binCount
    bins.fill(with: ComplexFloat(0, 0))
    for i in 0..<binCount { before[i] = turns[i] }
    let passed = analysis.isNoise && formantsKept
    let restarts = passed || analysis.isAttack
    let stretch = passed ? 0 : ratio - 1
    var nearest = analysis.partial(after: -1)
    for p in 0..<count {
      let peak = analysis.peaks[p]
      var turn = 0.0
      if !restarts, peak.parent >= 0 {
        turn = QuickMath.wrapped(before[Int(peak.parent)] + (ratio - 1) * peak.advance)
      }
      turns[p] = turn
      let shift = Float(stretch) * peak.bin
      let target = peak.bin + shift
      guard target < Float(binCount) else { continue }
      var source = peak
      if ratio < 1, !passed, !peak.isBetweenPartials, let first = nearest {
        let best = analysis.partial(from: first, nearestTo: target / Float(formantRatio))
        source = analysis.peaks[best]
        nearest = best
      }
      let gain =
        levelChange(analysis.envelope, of: peak, to: target)
        * QuickMath.exp2(0.5 * (peak.level - source.level))
      let point = QuickMath.circle(turns: QuickMath.wrapped(turn + peak.phase - source.phase))
      Self.move(
        analysis.spectrum, Int(source.start)..<Int(source.end), by: target - source.bin,
        times: ComplexFloat(gain * point.re, gain * point.im), &moved, into: &bins)
    }
    if !passed, ratio < 1, formantsKept {
      // The harmonics end here; above them the breath goes on.
      for k in Int(ratio * Double(binCount))..<binCount {
        bins[unchecked: k] = analysis.spectrum[unchecked: k]
      }
    }
  }

  /// The gain that brings a partial to the level of the envelope where it goes.
  ///
  /// What lies between the partials of a voice is not raised: moved under a formant, an echo 40 dB
  /// down would come out as loud as the partials there, and be heard as another note.
  @inline(__always) private func levelChange(
    _ envelope: borrowing TrueEnvelope, of peak: SpectralPeak, to target: Float
  ) -> Float {
    if !formantsKept && formantShiftSemitones == 0 { return 1 }
    let change =
      envelope.level(atBin: target / Float(formantRatio)) - envelope.level(atBin: peak.bin)
    let most: Float = peak.isBetweenPartials ? 0 : 27  // 81 dB
    return QuickMath.exp2(0.5 * min(max(change, -27), most))
  }

  /// Adds bins of `source` to `target`, moved by `shift` bins and multiplied by `factor`.
  ///
  /// Between bins the cubic through four is read, Lagrange's. In the middle half of a window, which
  /// is what is heard, it is true to 0.1 %.
  @inline(__always) private static func move(
    _ source: borrowing RealtimeArray<ComplexFloat>, _ bins: Range<Int>, by shift: Float,
    times factor: ComplexFloat, _ moved: inout RealtimeArray<Float>,
    into target: inout RealtimeArray<ComplexFloat>
  ) {
    let whole = Int(shift + 4096 * 16) - 4096 * 16  // rounds down
    let f = shift - Float(whole)
    // Output bin n is read at n - whole - f, from the two bins below that place and the two above.
    let g = 1 - f
    let (far, below) = (-f * g * (1 + f) / 6, f * (1 + f) * (1 + g) / 2)
    let (above, beyond) = (g * (1 + f) * (1 + g) / 2, -f * g * (1 + g) / 6)
    let count = bins.count
    for i in 0..<6 { moved[unchecked: i] = 0 }
    for i in 0..<count {
      let value = source[unchecked: bins.lowerBound + i]
      moved[unchecked: 6 + 2 * i] = value.re * factor.re - value.im * factor.im
      moved[unchecked: 7 + 2 * i] = value.re * factor.im + value.im * factor.re
    }
    for i in 0..<6 { moved[unchecked: 6 + 2 * count + i] = 0 }
    let first = bins.lowerBound + whole - 1  // the lowest bin that hears of these
    let from = max(0, -first)
    let to = min(count + 3, target.count - first)
    guard from < to else { return }
    for i in from..<to {
      // Output first + i gathers sources i - 3 ... i, counted from the first bin.
      let j = 2 * i
      target[unchecked: first + i].re +=
        far * moved[unchecked: j] + below * moved[unchecked: j + 2] + above
        * moved[unchecked: j + 4] + beyond * moved[unchecked: j + 6]
      target[unchecked: first + i].im +=
        far * moved[unchecked: j + 1] + below * moved[unchecked: j + 3] + above
        * moved[unchecked: j + 5] + beyond * moved[unchecked: j + 7]
    }
  }

  private mutating func addTransformed(at time: Int) {
    transform.inverse(bins)
    Self.add(transform, shape, taper, to: &sum, mask, at: time)
  }

  /// Adds the span that is heard of a transformed frame, its middle at sample 0.
  @inline(__always) private static func add(
    _ transform: borrowing FourierTransform, _ shape: VocoderShape,
    _ taper: borrowing RealtimeArray<Float>, to sum: inout RealtimeArray<Float>, _ mask: Int,
    at time: Int
  ) {
    let samples = transform.samples
    let half = shape.span / 2
    for i in 0..<half {
      sum[unchecked: (time + i) & mask] += taper[unchecked: i] * samples[shape.transform - half + i]
    }
    for i in half..<shape.span {
      sum[unchecked: (time + i) & mask] += taper[unchecked: i] * samples[i - half]
    }
  }
}
