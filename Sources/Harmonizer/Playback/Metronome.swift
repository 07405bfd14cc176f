import DSP
import Foundation
import Music

/// Adds a click on every count of the bar, and a different one on the first.
///
/// A click is a sine that decays by 60 dB. It begins on the sample nearest to its time, which is
/// computed from the beginning for each click. Swing and loops of a sequence are ignored.
///
/// - Allocates: in `init` only.
/// - Input, output: mono samples; the input passes unchanged.
public struct Metronome: BlockProcessor, ~Copyable, @unchecked Sendable {
  // The pitches and the length of the clicks of studio metronomes; the accent is 6 dB louder.
  private static let (accentHz, countHz) = (1500.0, 1000.0)
  /// Level that the first half-wave of a click nearly reaches.
  private static let (accentDb, countDb) = (-6.0, -12.0)
  /// Length of a click, after which it is 60 dB down and cut.
  private static let clickMs = 30.0

  /// A sounding click.
  struct Click: BitwiseCopyable {
    var isAccent = false
    /// Samples since its start; beyond the end for an unused place.
    var age = Int.max
  }

  private let counts: CountTable
  private let accent: RealtimeArray<Float>
  private let count: RealtimeArray<Float>
  private let sampleRateHz: Double
  /// Places for clicks that overlap at fast tempi; a ninth click cuts the oldest.
  private var clicks: RealtimeArray<Click>
  private var place = CountTable.Place()
  private var clickCount = 0
  private var now = 0

  public var latencySamples: Int { @_noLocks get { 0 } }

  public init(tempo: TempoMap, timeSignature: MeterMap = MeterMap(), sampleRateHz: Double) {
    counts = CountTable(tempo, timeSignature)
    let length = Int((Self.clickMs / 1000 * sampleRateHz).rounded())
    func click(_ hz: Double, _ db: Double) -> RealtimeArray<Float> {
      let top = pow(10, db / 20)
      return RealtimeArray<Float>(
        (0..<length).map { i in
          let fall = pow(10, -3 * Double(i) / Double(length))
          // One sample ahead, so that the click's first sample is not 0.
          return Float(top * fall * sin(2 * .pi * hz * Double(i + 1) / sampleRateHz))
        })
    }
    accent = click(Self.accentHz, Self.accentDb)
    count = click(Self.countHz, Self.countDb)
    clicks = RealtimeArray(repeating: Click(), count: 8)
    self.sampleRateHz = sampleRateHz
  }

  @_noLocks public mutating func reset() {
    (place, clickCount, now) = (CountTable.Place(), 0, 0)
    clicks.fill(with: Click())
  }

  @_noLocks public mutating func process(
    _ input: Span<Float>, into output: inout MutableSpan<Float>
  ) {
    let (count, room) = (input.count, output.count)
    precondition(count == room, "counts differ")
    var next = nextSample()
    for i in 0..<count {
      while now + i == next {
        clicks[clickCount & 7] = Click(isAccent: counts.isAccent(place), age: 0)
        clickCount += 1
        counts.advance(&place)
        next = nextSample()
      }
      output[i] = input[i].soundOrZero + sound()
    }
    now += count
  }

  @_noLocks private func nextSample() -> Int {
    nearestOf(counts.seconds(place) * sampleRateHz)
  }

  /// Returns one sample of all sounding clicks.
  @inline(__always) @_noLocks private mutating func sound() -> Float {
    var sum: Float = 0
    let length = accent.count
    for index in 0..<clicks.count {
      let click = clicks[index]
      guard click.age < length else { continue }
      sum += click.isAccent ? accent[click.age] : count[click.age]
      clicks[index].age += 1
    }
    return sum
  }
}
