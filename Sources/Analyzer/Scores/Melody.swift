import Foundation

/// A pitch curve at given times, as in annotations and trackers' output.
///
/// 0 Hz means no pitch; a negative frequency is a guess for a frame marked as unvoiced.
public struct Melody: Equatable, Sendable {
  public let seconds: [Double]
  /// Pitch in cents above 10 Hz; 0 without a pitch.
  let cents: [Double]
  let isVoiced: [Bool]

  /// A fault in a curve.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    case empty
    case countsDiffer(seconds: Int, hz: Int)
    case timesNotRising(index: Int)
    case notFinite(index: Int)

    public var description: String {
      switch self {
      case .empty: "the melody has no frames"
      case .countsDiffer(let seconds, let hz):
        "the melody has \(seconds) times and \(hz) pitches; give one pitch per time"
      case .timesNotRising(let index):
        "time \(index) is negative or not later than the one before; sort the frames"
      case .notFinite(let index): "frame \(index) is not a number"
      }
    }
  }

  public init(seconds: [Double], hz: [Double]) throws(Failure) {
    guard !seconds.isEmpty else { throw .empty }
    guard seconds.count == hz.count else {
      throw .countsDiffer(seconds: seconds.count, hz: hz.count)
    }
    for index in seconds.indices {
      guard seconds[index].isFinite, hz[index].isFinite else { throw .notFinite(index: index) }
      guard seconds[index] >= 0, index == 0 || seconds[index] > seconds[index - 1] else {
        throw .timesNotRising(index: index)
      }
    }
    self.init(
      seconds: seconds, cents: hz.map { $0 == 0 ? 0 : 1200 * log2(abs($0) / 10) },
      isVoiced: hz.map { $0 > 0 })
  }

  private init(seconds: [Double], cents: [Double], isVoiced: [Bool]) {
    (self.seconds, self.cents, self.isVoiced) = (seconds, cents, isVoiced)
  }

  /// Returns the curve with its first frame repeated at time 0, unless it starts there.
  func startingAtZero() -> Melody {
    guard seconds[0] > 0 else { return self }
    return Melody(
      seconds: [0] + seconds, cents: [cents[0]] + cents, isVoiced: [isVoiced[0]] + isVoiced)
  }

  /// Returns the curve at other times; both start at 0.
  ///
  /// Pitch is interpolated linearly between frames, holding the last pitch where a frame has none.
  /// Voicing, and whether there is a pitch, come from the frame before. After the end there is
  /// nothing.
  func sampled(atSeconds times: [Double]) -> Melody {
    guard !Self.areSame(seconds, times) else { return self }
    var (known, pitch, voiced) = (seconds.map(Self.rounded), cents, isVoiced)
    let wanted = times.map(Self.rounded)
    if wanted.last! > known.last! {
      known.append(wanted.last!)
      pitch.append(0)
      voiced.append(false)
    }
    var held = pitch
    for i in held.indices.dropFirst() where pitch[i] == 0 { held[i] = held[i - 1] }
    var (sampledCents, sampledVoicing) = ([Double](), [Bool]())
    var before = 0
    for time in wanted {
      while before + 1 < known.count, known[before + 1] <= time { before += 1 }
      let after = min(before + 1, known.count - 1)
      let share = after == before ? 0 : (time - known[before]) / (known[after] - known[before])
      let value = held[before] + share * (held[after] - held[before])
      sampledCents.append(pitch[before] == 0 ? 0 : value)
      sampledVoicing.append(voiced[before])
    }
    return Melody(seconds: times, cents: sampledCents, isVoiced: sampledVoicing)
  }

  /// A time without the differences in the last digits of written times.
  private static func rounded(_ time: Double) -> Double {
    (time * 1e10).rounded(.toNearestOrEven) / 1e10
  }

  /// NumPy's `allclose`, which mir_eval uses to decide that a curve needs no resampling.
  private static func areSame(_ a: [Double], _ b: [Double]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) <= 1e-8 + 1e-5 * abs($1) }
  }
}
