import DSP

/// The early reflections of a room, before its echoes become too dense to be distinct.
///
/// Eighteen reflections are those of a hall simulated by Moorer. Their times scale with the size of
/// the room, and their levels fall with its decay. Every other one crosses to the other channel,
/// and those on the right come a tenth later than on the left, so that the channels are
/// uncorrelated.
///
/// - Cost: about 110 operations a sample. Allocates: in `init` only.
/// - Source: Moorer, "About this reverberation business", Computer Music Journal 3(2), 1979: the
///   geometric simulation of Boston Symphony Hall.
struct EarlyReflections: ~Copyable {
  private static let times: [Float] = [
    0.0043, 0.0215, 0.0225, 0.0268, 0.0270, 0.0298, 0.0458, 0.0485, 0.0572, 0.0587, 0.0595, 0.0612,
    0.0707, 0.0708, 0.0726, 0.0741, 0.0753, 0.0797,
  ]
  private static let levels: [Float] = [
    0.841, 0.504, 0.491, 0.379, 0.380, 0.346, 0.289, 0.272, 0.192, 0.193, 0.217, 0.181, 0.180,
    0.181,
    0.176, 0.142, 0.167, 0.134,
  ]
  private static var count: Int { @_noLocks get { 18 } }
  /// The size of the room to which the table's times apply.
  private static var hallMetres: Double { @_noLocks get { 21 } }
  private static var rightStretch: Double { @_noLocks get { 1.1 } }

  /// The times and gains of the reflections.
  private struct Taps: BitwiseCopyable {
    var left = SIMD32<Int32>.zero  // samples
    var right = SIMD32<Int32>.zero
    var gains = SIMD32<Float>.zero
  }

  private let seconds: RealtimeArray<Float>  // `times`, for the audio thread
  private let amplitudes: RealtimeArray<Float>
  private var line: StereoLine
  private var taps = Taps()
  private var nextTaps = Taps()
  private var faded: Float = 0
  private var remaining = 0  // samples of the fade
  private var isWaiting = false
  private var wanted: Reverb.Settings
  private let sampleRateHz: Double
  private let fadeSamples: Int

  init(_ settings: Reverb.Settings, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    fadeSamples = max(Int(0.05 * sampleRateHz), 1)
    wanted = settings
    seconds = RealtimeArray<Float>(Self.times)
    amplitudes = RealtimeArray<Float>(Self.levels)
    let stretch = Self.rightStretch * Reverb.Settings.rooms.upperBound / Self.hallMetres
    line = StereoLine(longest: Int(stretch * Double(Self.times[17]) * sampleRateHz) + 1)
    taps = made(settings)
    nextTaps = taps
  }

  @_noLocks mutating func reset() {
    line.reset()
    if isWaiting { nextTaps = made(wanted) }
    (taps, remaining, faded, isWaiting) = (nextTaps, 0, 0, false)
  }

  /// Crossfades to other settings in 50 ms, after a crossfade under way.
  @_noLocks mutating func apply(_ settings: Reverb.Settings) {
    isWaiting =
      isWaiting || settings.roomMetres != wanted.roomMetres
      || settings.decaySeconds != wanted.decaySeconds || settings.earlyShare != wanted.earlyShare
    wanted = settings
  }

  /// - Returns: the reflections, without the sound itself.
  @inline(__always) @_noLocks mutating func next(_ input: SIMD2<Float>) -> SIMD2<Float> {
    line.push(input.flushed)
    if remaining == 0, isWaiting {
      (nextTaps, remaining, isWaiting) = (made(wanted), fadeSamples, false)
    }
    let here = sum(taps)
    guard remaining > 0 else { return here }
    faded = 1 - Float(remaining) / Float(fadeSamples)
    let sound = here + FadingTap.smooth(faded) * (sum(nextTaps) - here)
    remaining -= 1
    if remaining == 0 { taps = nextTaps }
    return sound
  }

  @inline(__always) @_noLocks private func sum(_ taps: Taps) -> SIMD2<Float> {
    var sound = SIMD2<Float>.zero
    var tap = 0
    while tap < Self.count {
      let (straight, across) = (taps.gains[tap], taps.gains[tap + 1])
      sound.x +=
        straight * line.left[delay: Int(taps.left[tap])] + across
        * line.right[delay: Int(taps.left[tap + 1])]
      sound.y +=
        straight * line.right[delay: Int(taps.right[tap])] + across
        * line.left[delay: Int(taps.right[tap + 1])]
      tap += 2
    }
    return sound
  }

  /// The reflections of a room, with their share of the total energy.
  @_noLocks private func made(_ settings: Reverb.Settings) -> Taps {
    var (made, energy) = (Taps(), 0.0)
    let scale = settings.roomMetres / Self.hallMetres
    for tap in 0..<Self.count {
      let time = scale * Double(seconds[tap])
      made.left[tap] = Int32(time * sampleRateHz + 0.5)
      made.right[tap] = Int32(Self.rightStretch * time * sampleRateHz + 0.5)
      // 60 dB is log2(1000) octaves of amplitude.
      let lost = RealtimeMath.exp2(-9.965_784_284_662_087 * time / settings.decaySeconds)
      made.gains[tap] = Float(Double(amplitudes[tap]) * lost)
      energy += Double(made.gains[tap]) * Double(made.gains[tap])
    }
    made.gains *= Float(RealtimeMath.root(settings.earlyShare / max(energy, 1e-30)))
    return made
  }
}
