import DSP
import Foundation

/// Low-pass filters for reading between samples, at 256 places between two of them.
///
/// Windowed sincs (Kaiser) of 64 taps, longer in proportion where the cutoff is lower: at half the
/// rate of what is read and at each semitone below it, an octave down, for reading faster. A filter
/// is flat within 0.001 dB up to 0.9 of its cutoff and 100 dB down from 1.1 of it; between places it
/// goes straight, which leaves images of 90 dB down or more. The first is the sample itself where a
/// place falls on one.
///
/// - Cost: 128 multiplications a sample at the first cutoff, 256 at the last.
/// - Source: Smith and Gossett, "A flexible sampling-rate conversion method", ICASSP 1984; Kaiser's
///   formulas as in Oppenheim and Schafer, 7.5.3.
struct SincBank: ~Copyable, Sendable {
  private static let places = 256
  /// Semitones below half the rate.
  private static var lowestCutoff: Int { @_noLocks get { 12 } }

  private static let halfLength = 32.0
  /// Kaiser's for 100 dB.
  private static let taper = Window.kaiser(beta: 0.1102 * (100 - 8.7))

  /// Index in `taps` of the first filter of each cutoff.
  private let starts: RealtimeArray<Int>
  let taps: RealtimeArray<Float>

  /// The tables, worked out once; every bank has a copy of its own, 1.2 MB.
  private static let tables: (taps: [Float], starts: [Int]) = {
    var (taps, starts): ([Float], [Int]) = ([], [])
    for cutoff in 0...lowestCutoff {
      starts.append(taps.count)
      for place in 0...places {
        taps += filter(cutoff, at: Double(place) / Double(places))
      }
    }
    return (taps, starts)
  }()

  init() {
    starts = RealtimeArray(Self.tables.starts)
    taps = RealtimeArray(Self.tables.taps)
  }

  /// Taps on either side of a place; a multiple of 4.
  @inline(__always) @_noLocks static func reach(_ cutoff: Int) -> Int {
    // 32 × 2^(n/12), rounded up to fours.
    switch cutoff {
    case 0: 32
    case 1, 2: 36
    case 3: 40
    case 4, 5: 44
    case 6, 7: 48
    case 8: 52
    case 9: 56
    case 10: 60
    default: 64
    }
  }

  /// Returns the index of the highest cutoff that loses nothing to images when sound is read that
  /// much faster than it was taken, from 1 to 2.
  @_noLocks static func cutoff(forRatio ratio: Double) -> Int {
    guard ratio > 1 else { return 0 }
    // A ratio of whole semitones may have been rounded up a little.
    let semitones = semitones(ofFrequencyRatio: ratio) - 1e-6
    return min(max(floorOf(semitones) + 1, 0), lowestCutoff)
  }

  /// Index of the first of the taps for a place between samples.
  @inline(__always) @_noLocks func row(_ cutoff: Int, _ place: Int) -> Int {
    starts[cutoff] + place * 2 * Self.reach(cutoff)
  }

  private static func filter(_ cutoff: Int, at fraction: Double) -> [Float] {
    let (share, reach) = (frequencyRatio(ofSemitones: -Double(cutoff)), reach(cutoff))
    let taps = (1 - reach...reach).map { offset in
      let x = Double(offset) - fraction
      if x == 0 { return share }
      // The full-band sinc is 0 on every other sample; rounding would hide that.
      if cutoff == 0, x == x.rounded() { return 0 }
      return sin(.pi * share * x) / (.pi * x) * taper.value(at: x * share / halfLength)
    }
    let sum = taps.reduce(0, +)
    return taps.map { Float($0 / sum) }
  }
}
