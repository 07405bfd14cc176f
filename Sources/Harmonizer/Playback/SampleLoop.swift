import Foundation

/// Makes a stretch of sound repeat without a seam.
///
/// The end moves to where the sound around it is most like that around the start, by normalised
/// correlation. Then, before the end, the sound goes over into what leads to the start, so that the
/// jump from end to start lands in the middle of the same sound. The gains of the two keep the power
/// for just that likeness ρ: with plain shares a and b they are those over √(a² + b² + 2ρab). That is
/// the equal-power crossfade for sounds that are unlike, and the straight one for sounds alike.
///
/// - Source: Fink, Holters and Zölzer, "Signal-matched power-complementary cross-fading and dry-wet
///   mixing", DAFx 2016.
struct SampleLoop: Equatable, Sendable {
  /// Range of the loop in the sound that it was made for.
  let range: Range<Int>
  /// The likeness of what the crossfade brings together, 0 to 1.
  let likeness: Double
  private let crossfade: Int

  static let shortestMs = 1.0
  /// Length that is compared around either place, where the sound is long enough.
  private static let comparedMs = 10.0...100.0

  /// - Parameters:
  ///   - wanted: within `sound`.
  init(_ wanted: Range<Int>, crossfade: Int, search: Int, _ sound: [Float], rateHz: Double) {
    let start = min(
      max(wanted.lowerBound, crossfade), max(wanted.lowerBound, wanted.upperBound / 2))
    let (least, most) = (Self.comparedMs.lowerBound, Self.comparedMs.upperBound)
    let reach = Int(min(max(Double(crossfade), least / 1000 * rateHz), most / 1000 * rateHz) / 2)
    let shortest = max(2, Int((Self.shortestMs / 1000 * rateHz).rounded(.up)))
    var best = (place: wanted.upperBound, likeness: -Double.infinity)
    for distance in 0...search {
      for place in Set([wanted.upperBound - distance, wanted.upperBound + distance]).sorted()
      where place <= sound.count && place >= start + shortest {
        let alike = Self.likeness(sound, start, place, reach, reach)
        if alike > best.likeness + 1e-6 { best = (place, alike) }
      }
    }
    range = start..<max(best.place, start + 1)
    self.crossfade = min(crossfade, start, range.count)
    likeness = max(0, Self.likeness(sound, range.lowerBound, range.upperBound, self.crossfade, 0))
  }

  /// The sound, the end of whose loop goes over into what leads to its start.
  func seamless(_ sound: [Float]) -> [Float] {
    var baked = sound
    for i in 0..<crossfade {
      let share = 0.5 - 0.5 * cos(.pi * (Double(i) + 0.5) / Double(crossfade))
      let (a, b) = (1 - share, share)
      let power = (a * a + b * b + 2 * likeness * a * b).squareRoot()
      let (old, new) = (range.upperBound - crossfade + i, range.lowerBound - crossfade + i)
      baked[old] = Float((a * Double(sound[old]) + b * Double(sound[new])) / power)
    }
    return baked
  }

  /// Normalised correlation of the sound around two places; 1 where neither sounds.
  private static func likeness(
    _ sound: [Float], _ one: Int, _ other: Int, _ before: Int, _ after: Int
  ) -> Double {
    let first = -min(before, one, other)
    let last = min(after, sound.count - max(one, other))
    var (both, a, b) = (0.0, 0.0, 0.0)
    for offset in first..<max(first, last) {
      let (x, y) = (Double(sound[one + offset]), Double(sound[other + offset]))
      both += x * y
      a += x * x
      b += y * y
    }
    guard a > 0, b > 0 else { return a == b ? 1 : 0 }
    return both / (a * b).squareRoot()
  }
}
