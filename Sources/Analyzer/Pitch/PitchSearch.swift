import DSP

/// Finds the period of every frame of a sound, stretch by stretch, with the result of a search
/// through the whole: the noise is measured in all of the sound first, and the path decides only
/// what nothing later can change.
struct PitchSearch<Sound: SoundSource> {
  private let settings: PitchTracker.Settings
  private let frameCount: Int
  private let hopSamples: Double
  private let hopSeconds: Double
  private var coarse: CoarseSound<Sound>

  /// Number of frames from which the noise is measured; up to twice as many.
  private static var noiseFrames: Int { 300 }
  /// Length of sound between queries of the path's settled choices.
  private static var stretchSeconds: Double { 10 }

  /// - Parameter whole: all of `sound`, if it is in memory.
  init(
    _ settings: PitchTracker.Settings, _ sound: Sound, whole: Signal?, _ frameCount: Int,
    hopSeconds: Double
  ) {
    self.settings = settings
    self.frameCount = frameCount
    self.hopSeconds = hopSeconds
    hopSamples = hopSeconds * PeriodFinder.sampleRateHz
    coarse = CoarseSound(sound, whole: whole)
  }

  /// Returns the chosen period of each frame and its refined measurement.
  mutating func frames() throws(Sound.Failure) -> (
    chosen: [ChosenFrame], measured: [PeriodRefiner.Measurement?]
  ) {
    var finder = PeriodFinder(settings, noise: try noise())
    var path = PitchPath(settings, hopSeconds: hopSeconds)
    var open: [PitchFrame] = []  // frames whose choice is not yet settled
    var chosen: [ChosenFrame] = []
    var measured: [PeriodRefiner.Measurement?] = []
    chosen.reserveCapacity(frameCount)
    measured.reserveCapacity(frameCount)
    let stretch = max(1, Int(Self.stretchSeconds / hopSeconds))
    for first in stride(from: 0, to: frameCount, by: stretch) {
      let range = first..<min(first + stretch, frameCount)
      let samples = try around(range)
      let padded = PaddedSamples(samples.values, from: samples.start)
      for index in range {
        let frame = finder.frame(around: centre(index), in: padded)
        path.take(frame)
        open.append(frame)
      }
      let choices = path.settled(isEnd: range.upperBound == frameCount)
      guard !choices.isEmpty else { continue }
      let settled = chosen.count..<chosen.count + choices.count
      for (frame, choice) in zip(open, choices) {
        chosen.append(ChosenFrame(frame, choice: choice))
      }
      open.removeFirst(choices.count)
      measured += try measurements(settled, chosen)
      coarse.forget(before: centre(settled.upperBound) - PeriodRefiner.marginSamples)
    }
    return (chosen, measured)
  }

  /// Passes on all frames of a short sound with their candidates.
  mutating func forEachFrame(_ body: (Int, PitchFrame) -> Void) throws(Sound.Failure) {
    var finder = PeriodFinder(settings, noise: try noise())
    let samples = try around(0..<frameCount)
    let padded = PaddedSamples(samples.values, from: samples.start)
    for index in 0..<frameCount { body(index, finder.frame(around: centre(index), in: padded)) }
  }

  private mutating func measurements(
    _ range: Range<Int>, _ chosen: [ChosenFrame]
  ) throws(Sound.Failure) -> [PeriodRefiner.Measurement?] {
    let samples = try around(range)
    let refiner = PeriodRefiner(samples.values, from: samples.start, of: coarse.count)
    return range.map { index in
      chosen[index].candidate.flatMap {
        refiner.measured($0.f0Hz, atSeconds: Double(index) * hopSeconds)
      }
    }
  }

  /// The noise floors for the long window and the one twice as long, from frames spread evenly over the
  /// sound. Only the longer one resolves the harmonics of a low voice, so that noise shows between them.
  private mutating func noise() throws(Sound.Failure) -> NoiseFloor {
    try noise(floorHz: settings.floorHz).lowered(to: noise(floorHz: settings.floorHz / 2))
  }

  /// The noise floor by windows of `windowPeriods` periods of a frequency.
  private mutating func noise(floorHz: Double) throws(Sound.Failure) -> NoiseFloor {
    var learner = FrameCorrelation(
      floorHz: floorHz, windowSeconds: PeriodFinder.windowPeriods / floorHz,
      sampleRateHz: PeriodFinder.sampleRateHz)
    let every = max(1, frameCount / Self.noiseFrames)
    var spectra: [[Float]] = []
    for frame in stride(from: 0, to: frameCount, by: every) {
      let start = centre(frame) - learner.windowCount / 2
      let samples = try coarse.glance(at: start..<start + learner.windowCount)
      spectra.append(
        learner.spectrum(of: PaddedSamples(samples, from: start), around: centre(frame)))
    }
    return NoiseFloor(
      of: spectra, hzPerBin: PeriodFinder.sampleRateHz / 2 / Double(learner.binCount - 1),
      windowPower: learner.windowPower)
  }

  private func centre(_ frame: Int) -> Int { Int((Double(frame) * hopSamples).rounded()) }

  /// The sound of some frames, with the margin that each of them needs.
  private mutating func around(
    _ frames: Range<Int>
  ) throws(Sound.Failure) -> (values: [Float], start: Int) {
    let start = max(0, centre(frames.lowerBound) - PeriodRefiner.marginSamples)
    let end = min(coarse.count, centre(frames.upperBound - 1) + PeriodRefiner.marginSamples)
    return (try coarse.samples(start..<max(start, end)), start)
  }
}

/// A sound at the rate of the period search, read forwards; earlier samples can be discarded.
private struct CoarseSound<Sound: SoundSource> {
  let count: Int
  private let sound: Sound
  private var kept: [Float] = []
  private var start = 0
  /// True if the whole may be kept, so that a short sound is resampled only once.
  private let isShort: Bool

  private static var maxKept: Int { 1 << 20 }  // two minutes
  private static var rateHz: Double { PeriodFinder.sampleRateHz }

  /// - Parameter whole: all of `sound`, if it is in memory; other analyses resample it too.
  init(_ sound: Sound, whole: Signal?) {
    self.sound = sound
    count = sound.count(at: Self.rateHz)
    isShort = count <= Self.maxKept
    if isShort, let whole { kept = whole.resampled(to: Self.rateHz).samples }
  }

  mutating func samples(_ range: Range<Int>) throws(Sound.Failure) -> [Float] {
    let end = start + kept.count
    if range.upperBound > end {
      kept += try sound.resampled(to: Self.rateHz, range: end..<range.upperBound)
    }
    return Array(kept[range.lowerBound - start..<range.upperBound - start])
  }

  /// Returns a few samples anywhere, 0 beyond the ends; those of a long sound are not kept.
  mutating func glance(at range: Range<Int>) throws(Sound.Failure) -> [Float] {
    guard isShort else { return try sound.resampled(to: Self.rateHz, range: range) }
    let inside = range.clamped(to: 0..<count)
    let values = try samples(inside)
    return [Float](repeating: 0, count: inside.lowerBound - range.lowerBound) + values
      + [Float](repeating: 0, count: range.upperBound - inside.upperBound)
  }

  mutating func forget(before place: Int) {
    guard !isShort, place > start else { return }
    let count = min(place - start, kept.count)
    kept.removeFirst(count)
    start += count
  }
}
