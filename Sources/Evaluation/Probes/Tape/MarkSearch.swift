import DSP
import Foundation

/// The places of a recording where the envelope is that of a mark.
struct MarkSearch {
  /// A place where a mark may begin.
  struct Candidate: Equatable {
    var atSeconds: Double
    /// Correlation of the envelopes, -1 to 1.
    var correlation: Double
  }

  private static let hopSeconds = 0.002
  /// Length of the mean that smooths power: a period and a half of the buzz.
  private static let smoothHops = 5
  /// Silence on both sides of the bursts that belongs to the pattern.
  private static let marginSeconds = 0.2
  /// Range of levels below the loudest of a window that counts; the rest is noise and reverberation.
  private static let rangeDb: Float = 25
  /// Correlation that speech and singing reach by chance.
  static let chanceCorrelation = 0.5
  /// Correlation of a candidate that is a mark of some tape.
  static let clearCorrelation = 0.7
  /// Smallest correlation of a candidate.
  private static let minCorrelation: Float = 0.4

  /// Envelope in decibels.
  private let levels: [Float]
  /// Correlation with the mark by place.
  private let correlations: [Float]
  private let margin: Int

  /// - Parameter channels: the channels to look in together.
  init(in channels: [Signal]) {
    margin = Int(Self.marginSeconds / Self.hopSeconds)
    let pattern = Self.pattern(margin: margin)
    levels = Self.levels(of: channels, before: margin, after: pattern.count)
    correlations = Self.correlations(of: levels, with: pattern)
  }

  /// Returns all candidates that have no better one within a distance. Half a second leaves one of a mark,
  /// even of one that is played backwards.
  func candidates(apartSeconds: Double = 0.5) -> [Candidate] {
    let apart = Int(apartSeconds / Self.hopSeconds)
    var found: [Candidate] = []
    var n = 0
    while n < correlations.count {
      guard correlations[n] >= Self.minCorrelation else {
        n += 1
        continue
      }
      let range = max(0, n - apart)..<min(correlations.count, n + apart + 1)
      if let best = range.max(by: { correlations[$0] < correlations[$1] }), best == n {
        found.append(candidate(at: n))
      }
      n += 1
    }
    return found
  }

  /// Returns the best place within a distance of a time; `nil` if none correlates.
  func best(nearSeconds time: Double, withinSeconds reach: Double) -> Candidate? {
    let first = max(0, Int((time - reach) / Self.hopSeconds))
    let last = min(correlations.count, Int((time + reach) / Self.hopSeconds) + 1)
    guard first < last,
      let place = (first..<last).max(by: { correlations[$0] < correlations[$1] }),
      correlations[place] >= Self.minCorrelation
    else { return nil }
    return candidate(at: place)
  }

  private func candidate(at place: Int) -> Candidate {
    var offset = 0.0
    if place > 0, place + 1 < correlations.count {
      offset =
        Double(
          peakOffset(correlations[place - 1], correlations[place], correlations[place + 1]) ?? 0)
    }
    return Candidate(
      atSeconds: (Double(place) + offset) * Self.hopSeconds,
      correlation: Double(correlations[place]))
  }

  // MARK: Envelopes

  /// The pattern of a mark with silence around it, of mean 0 and norm 1.
  private static func pattern(margin: Int) -> [Float] {
    let count = Int(TapeMark.seconds / hopSeconds) + 2 * margin
    let half = smoothHops / 2
    let isOn = (-half..<count + half).map { hop in
      TapeMark.isOn(atSeconds: (Double(hop - margin) + 0.5) * hopSeconds) ? Float(1) : 0
    }
    let smooth = (0..<count).map { hop in
      max(1e-3, isOn[hop..<hop + smoothHops].reduce(0, +) / Float(smoothHops))
    }
    let levels = smooth.map { max(10 * log10($0), -rangeDb) }
    let mean = levels.reduce(0, +) / Float(count)
    let norm = levels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot()
    return levels.map { ($0 - mean) / norm }
  }

  /// Returns the smoothed power of the sum of the channels in decibels.
  ///
  /// - Parameters:
  ///   - before: hops of silence before the sound.
  ///   - after: hops of silence after it.
  private static func levels(of channels: [Signal], before: Int, after: Int) -> [Float] {
    guard let first = channels.first else { return [] }
    let hop = hopSeconds * first.sampleRateHz
    let count = Int(Double(first.count) / hop)
    var power = [Float](repeating: 0, count: before + count + after)
    for channel in channels {
      // Hum and rumble are no part of a mark: a high-pass of first order at 100 Hz.
      let pole = Float(exp(-2 * Double.pi * 100 / channel.sampleRateHz))
      var (last, high) = (Float(0), Float(0))
      let samples = channel.samples.span
      for place in 0..<count {
        var sum: Float = 0
        let range = Int(Double(place) * hop)..<min(Int(Double(place + 1) * hop), samples.count)
        for n in range {
          high = pole * (high + samples[n] - last)
          last = samples[n]
          sum += high * high
        }
        power[before + place] += sum / Float(max(1, range.count))
      }
    }
    let half = smoothHops / 2
    return power.indices.map { n in
      let range = max(0, n - half)..<min(power.count, n + half + 1)
      return 10 * log10(power[range].reduce(0, +) / Float(smoothHops) + 1e-12)
    }
  }

  /// Returns the correlation of each window of the levels with the pattern. Levels far below the loudest
  /// of the window count alike.
  private static func correlations(of levels: [Float], with pattern: [Float]) -> [Float] {
    guard levels.count >= pattern.count else { return [] }
    let (levels, pattern) = (levels.span, pattern.span)
    let count = pattern.count
    return (0...(levels.count - count)).map { start in
      var loudest = levels[start]
      for n in 0..<count { loudest = max(loudest, levels[start + n]) }
      let floor = loudest - rangeDb
      var (sum, squares, product) = (Float(0), Float(0), Float(0))
      for n in 0..<count {
        let value = max(0, levels[start + n] - floor)
        sum += value
        squares += value * value
        product += value * pattern[n]
      }
      let variance = squares - sum * sum / Float(count)
      // A window of steady level fits nothing.
      return variance > Float(count) ? product / variance.squareRoot() : 0
    }
  }
}
