import DSP
import Foundation

/// The audible lines of a spectrum, and the share of each that excites each channel of the
/// roughness model.
struct RoughnessExcitation {
  /// A spectral line above the threshold of hearing.
  struct Line {
    var bin: Int
    var value: ComplexFloat
    /// Place in Bark.
    var bark: Double
    var levelDb: Double
    /// Fall in decibels per Bark towards higher channels.
    var upperSlopeDb: Double
  }

  /// Lines in the order of their bins.
  let lines: [Line]
  /// The lines between the first and the last that excite each channel; empty if none does.
  private(set) var ranges: [Range<Int>]
  /// Shares channel by channel: 1 at the place of a line, less along the ear's slopes, 0 where it
  /// falls below the threshold.
  private var shares: [Float]

  private static let channelCount = RoughnessScale.channelCount
  /// Fall in decibels per Bark towards lower channels.
  private static let lowerSlopeDb = -27.0
  /// Threshold in quiet at multiples of half a Bark.
  private static let quietDb = (0...channelCount + 2).map {
    RoughnessTables.thresholdDb.value(at: Double($0) / 2)
  }
  private static let quietestDb = quietDb.min()!

  init(_ lines: [Line]) {
    self.lines = lines
    shares = [Float](repeating: 0, count: Self.channelCount * lines.count)
    ranges = [Range<Int>](repeating: 0..<0, count: Self.channelCount)
    for (place, line) in lines.enumerated() {
      // The channels at or next to the line's place.
      let (low, high) = (Int(2 * line.bark) - 1, Int((2 * line.bark).rounded(.up)) - 1)
      set(low, place, 1)
      set(high, place, 1)
      descend(
        place, from: min(low - 1, Self.channelCount - 1), by: -1, end: 0,
        slopeDb: Self.lowerSlopeDb)
      descend(
        place, from: high + 1, by: 1, end: Self.channelCount - 1, slopeDb: line.upperSlopeDb)
    }
  }

  /// Returns the share of a line that excites a channel.
  func share(_ channel: Int, _ place: Int) -> Float { shares[channel * lines.count + place] }

  private mutating func set(_ channel: Int, _ place: Int, _ share: Double) {
    guard 0..<Self.channelCount ~= channel else { return }
    shares[channel * lines.count + place] = Float(share)
    // Lines come in ascending order.
    let known = ranges[channel]
    ranges[channel] = known.isEmpty ? place..<place + 1 : known.lowerBound..<place + 1
  }

  /// Sets the shares on one side of a line.
  ///
  /// A slope falls by the same ratio from channel to channel, each half a Bark from the next.
  /// Below, a channel counts at the place of the next one towards the line, and so above.
  private mutating func descend(
    _ place: Int, from first: Int, by step: Int, end: Int, slopeDb: Double
  ) {
    guard (end - first) * step >= 0 else { return }
    func ratio(_ decibels: Double) -> Double { exp(decibels * (log(10) / 20)) }
    let line = lines[place]
    var heard = first - step + 1  // in half Barks
    var fallDb = slopeDb * abs(Double(heard) / 2 - line.bark)
    // Nothing is heard further down the slope than at the lowest threshold.
    guard line.levelDb + fallDb > Self.quietestDb else { return }
    var share = ratio(fallDb)
    let perChannel = ratio(slopeDb / 2)
    var channel = first
    while (end - channel) * step >= 0, line.levelDb + fallDb > Self.quietestDb {
      if line.levelDb + fallDb > Self.quietDb[heard] { set(channel, place, share) }
      channel += step
      heard += step
      fallDb += slopeDb / 2
      share *= perChannel
    }
  }
}
