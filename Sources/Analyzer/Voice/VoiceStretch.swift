import DSP

/// A stretch of a voice with its pitch, and a margin of both on either side.
///
/// Measures of steady voice need one second of context at most. A long sound is therefore measured
/// stretch by stretch and never held in memory. It is cut in unvoiced gaps if possible.
public struct VoiceStretch: Sendable {
  /// The sound, including margins before and after the stretch's own frames.
  public let signal: Signal
  /// The pitch of `signal`; frame 0 is at its first sample.
  public let track: PitchTrack
  /// The stretch's own frames within `track`; each frame of the whole belongs to one stretch.
  public let own: Range<Int>
  /// Index in the whole of the first frame of `track`.
  public let firstFrame: Int

  public var startSeconds: Double { Double(firstFrame) * track.hopSeconds }

  /// The pitch with all frames but the stretch's own unvoiced.
  var ownTrack: PitchTrack {
    var track = track
    for frame in track.f0Hz.indices where !own.contains(frame) { track.f0Hz[frame] = 0 }
    return track
  }

  /// True if an instant of `signal` belongs to the stretch itself.
  public func isOwn(_ seconds: Double) -> Bool {
    let frame = Int((seconds / track.hopSeconds + 1e-6).rounded(.down))
    return own.contains(frame) || (frame >= own.upperBound && own.upperBound == track.count)
  }
}

extension SoundSource {
  /// Passes all stretches of a voice to `body`, in order; a sound of up to a minute is one stretch.
  public func forEachStretch(of track: PitchTrack, _ body: (VoiceStretch) throws -> Void) throws {
    let cuts = VoiceCuts(track)
    // Stretches begin on whole samples, so that frames of neighbours lie at the same positions.
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
          track: track[first..<last],
          own: own.lowerBound - first..<own.upperBound - first, firstFrame: first))
    }
  }

  private func remainder(_ value: Double) -> Double { value - value.rounded() }
}

/// The cuts of a long sound: every half minute or sooner, in the longest unvoiced gap there.
private struct VoiceCuts {
  /// Own frames of each stretch.
  let ranges: [Range<Int>]
  /// Number of frames in the margin on either side.
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
