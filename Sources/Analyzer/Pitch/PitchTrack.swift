import Foundation

/// The pitch of one voice over time, at equal steps from time 0.
public struct PitchTrack: Codable, Equatable, Sendable {
  /// Time between frames; frame `i` is centred at `i * hopSeconds`.
  public var hopSeconds: Double
  /// Fundamental frequency in each frame; 0 where there is no voice.
  public var f0Hz: [Double]
  /// How likely each frame holds a voice, 0 to 1. In a track that was not measured but written
  /// down, 1 with a pitch and 0 without; of a judge that gives no probability, the share of the
  /// sound that its pitch explains.
  public var voicing: [Double]
  /// The likeliest fundamental frequency in each frame, were there a voice; 0 where nothing repeats
  /// itself at all. Equal to `f0Hz` where that is not 0.
  public var likelyHz: [Double]
  /// One standard deviation of `likelyHz` by noise and unsteadiness; `nil` where it isn't known.
  public var uncertaintyCents: [Double?]

  /// - Parameters:
  ///   - likelyHz: `f0Hz` if not given.
  ///   - uncertaintyCents: unknown if not given.
  public init(
    hopSeconds: Double, f0Hz: [Double], voicing: [Double], likelyHz: [Double]? = nil,
    uncertaintyCents: [Double?]? = nil
  ) {
    precondition(hopSeconds > 0 && f0Hz.count == voicing.count, "one voicing per frame")
    self.hopSeconds = hopSeconds
    self.f0Hz = f0Hz
    self.voicing = voicing
    self.likelyHz = likelyHz ?? f0Hz
    self.uncertaintyCents = uncertaintyCents ?? Array(repeating: nil, count: f0Hz.count)
    precondition(
      self.likelyHz.count == count && self.uncertaintyCents.count == count, "one value per frame")
  }

  public var count: Int { f0Hz.count }

  /// The share of frames with a voice.
  public var voicedShare: Double {
    f0Hz.isEmpty ? 0 : Double(f0Hz.count { $0 > 0 }) / Double(f0Hz.count)
  }

  /// The stretches of frames with a voice.
  public var voicedRuns: [Range<Int>] {
    var runs: [Range<Int>] = []
    for frame in f0Hz.indices where f0Hz[frame] > 0 {
      if let last = runs.last, last.upperBound == frame {
        runs[runs.count - 1] = last.lowerBound..<frame + 1
      } else {
        runs.append(frame..<frame + 1)
      }
    }
    return runs
  }

  /// The pitch at any time: between two voiced frames on the straight line of their logarithms
  /// (that is, of semitones); `nil` where either neighbour has no voice, or outside.
  public func f0Hz(atSeconds time: Double) -> Double? {
    let position = time / hopSeconds
    let before = Int(position.rounded(.down))
    guard before >= 0, before < count, f0Hz[before] > 0 else { return nil }
    let share = position - Double(before)
    if share == 0 { return f0Hz[before] }
    guard before + 1 < count, f0Hz[before + 1] > 0 else { return nil }
    return f0Hz[before] * pow(f0Hz[before + 1] / f0Hz[before], share)
  }
}

/// The interval from `reference` up to `hz`, in hundredths of an equal-tempered semitone.
public func cents(_ hz: Double, over reference: Double) -> Double {
  1200 * log2(hz / reference)
}
