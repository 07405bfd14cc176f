import DSP

/// A stretch of a voice with its pitch, and some more of both on either side.
///
/// Measures of steady voice need a second of sound at most, so a long sound is measured stretch by
/// stretch and never lies in memory. It is cut where there is no voice, if that is to be found.
public struct VoiceStretch: Sendable {
  /// The sound, from somewhat before to somewhat after what is the stretch's own.
  public let signal: Signal
  /// Its pitch; frame 0 is at the first sample of `signal`.
  public let track: PitchTrack
  /// The frames of `track` that are the stretch's own: each frame of the whole is in one stretch.
  public let own: Range<Int>
  /// Which frame of the whole is the first of `track`.
  public let firstFrame: Int

  public var startSeconds: Double { Double(firstFrame) * track.hopSeconds }

  /// The pitch of the stretch's own frames; the others have none.
  var ownTrack: PitchTrack {
    var track = track
    for frame in track.f0Hz.indices where !own.contains(frame) { track.f0Hz[frame] = 0 }
    return track
  }

  /// Whether an instant of `signal` is the stretch's own.
  public func isOwn(_ seconds: Double) -> Bool {
    let frame = Int((seconds / track.hopSeconds + 1e-6).rounded(.down))
    return own.contains(frame) || (frame >= own.upperBound && own.upperBound == track.count)
  }
}

extension SoundSource {
  /// Hands out all stretches of a voice in order; a sound of up to a minute is one.
  public func forEachStretch(
    of track: PitchTrack, _ body: (VoiceStretch) throws -> Void
  ) throws {
    let cuts = VoiceCuts(track)
    // Stretches begin on whole samples, or frames of neighbours would not lie at the same places.
    let grid =
      (1...1000).first { abs(remainder(Double($0) * track.hopSeconds * sampleRateHz)) < 1e-6 } ?? 1
    for own in cuts.ranges {
      let first = max(0, own.lowerBound - cuts.margin) / grid * grid
      let last = min(track.count, own.upperBound + cuts.margin)
      let start = Int((Double(first) * track.hopSeconds * sampleRateHz).rounded())
      let end =
        last == track.count
        ? count : min(count, Int((Double(last) * track.hopSeconds * sampleRateHz).rounded()))
      try body(
        VoiceStretch(
          signal: Signal(try samples(min(start, end)..<end), sampleRateHz: sampleRateHz),
          track: track.frames(first..<last),
          own: own.lowerBound - first..<own.upperBound - first, firstFrame: first))
    }
  }

  private func remainder(_ value: Double) -> Double { value - value.rounded() }
}

extension PitchTrack {
  /// Some of the frames as a track of their own.
  func frames(_ range: Range<Int>) -> PitchTrack {
    PitchTrack(
      hopSeconds: hopSeconds, f0Hz: Array(f0Hz[range]), voicing: Array(voicing[range]),
      likelyHz: Array(likelyHz[range]), uncertaintyCents: Array(uncertaintyCents[range]))
  }
}

/// Where a long sound is cut: every half minute or sooner, in the longest gap of the voice there.
private struct VoiceCuts {
  /// Frames of each stretch.
  let ranges: [Range<Int>]
  /// Frames that it hears on either side.
  let margin: Int

  private static let undividedSeconds = 60.0
  private static let soonestSeconds = 15.0
  private static let latestSeconds = 30.0
  private static let marginSeconds = 1.0

  init(_ track: PitchTrack) {
    func frames(_ seconds: Double) -> Int { max(1, Int(seconds / track.hopSeconds)) }
    margin = frames(Self.marginSeconds)
    guard track.count > frames(Self.undividedSeconds) else {
      ranges = [0..<track.count]
      return
    }
    var found: [Range<Int>] = []
    var start = 0
    while track.count - start > frames(Self.latestSeconds) {
      let near = start + frames(Self.soonestSeconds)..<start + frames(Self.latestSeconds)
      let cut = Self.middleOfLongestGap(track, near) ?? near.upperBound
      found.append(start..<cut)
      start = cut
    }
    ranges = found + [start..<track.count]
  }

  private static func middleOfLongestGap(_ track: PitchTrack, _ near: Range<Int>) -> Int? {
    var (longest, run) = (0..<0, 0)
    for frame in near {
      run = track.f0Hz[frame] > 0 ? 0 : run + 1
      if run > longest.count { longest = frame + 1 - run..<frame + 1 }
    }
    return longest.isEmpty ? nil : (longest.lowerBound + longest.upperBound) / 2
  }
}
