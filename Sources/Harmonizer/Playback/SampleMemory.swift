import DSP

/// A sample as the audio thread reads it: by octaves, each at half the rate of the one before, with
/// silence around it and its loop unrolled, so that reading never has to ask where it is.
///
/// Time runs in samples of the recording, from the first of the crop, as 32 bits before the point
/// and 32 after it: whole ratios are exact and nothing drifts.
///
/// - Allocates: in `init` only; about twice the samples. Reading costs two filters of `SincBank`.
struct SampleMemory: ~Copyable, @unchecked Sendable {
  /// Octaves below the recording's rate.
  static let lowestOctave = 5
  /// Least and greatest speed of reading: there is no lower octave.
  static var slowest: Double { @_noLocks get { 1.0 / 512 } }
  static var fastest: Double { @_noLocks get { 32 } }

  /// Silence before the first sample, and half of what is after the last: beyond the reach of the
  /// longest filter in the lowest octave, that of the resampler included.
  private static var margin: Int { @_noLocks get { 6144 } }

  /// End of the sound; out of reach if it is looped.
  let end: Int64
  /// Time from which reading goes back by `loopLength`, which is 0 without a loop.
  let wrap: Int64
  let loopLength: Int64

  private let bank = SincBank()
  private var sound: RealtimeArray<Float>
  /// Start of each octave in `sound`.
  private var starts = RealtimeArray<Int>(repeating: 0, count: lowestOctave + 1)

  /// - Parameter octaves: how many there are to be; without them, the slower ratios alone.
  init(_ sample: Sample, isLooped: Bool, octaves: Int = lowestOctave) {
    let silence = [Float](repeating: 0, count: Self.margin)
    var whole = silence
    if isLooped, let seam = sample.seam {
      let (sound, loop) = (seam.seamless(sample.samples), seam.range)
      whole += sound[..<loop.upperBound]
      whole += (0..<2 * Self.margin).map { sound[loop.lowerBound + $0 % loop.count] }
      end = .max
      loopLength = Int64(loop.count) << 32
      wrap = Int64(loop.upperBound + Self.margin) << 32
    } else {
      whole += sample.samples + silence
      end = Int64(sample.samples.count) << 32
      (wrap, loopLength) = (.max, 0)
    }
    // The last octave needs a whole number of samples, and a rest for the longest filter.
    whole += [Float](repeating: 0, count: 64 - whole.count % 64)
    var all = whole
    for octave in 1..<octaves + 1 {
      starts[octave] = all.count
      let rateHz = sample.sampleRateHz
      all +=
        Signal(whole, sampleRateHz: rateHz)
        .resampled(to: rateHz / Double(1 << octave)).samples
    }
    sound = RealtimeArray<Float>(all + [Float](repeating: 0, count: 8))
  }

  /// The sound at a time, low-passed for the ratio that it is read at.
  ///
  /// - Parameter time: not negative, and below `end` and `wrap` plus one step.
  @inline(__always) @_noLocks
  func value(at time: Int64, octave: Int, cutoff: Int) -> Float {
    let place = (time &+ Int64(Self.margin) &<< 32) &>> Int64(octave)
    let between = Int(place &>> 24) & 0xff
    let rest = Float(place & 0xff_ffff) * 0x1p-24
    let reach = SincBank.reach(cutoff)
    let first = starts[octave] + Int(place &>> 32) + 1 - reach
    let row = bank.row(cutoff, between)
    let next = row + 2 * reach
    var (here, there) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    var tap = 0
    while tap < 2 * reach {
      let eight = sound[eightAt: first + tap]
      here += eight * bank.taps[uncheckedEightAt: row + tap]
      there += eight * bank.taps[uncheckedEightAt: next + tap]
      tap += 8
    }
    let value = here.sum()
    return value + rest * (there.sum() - value)
  }
}
