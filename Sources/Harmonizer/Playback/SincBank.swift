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
struct SincBank: @unchecked Sendable {
  /// Made once, kept for good: what plays holds no count of it.
  static let shared = SincBank()

  private static let places = 256
  /// Semitones below half the rate.
  private static var lowestCutoff: Int { @_noLocks get { 12 } }

  private static let halfLength = 32.0
  /// Kaiser's for 100 dB.
  private static let taper = Window.kaiser(beta: 0.1102 * (100 - 8.7))

  /// By cutoff: where its filters begin in `taps`.
  private let starts: UnsafeMutableBufferPointer<Int>
  private let taps: UnsafeMutableBufferPointer<Float>

  private init() {
    var (all, starts): ([Float], [Int]) = ([], [])
    for cutoff in 0...Self.lowestCutoff {
      starts.append(all.count)
      for place in 0...Self.places {
        all += Self.filter(cutoff, at: Double(place) / Double(Self.places))
      }
    }
    taps = .allocate(capacity: all.count)
    _ = taps.initialize(from: all)
    self.starts = .allocate(capacity: starts.count)
    _ = self.starts.initialize(from: starts)
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

  /// Of the highest cutoff that loses nothing to images when sound is read that much faster than it
  /// was taken, from 1 to 2.
  @_noLocks static func cutoff(forRatio ratio: Double) -> Int {
    guard ratio > 1 else { return 0 }
    // A ratio of whole semitones may have been rounded up a little.
    let semitones = semitones(ofFrequencyRatio: ratio) - 1e-6
    return min(max(floorOf(semitones) + 1, 0), lowestCutoff)
  }

  /// The first of the taps for a place between samples.
  @inline(__always) @_noLocks func row(_ cutoff: Int, _ place: Int) -> UnsafePointer<Float> {
    unsafe UnsafePointer(
      taps.baseAddress! + starts[cutoff] + place * 2 * Self.reach(cutoff))
  }

  private static func filter(_ cutoff: Int, at fraction: Double) -> [Float] {
    let (share, reach) = (exp2(-Double(cutoff) / 12), reach(cutoff))
    let taps = (1 - reach...reach).map { offset in
      let x = Double(offset) - fraction
      if x == 0 { return share }
      // Of the full band, the sinc is 0 on every other sample; rounding would not say so.
      if cutoff == 0, x == x.rounded() { return 0 }
      return sin(.pi * share * x) / (.pi * x) * taper.value(at: x * share / halfLength)
    }
    let sum = taps.reduce(0, +)
    return taps.map { Float($0 / sum) }
  }
}
