import Foundation

/// The pitch of one voice over time, at equal steps from time 0.
public struct PitchTrack: Codable, Equatable, Sendable {
  /// Time between frames; frame `i` is centred at `i * hopSeconds`.
  public var hopSeconds: Double
  /// Fundamental frequency in each frame; 0 if unvoiced.
  public var f0Hz: [Double]
  /// Probability of a voice in each frame, 0 to 1. In an annotated track it is 1 with a pitch and 0
  /// without. For an estimator without probabilities it is the share of the sound that its pitch
  /// explains.
  public var voicing: [Double]
  /// Most likely fundamental frequency in each frame, if there is a voice; 0 if nothing repeats.
  /// Equal to `f0Hz` unless that is 0.
  public var likelyHz: [Double]
  /// Standard deviation of `likelyHz` due to noise and unsteadiness; `nil` if unknown.
  public var uncertaintyCents: [Double?]

  /// - Parameters:
  ///   - voicing: defaults to 1 with a pitch and 0 without.
  ///   - likelyHz: defaults to `f0Hz`.
  ///   - uncertaintyCents: defaults to unknown.
  public init(
    hopSeconds: Double, f0Hz: [Double], voicing: [Double]? = nil, likelyHz: [Double]? = nil,
    uncertaintyCents: [Double?]? = nil
  ) {
    let voicing = voicing ?? f0Hz.map { $0 > 0 ? 1 : 0 }
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

  /// Share of voiced frames.
  public var voicedShare: Double {
    f0Hz.isEmpty ? 0 : Double(f0Hz.count { $0 > 0 }) / Double(f0Hz.count)
  }

  /// Runs of voiced frames.
  public var voicedRuns: [Range<Int>] { f0Hz.indices.filter { f0Hz[$0] > 0 }.runs }

  /// Returns the pitch at any time, interpolated between two voiced frames on their logarithms
  /// (that is, in semitones); `nil` if either neighbour is unvoiced, or outside.
  public func f0Hz(atSeconds time: Double) -> Double? {
    var position = time / hopSeconds
    // The time of a frame, which is a multiple of the hop, may be rounded to just beside it.
    if abs(position - position.rounded()) < 1e-9 * max(1, abs(position)) {
      position = position.rounded()
    }
    let before = Int(position.rounded(.down))
    guard before >= 0, before < count, f0Hz[before] > 0 else { return nil }
    let share = position - Double(before)
    if share == 0 { return f0Hz[before] }
    guard before + 1 < count, f0Hz[before + 1] > 0 else { return nil }
    return f0Hz[before] * pow(f0Hz[before + 1] / f0Hz[before], share)
  }
}

/// Returns the interval from `reference` up to `hz`, in hundredths of an equal-tempered semitone.
public func cents(_ hz: Double, over reference: Double) -> Double {
  1200 * log2(hz / reference)
}

extension PitchTrack {
  /// Returns some of the frames, of which those beyond the end are left out, as a track from time 0.
  package subscript(frames: some RangeExpression<Int>) -> PitchTrack {
    let range = frames.relative(to: 0..<count).clamped(to: 0..<count)
    return PitchTrack(
      hopSeconds: hopSeconds, f0Hz: Array(f0Hz[range]), voicing: Array(voicing[range]),
      likelyHz: Array(likelyHz[range]), uncertaintyCents: Array(uncertaintyCents[range]))
  }

  /// Returns the track of the sound after a silence, whose length is rounded to whole frames.
  package func preceded(bySilenceOf seconds: Double) -> PitchTrack {
    let frames = Int((seconds / hopSeconds).rounded())
    guard frames > 0 else { return self }
    func later<Value>(_ values: [Value], _ first: Value) -> [Value] {
      Array(repeating: first, count: frames) + values
    }
    return PitchTrack(
      hopSeconds: hopSeconds, f0Hz: later(f0Hz, 0), voicing: later(voicing, 0),
      likelyHz: later(likelyHz, 0), uncertaintyCents: later(uncertaintyCents, nil))
  }
}

extension [Int] {
  /// Runs of adjacent numbers in an ascending list.
  package var runs: [Range<Int>] {
    var found: [Range<Int>] = []
    for number in self {
      if let last = found.last, last.upperBound == number {
        found[found.count - 1] = last.lowerBound..<number + 1
      } else {
        found.append(number..<number + 1)
      }
    }
    return found
  }
}
