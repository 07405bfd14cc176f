import DSP

/// The spectral envelope of a voice: smooth, and through the tops of its partials.
///
/// Partials that stand out from their neighbourhood are joined by straight lines, in decibels; the
/// cepstrum of that is cut at half the period, and what then still stands above is put back and cut
/// again, a few times. Starting from joined tops rather than the bare spectrum, two rounds do.
///
/// - Allocates: in `init` only. Costs seven transforms of half the analysis' length.
/// - Source: Röbel and Rodet, "Efficient spectral envelope estimation and its application to pitch
///   shifting and envelope preservation", DAFx 2005.
struct TrueEnvelope: ~Copyable {
  private static let rounds = 2

  private var transform: FourierTransform
  private let pointCount: Int
  private var tops: RealtimeArray<Float>  // log2 of power, a point for every second bin
  private var smooth: RealtimeArray<Float>  // likewise
  private let shortestPeriod: Float  // samples
  private let longestPeriod: Float  // samples
  private let usualPeriod: Float  // samples
  private let maxRounds: Int  // the longest period that a frame hears three times, samples
  private let lobesPerBin: Float  // bins of a transform as long as the window
  /// Period of the voice, or of what repeats in a chord: samples, smoothed over frames.
  private(set) var period: Float
  /// Clarity of any repetition in the frame: the highest peak of the autocorrelation of its
  /// levelled spectrum, 1 for pulses alone. Most voiced frames of speech have more than 0.2, 99 %
  /// of pink noise less than 0.1.
  private(set) var periodicity: Float = 0
  /// Period at which this frame repeats most, samples; 0 if nothing does.
  private(set) var framePeriod: Float = 0
  private var cut: RealtimeArray<Float>  // a cepstrum

  init(_ shape: VocoderShape, sampleRateHz: Double) {
    let count = shape.transform / 2
    transform = FourierTransform(count: count)
    pointCount = count / 2 + 1
    tops = RealtimeArray(repeating: 0, count: pointCount)
    smooth = RealtimeArray(repeating: 0, count: pointCount)
    cut = RealtimeArray(repeating: 0, count: count)
    lobesPerBin = Float(shape.window) / Float(shape.transform)
    shortestPeriod = Float(sampleRateHz / 1000)
    longestPeriod = Float(min(sampleRateHz / 65, Double(shape.window) * 0.4))
    usualPeriod = min(max(Float(sampleRateHz / 200), shortestPeriod), longestPeriod)
    period = usualPeriod
    maxRounds = shape.window / 3
  }

  mutating func reset() {
    period = usualPeriod
    (periodicity, framePeriod) = (0, 0)
    smooth.clear()
  }

  /// Returns the level at a place in the analysis' spectrum, which may lie between bins: log2 of
  /// power.
  @inline(__always) func level(atBin bin: Float) -> Float {
    let place = min(max(bin * 0.5, 0), Float(pointCount) - 1.001)
    let whole = Int(place)
    let (low, high) = (smooth[unchecked: whole], smooth[unchecked: whole + 1])
    return low + (place - Float(whole)) * (high - low)
  }

  mutating func update(
    powers: borrowing RealtimeArray<Float>, peaks: borrowing RealtimeArray<SpectralPeak>,
    peakCount: Int
  ) {
    guard peakCount > 0 else { return reset() }
    followPeriod(powers)
    joinTops(peaks, peakCount)
    for i in 0..<pointCount { smooth[unchecked: i] = tops[unchecked: i] }
    cutCepstrum()
    for _ in 0..<Self.rounds {
      for i in 0..<pointCount {
        smooth[unchecked: i] = max(smooth[unchecked: i], tops[unchecked: i])
      }
      cutCepstrum()
    }
  }

  /// Lines through the partials that are the highest within most of a partial's spacing.
  private mutating func joinTops(_ peaks: borrowing RealtimeArray<SpectralPeak>, _ peakCount: Int) {
    let spacing = Float(2 * transform.count) / period  // bins
    let reach = 0.7 * spacing
    var strongest = 0
    for p in 0..<peakCount where peaks[p].level > peaks[strongest].level { strongest = p }
    var from = 0  // points filled so far
    var (lastPlace, lastLevel) = (Float(0), Float(0))
    for p in 0..<peakCount {
      let (bin, level) = (peaks[p].bin, peaks[p].level)
      // Rumble below the lowest partial is no peak, nor is a side lobe of the strongest partial.
      var stands =
        (bin > 0.6 * spacing || p == strongest)
        && level >= peaks[strongest].level - sideLobeDepth(abs(bin - peaks[strongest].bin))
      var other = p - 1
      while other >= 0, bin - peaks[other].bin < reach {
        if peaks[other].level > level { stands = false }
        other -= 1
      }
      other = p + 1
      while other < peakCount, peaks[other].bin - bin < reach {
        if peaks[other].level >= level { stands = false }
        other += 1
      }
      guard stands else { continue }
      let place = bin * 0.5
      let slope = from == 0 ? 0 : (level - lastLevel) / max(place - lastPlace, 0.5)
      let end = min(Int(place) + 1, pointCount)
      for i in from..<max(end, from) { tops[unchecked: i] = level + slope * (Float(i) - place) }
      from = max(end, from)
      (lastPlace, lastLevel) = (place, level)
    }
    for i in from..<pointCount { tops[unchecked: i] = lastLevel }
  }

  /// Returns the distance of a partial's side lobes below it at `distance` bins: log2 of power.
  @inline(__always) private func sideLobeDepth(_ distance: Float) -> Float {
    let lobes = distance * lobesPerBin
    // Hann's first lobe, 2.4 lobes away, is 31 dB down, and the others fall by 18 dB an octave; 6 dB of
    // margin are left.
    return lobes < 2 ? 0 : 8.3 + 6 * QuickMath.log2(lobes / 2.4)
  }

  /// Keeps of `smooth` what varies slowly over frequency.
  private mutating func cutCepstrum() {
    transform.inverse(smooth)
    Self.lift(transform, period: period, into: &cut)
    transform.forward(cut)
    for i in 0..<pointCount { smooth[unchecked: i] = transform[i].re }
  }

  /// Writes the samples of a transform, a cepstrum, without what lies beyond half a period.
  private static func lift(
    _ transform: borrowing FourierTransform, period: Float, into cut: inout RealtimeArray<Float>
  ) {
    let count = transform.count
    // Partials, a period apart in quefrency, are well beyond; the edge is rounded.
    let (flat, end) = (0.5 * period, 0.9 * period)
    let cepstrum = transform.samples
    for i in 0..<count {
      let quefrency = Float(min(i, count - i))
      let x = min(max((quefrency - flat) / (end - flat), 0), 1)
      cut[unchecked: i] = cepstrum[i] / Float(count) * (1 - x * x * (3 - 2 * x))
    }
  }

  private mutating func followPeriod(_ powers: borrowing RealtimeArray<Float>) {
    for i in 0..<pointCount { smooth[unchecked: i] = powers[unchecked: 2 * i].squareRoot() }
    transform.inverse(smooth)
    (periodicity, framePeriod) = (0, 0)
    let (first, last) = (Int(shortestPeriod), min(Int(longestPeriod), transform.count / 2 - 2))
    guard last > first, first > 0, transform.samples[0] > 0 else { return }
    // Two clicks repeat too; a voice does so three times in a frame.
    if maxRounds >= first, let lag = highestPeak(first...min(last, maxRounds)) {
      periodicity = transform.samples[lag] / transform.samples[0]
      framePeriod = place(ofPeak: lag)
    }
    // An eighth of the way a frame: a wrong octave now and then is not heard.
    if let lag = firstHighPeak(first...last) { period += 0.125 * (Float(lag) - period) }
  }

  /// The highest peak of the autocorrelation of the spectrally levelled frame.
  private func highestPeak(_ lags: ClosedRange<Int>) -> Int? {
    var (highest, found) = (Float(0), Int?.none)
    for lag in lags where transform.samples[lag] > highest && isPeak(lag) {
      (highest, found) = (transform.samples[lag], lag)
    }
    return found
  }

  /// The first of its peaks that is nearly as high as the highest.
  private func firstHighPeak(_ lags: ClosedRange<Int>) -> Int? {
    let correlation = transform.samples
    guard let top = highestPeak(lags), correlation[top] > 0.15 * correlation[0] else { return nil }
    return lags.first { correlation[$0] >= 0.8 * correlation[top] && isPeak($0) }
  }

  private func isPeak(_ lag: Int) -> Bool {
    let correlation = transform.samples
    return correlation[lag] >= correlation[lag - 1] && correlation[lag] >= correlation[lag + 1]
  }

  /// The top of the parabola through a peak and its neighbours.
  private func place(ofPeak lag: Int) -> Float {
    let correlation = transform.samples
    let (before, after) = (correlation[lag - 1], correlation[lag + 1])
    let bend = before - 2 * correlation[lag] + after
    return Float(lag) + (bend < 0 ? 0.5 * (before - after) / bend : 0)
  }
}

extension FourierTransform {
  /// Transforms `samples`, padded with zeros.
  mutating func forward(_ samples: borrowing RealtimeArray<Float>) { forward(samples.span) }

  /// Transforms the spectrum `bins`, which is kept.
  mutating func inverse(_ bins: borrowing RealtimeArray<ComplexFloat>) {
    precondition(bins.count == binCount, "as many bins as the transform has")
    var spectrum = spectrum
    for k in 0..<spectrum.count { spectrum[k] = bins[unchecked: k] }
    inverse()
  }

  /// Transforms the spectrum of real values `bins`.
  mutating func inverse(_ bins: borrowing RealtimeArray<Float>) {
    precondition(bins.count == binCount, "as many bins as the transform has")
    var spectrum = spectrum
    for k in 0..<spectrum.count { spectrum[k] = ComplexFloat(bins[unchecked: k], 0) }
    inverse()
  }
}
