import DSP
import Foundation
import Statistics

// How the judge of mixed voices works
//
// A harmonizer that returns a mix only is judged by its mix. What each voice should sing is known, so the
// judge does not search: it asks for each target whether the mix holds it, how far off it is, and how
// loud. No separation of sources is needed, and none would be exact enough for cents.
//
// 1. Fit. At each frame all harmonics of all targets, and of a dry lead, are fitted to the sound together
//    by least squares (`JointHarmonicFit`), each voice with a pitch, a slope and a curvature. Fitted one
//    by one, voices would take each other's harmonics. The target's own movement is the starting point,
//    from a parabola through five frames. (Sources: Christensen and Jakobsson, 2009, for the fit;
//    Savitzky and Golay, 1964, for the parabola.)
// 2. Windows. Six windows from 24 to 128 ms are tried, each from the result of the one before. Long ones
//    separate voices, short ones follow a vibrato. Each voice is taken from the window that leaves its
//    pitch the least uncertain.
// 3. Presence. A voice counts as missing if the fit lies more than 120 cents from its target, if it
//    explains a tenth or less of what the others leave, or if it has less than 1 % of the power of all:
//    nobody hears it at -20 dB, and the fit takes that much from noise. A voice all of whose partials
//    coincide with others' is hidden, which is no fault of it; so an octave above another voice none is
//    missing or an octave off. A fit that explains half as much as usual, 25 cents off, follows what other
//    voices leave. Between 0.1 and 0.2 it is undecided: the fit gives a
//    pitch only from 0.2 on, a low limit because a soft voice explains little beside the breath of loud
//    ones.
// 4. Octaves. A voice an octave up fits its target as well, without odd harmonics; one an octave down has
//    harmonics between those of its target. `OctaveEvidence` sums both over 70 ms, the least in which a
//    low voice shows them, and the ends of such a stretch are settled by the frames' own evidence.
// 5. Smoothing. The windows of neighbouring frames overlap, so they err together at consonants, for a
//    frame or two. The median distance from the target over five frames removes that, and a gap shorter
//    than 55 ms, which the windows reach across, is no proof of a missing voice.
//
// Each threshold has its reason beside it. docs/notes/pitch.md compares the pitches with those of other
// methods, on mixes of which none was used to choose a constant.

/// The voices inside a mix: the pitch and level of each around its target, and where it is missing,
/// an octave off, or hidden behind others.
///
/// - Cost: that of `JointHarmonicFit` for each frame, and a tenth for octaves. Allocates.
/// - Source: the fit is that of Christensen and Jakobsson, "Multi-Pitch Estimation", 2009, chapter 2; the
///   decisions are ours.
public struct MixedVoices: Sendable {
  /// One voice at one frame.
  public enum Frame: Equatable, Sendable {
    /// The voice has no target here.
    case silent
    case measured(Measured)
    /// The voice has a target, and nothing sounds within 120 cents or an octave of it.
    case missing
    /// The mix doesn't tell: see the reason.
    case undecided(JointHarmonicFit.NoPitch)
  }

  /// A voice that sounds.
  public struct Measured: Equatable, Sendable {
    public var f0Hz: Double
    /// Standard deviation, assuming that all else in the mix is white noise.
    public var uncertaintyCents: Double
    /// Power of the harmonics below 3.9 kHz; a full-scale sine has 0.5.
    public var power: Double
    /// True if all harmonics lie on those of a lower voice, as an octave above it. Where the two are out of
    /// tune the mix tells the pitch, but not the octave, the power, or whether the lower voice sounds alone.
    public var isCovered = false
  }

  public let hopSeconds: Double
  /// Frames of each voice, in the order of the targets.
  public let voices: [[Frame]]
  /// Harmonics below 3.9 kHz of each voice in every second frame in which it is heard near its target.
  /// One that coincides with another voice's has a noise of its own level.
  public let harmonics: [[HarmonicLevels]]

  /// - Parameters:
  ///   - targets: target pitch of each voice, on shared frames; 0 where it has none.
  ///   - lead: pitch of a dry voice that sounds in the mix too, on the same frames.
  public init(in mix: Signal, around targets: [PitchTrack], besides lead: PitchTrack? = nil) {
    precondition(!targets.isEmpty, "a mix holds at least one voice")
    hopSeconds = targets[0].hopSeconds
    precondition(
      (targets + [lead].compactMap { $0 }).allSatisfy { $0.hopSeconds == targets[0].hopSeconds },
      "tracks share their frames")
    let fit = Self.fit(of: mix)
    let frames = targets.map(\.count).max() ?? 0
    var voices = targets.map { _ in [Frame](repeating: .silent, count: frames) }
    var octaves = targets.map { _ in [OctaveEvidence?](repeating: nil, count: frames) }
    var ownShares = targets.map { _ in [Double](repeating: 0, count: frames) }
    var harmonics = targets.map { _ in [Int: HarmonicLevels]() }
    for frame in 0..<frames {
      func path(_ track: PitchTrack) -> VoicePath? {
        track.path(atFrame: frame).flatMap { fit.rangeHz.contains($0.f0Hz) ? $0 : nil }
      }
      let wanted = targets.indices.filter { path(targets[$0]) != nil }
      guard !wanted.isEmpty else { continue }
      let expected =
        wanted.compactMap { path(targets[$0]) } + [lead.flatMap(path)].compactMap { $0 }
      let time = Double(frame) * hopSeconds
      let (outcomes, search) = fit.search(atSeconds: time, expected: expected)
      let models = expected.indices.map { search.model(ofVoice: $0) }
      let powers = models.enumerated().map { $1?.power(ofVoice: $0) ?? 0 }
      for (place, voice) in wanted.enumerated() {
        let model = models[place]
        let isCovered = expected[place].isCovered(byAnyOf: expected)
        let heard =
          powers[place] < Self.minPower * powers.reduce(0, +)
          ? .missing
          : Self.frame(
            outcomes[place], explained: search.explained[place], power: powers[place], isCovered)
        voices[voice][frame] = isCovered && heard == .missing ? .undecided(.hidden) : heard
        ownShares[voice][frame] = search.ownShares[place]
        if let model, !isCovered {
          octaves[voice][frame] = OctaveEvidence(model, among: search.models, voice: place)
        }
        if frame % 2 == 0 {
          harmonics[voice][frame] = search.harmonics(ofVoice: place, atSeconds: time)
        }
      }
    }
    for voice in voices.indices {
      Self.forgetStrays(in: &voices[voice], ownShares[voice], around: targets[voice])
      Self.settleOctaves(of: &voices[voice], octaves[voice], hopSeconds)
      Self.forgetShortGaps(in: &voices[voice], hopSeconds)
      Self.smooth(&voices[voice], around: targets[voice])
    }
    self.voices = voices
    self.harmonics = zip(voices, harmonics).map { frames, levels in
      levels.sorted { $0.key < $1.key }.compactMap { frame, levels in
        guard case .measured(let heard) = frames[frame],
          abs(cents(heard.f0Hz, over: levels.f0Hz)) < 600
        else { return nil }
        return levels
      }
    }
  }

  /// True if another voice, such as a dry one, sounds in the mix: in more than half of 40 to 79
  /// frames spread over the sound (all, if there are fewer; at least 5) in which its pitch is more than
  /// 150 cents from every target.
  ///
  /// - Parameter other: pitch of that voice, on the frames of the targets.
  public static func holds(
    _ other: PitchTrack, in mix: Signal, besides targets: [PitchTrack]
  ) -> Bool {
    let fit = Self.fit(of: mix)
    func pitches(_ frame: Int) -> [Double] {
      targets.compactMap { $0.f0Hz.indices.contains(frame) ? $0.f0Hz[frame] : nil }
        .filter { fit.rangeHz.contains($0) }
    }
    let free = other.f0Hz.indices.filter { frame in
      let hz = other.f0Hz[frame]
      return fit.rangeHz.contains(hz) && !pitches(frame).isEmpty
        && pitches(frame).allSatisfy { abs(cents($0, over: hz)) > 150 }
    }
    let looked = stride(from: 0, to: free.count, by: max(1, free.count / 40)).map { free[$0] }
    let heard = looked.count { frame in
      let (outcomes, _) = fit.search(
        atSeconds: Double(frame) * other.hopSeconds,
        expected: (targets + [other]).compactMap { $0.path(atFrame: frame) }
          .filter { fit.rangeHz.contains($0.f0Hz) })
      if case .success? = outcomes.last { return true } else { return false }
    }
    return looked.count >= 5 && heard * 2 > looked.count
  }

  /// Share of what the others leave, below which a voice is missing. A voice that moves too fast for
  /// the fit explains more.
  private static let maxExplainedByNothing = 0.1

  /// Share of the power of all voices, below which a voice counts as missing: nobody hears it, and the
  /// fit takes that much from noise. It is 20 dB.
  private static let minPower = 0.01

  private static func fit(of mix: Signal) -> JointHarmonicFit {
    // A soft voice explains little beside the breath of loud ones.
    JointHarmonicFit(of: mix, minExplained: 0.2)
  }

  private static func frame(
    _ outcome: JointHarmonicFit.Outcome, explained: Double, power: Double, _ isCovered: Bool
  ) -> Frame {
    switch outcome {
    case .success(let fit):
      .measured(
        Measured(
          f0Hz: fit.f0Hz, uncertaintyCents: fit.uncertaintyCents, power: power, isCovered: isCovered
        ))
    case .failure(.absent) where explained > maxExplainedByNothing: .undecided(.uncertain)
    case .failure(.absent), .failure(.astray), .failure(.silent): .missing
    case .failure(let reason): .undecided(reason)
    }
  }

  /// The pitch of each voice; 0 where it is not heard. The confidence is 1 where it is.
  public func track(ofVoice voice: Int) -> PitchTrack {
    let f0Hz = voices[voice].map { frame -> Double in
      if case .measured(let heard) = frame { heard.f0Hz } else { 0 }
    }
    return PitchTrack(
      hopSeconds: hopSeconds, f0Hz: f0Hz,
      uncertaintyCents: voices[voice].map { frame in
        if case .measured(let heard) = frame { heard.uncertaintyCents } else { nil }
      })
  }
}

extension MixedVoices {
  /// Share of what a voice explains in its median frame, and distance from its target: a fit that explains less and
  /// lies farther off follows what other voices leave. Of a voice that Rubber Band sang and a second of silence in a
  /// mix, 12.4 % of the frames by Praat, 9.8 % are missing with 0.4 to 0.6 and 20 to 30 cents, 5.8 % without; beside a
  /// voice an octave above 3.9, 4.5 and 5.5 % with 30, 25 and 20 cents, 2.8 % without.
  private static let maxStrayShare = 0.5
  private static let minStrayCents = 25.0

  /// Calls a voice missing where its fit strays.
  private static func forgetStrays(
    in frames: inout [Frame], _ shares: [Double], around target: PitchTrack
  ) {
    func measured(_ frame: Int) -> Measured? {
      if case .measured(let heard) = frames[frame] { heard } else { nil }
    }
    let heard = frames.indices.filter { measured($0) != nil }
    guard let medianShare = Statistics.median(heard.map { shares[$0] }) else { return }
    for frame in heard where shares[frame] < maxStrayShare * medianShare {
      let stray = measured(frame)!
      guard abs(cents(stray.f0Hz, over: target.f0Hz[frame])) > minStrayCents else { continue }
      frames[frame] = stray.isCovered ? .undecided(.hidden) : .missing
    }
  }

  /// A shorter gap is no proof that a voice is missing: the windows reach across it.
  private static let minGapSeconds = 0.055

  private static func forgetShortGaps(in frames: inout [Frame], _ hopSeconds: Double) {
    let least = Int((minGapSeconds / hopSeconds).rounded(.up))
    var start = 0
    while start < frames.count {
      let end = frames[start...].firstIndex { $0 != frames[start] } ?? frames.count
      if frames[start] == .missing && end - start < least {
        for frame in start..<end { frames[frame] = .undecided(.uncertain) }
      }
      start = end
    }
  }

  /// Frames to either side that decide with each frame.
  private static let reach = 2

  /// Replaces each voice's distance from its target by the median of five frames, where at least three
  /// are heard. The windows err together at consonants, for a frame or two.
  private static func smooth(_ frames: inout [Frame], around target: PitchTrack) {
    let raw = frames
    for frame in raw.indices where raw[frame].canBeHeard {
      let near = max(0, frame - reach)...min(raw.count - 1, frame + reach)
      let heard = near.compactMap { index -> (cents: Double, heard: Measured)? in
        guard case .measured(let heard) = raw[index], target.f0Hz[index] > 0 else { return nil }
        return (cents(heard.f0Hz, over: target.f0Hz[index]), heard)
      }
      guard heard.count > reach else {
        if case .measured = raw[frame] { frames[frame] = .undecided(.uncertain) }
        continue
      }
      func median(_ value: (Measured) -> Double) -> Double {
        Statistics.median(heard.map { value($0.heard) })!
      }
      let middle = Statistics.median(heard.map(\.cents))!
      frames[frame] = .measured(
        Measured(
          f0Hz: target.f0Hz[frame] * exp2(middle / 1200),
          uncertaintyCents: median(\.uncertaintyCents), power: median(\.power),
          isCovered: heard.contains { $0.heard.isCovered }))
    }
  }

  /// Frames this near decide together.
  private static let octaveSeconds = 0.035

  /// Most frames at either end of an octave up that are settled by their own evidence: the windows of
  /// their neighbours reach across the end.
  private static let longestEdge = 6

  /// Returns 1 for a frame beside a settled octave up, if it and all between show one too; else 0.
  private static func edge(at frame: Int, _ settled: [Int], _ evidence: [OctaveEvidence?]) -> Int {
    for step in [-1, 1] {
      var place = frame
      while settled.indices.contains(place), abs(place - frame) <= longestEdge {
        if settled[place] > 0 { return 1 }
        guard evidence[place]?.mayBeAnOctaveUp == true else { break }
        place += step
      }
    }
    return 0
  }

  /// Moves the voice by an octave where the evidence around a frame says so.
  private static func settleOctaves(
    of frames: inout [Frame], _ evidence: [OctaveEvidence?], _ hopSeconds: Double
  ) {
    let reach = Int(octaveSeconds / hopSeconds)
    let settled = frames.indices.map { frame in
      let near = max(0, frame - reach)...min(frames.count - 1, frame + reach)
      return OctaveEvidence.octaves(evidence[near].compactMap { $0 })
    }
    for frame in frames.indices {
      let octaves = settled[frame] != 0 ? settled[frame] : edge(at: frame, settled, evidence)
      guard octaves != 0 else { continue }
      switch (frames[frame], evidence[frame]) {
      case (.measured(var heard), _):
        heard.f0Hz *= exp2(Double(octaves))
        frames[frame] = .measured(heard)
      case (.missing, let fitted?) where octaves < 0 && fitted.all > 0:
        // Half of the harmonics were noise to the fit, so it did not trust the other half.
        frames[frame] = .measured(
          Measured(f0Hz: fitted.fittedHz / 2, uncertaintyCents: 20, power: fitted.all))
      case (.silent, _), (.missing, _), (.undecided, _): break
      }
    }
  }
}

extension MixedVoices.Frame {
  /// True if neighbours may show what this frame does not.
  fileprivate var canBeHeard: Bool {
    switch self {
    case .measured, .undecided(.uncertain): true
    case .silent, .missing, .undecided: false
    }
  }
}

extension PitchTrack {
  /// The pitch of a frame and how it moves: a parabola through five frames, or without movement near
  /// a leap or an end. It is `nil` where there is no pitch.
  fileprivate func path(atFrame frame: Int) -> VoicePath? {
    guard f0Hz.indices.contains(frame), f0Hz[frame] > 0 else { return nil }
    var path = VoicePath(f0Hz: f0Hz[frame])
    guard frame >= 2, frame + 2 < count else { return path }
    let near = f0Hz[frame - 2...frame + 2]
    guard !near.contains(0),
      zip(near, near.dropFirst()).allSatisfy({ abs(cents($1, over: $0)) < 100 })
    else { return path }
    let y = Array(near)
    // The filters of Savitzky and Golay for five points.
    path.slopeHzPerSecond = (2 * (y[4] - y[0]) + y[3] - y[1]) / (10 * hopSeconds)
    path.curvatureHzPerSecond2 =
      (2 * (y[0] + y[4]) - y[1] - y[3] - 2 * y[2]) / (7 * hopSeconds * hopSeconds)
    return path
  }
}

extension HarmonicModel {
  /// Power of a voice's harmonics; a full-scale sine has 0.5.
  func power(ofVoice voice: Int) -> Double {
    partials.reduce(0) { $1.voice == voice ? $0 + $1.power : $0 }
  }

  /// Returns the levels of a voice's harmonics.
  ///
  /// - Parameter noise: variance of the white noise in the sound.
  func harmonics(ofVoice voice: Int, atSeconds time: Double, noise: Double) -> HarmonicLevels {
    let own = partials.filter { $0.voice == voice }
    func decibels(_ power: Double) -> Double { 10 * log10(power + 1e-18) }
    // What a fit leaves lies about the strong low harmonics, so the high ones have less noise than if it
    // were white: 6 dB less finds shifted formants most often.
    let floorDb = -6 + decibels(4 * HarmonicFrame.amplitudeNoise * noise / frame.weightSum)
    let levelsDb = own.map { decibels($0.amplitude.power) }
    return HarmonicLevels(
      timeSeconds: time, f0Hz: paths[voice].f0Hz, levelsDb: levelsDb,
      noiseDb: zip(own, levelsDb).map { $0.isCrowded ? max($1, floorDb) : floorDb })
  }
}
