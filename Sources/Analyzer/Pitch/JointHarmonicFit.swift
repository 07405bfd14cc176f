import DSP
import Foundation

/// Estimates the pitches of several voices in one sound, given their approximate pitches.
///
/// All harmonics of all voices are fitted together by least squares, each voice with a pitch, a
/// slope and a curvature. Each voice is taken from the window that gives it the least uncertainty:
/// long windows separate voices, short ones follow vibrato.
///
/// A partial that coincides with one of another voice carries no information about either pitch. A
/// voice without a separate partial, as in unisons and the upper voice of an octave, is reported as
/// `hidden`.
///
/// - Cost: see docs/notes/pitch.md#in-a-mix; grows with the number of partials below 3.9 kHz.
///   Allocates.
/// - Source: Christensen and Jakobsson, "Multi-Pitch Estimation", 2009, chapter 2; slope, curvature
///   and the choice of window are ours.
public struct JointHarmonicFit: Sendable {
  public struct Settings: Codable, Equatable, Sendable {
    /// Window lengths to choose from.
    public var windowsMs = [24.0, 32, 48, 64, 96, 128]
    public var ceilingHz = 3900.0
    public var mostHarmonics = 48
    /// Standard deviation of a pitch from its expected value.
    public var deviationCents = 60.0
    /// Maximum distance of a pitch from its expected value.
    public var widestCents = 120.0
    /// Standard deviation of a voice's slope and, below, of its curvature.
    public var slopeCentsPerSecond = 4000.0
    public var curvatureCentsPerSecond2 = 40_000.0
    /// Level relative to the whole sound below which a voice counts as absent.
    public var leastLevelDb = -40.0
    /// Minimum share that a voice must explain of what the others leave.
    public var leastExplained = 0.5
    /// Maximum uncertainty of a reported pitch.
    public var mostUncertainCents = 20.0

    public init() {}

    public func validate() throws(SettingsError) {
      for window in windowsMs { try require("windowsMs", window, in: 8...500) }
      try require("windowsMs.count", Double(windowsMs.count), in: 1...16)
      try require("ceilingHz", ceilingHz, in: 500...3900)
      try require("mostHarmonics", Double(mostHarmonics), in: 1...100)
      try require("deviationCents", deviationCents, in: 1...1200)
      try require("widestCents", widestCents, in: 1...1200)
      try require("slopeCentsPerSecond", slopeCentsPerSecond, in: 1...1e6)
      try require("curvatureCentsPerSecond2", curvatureCentsPerSecond2, in: 1...1e8)
      try require("leastLevelDb", leastLevelDb, in: -120...0)
      try require("leastExplained", leastExplained, in: 0...1)
      try require("mostUncertainCents", mostUncertainCents, in: 0.001...100)
    }
  }

  /// A reason why a voice has no pitch at an instant.
  public enum Unheard: String, Error, Codable, Sendable {
    /// No window around the instant lies within the sound.
    case outside
    /// The sound has samples that are not finite.
    case broken
    case silent
    /// The sound around the instant is too short for this many voices at these pitches.
    case crowded
    /// The voice explains too little of what the others leave: it is silent, or moves too fast.
    case absent
    /// All partials coincide with those of other voices: unison, or an octave above.
    case hidden
    /// The voice sounds, but its pitch is too uncertain.
    case uncertain
    /// The best pitch is too far from the expected one.
    case astray
    /// No pitch was expected, or none between 40 Hz and half the ceiling.
    case unexpected
  }

  public typealias Outcome = Result<HarmonicFit.Fit, Unheard>

  public let settings: Settings
  private let signal: Signal
  /// Half lengths of the windows in samples, ascending.
  private let halves: [Int]
  private static let rateHz = 8000.0

  /// Pitches that can be expected.
  var rangeHz: ClosedRange<Double> { 40...max(settings.ceilingHz / 2, 41) }

  public init(of signal: Signal, _ settings: Settings = Settings()) throws(SettingsError) {
    try settings.validate()
    self.settings = settings
    self.signal = signal.withoutInfrasound().resampled(to: Self.rateHz)
    halves = settings.windowsMs.sorted().map { Int($0 / 2000 * Self.rateHz) }
  }

  /// Returns the pitch of each voice, around its expected one, at an instant.
  ///
  /// - Parameter expectedHz: one pitch for each voice known to sound, and no others; at most about
  ///   eight.
  public func fits(atSeconds time: Double, expectedHz: [Double]) -> [Outcome] {
    let sane = expectedHz.map { rangeHz.contains($0) }
    guard !sane.contains(false) else {
      // One invalid prior must not spoil the other voices.
      var rest = fits(atSeconds: time, expectedHz: zip(expectedHz, sane).filter(\.1).map(\.0))[...]
      return sane.map { $0 ? rest.removeFirst() : .failure(.unexpected) }
    }
    return search(atSeconds: time, expected: expectedHz.map(VoicePath.init(f0Hz:))).outcomes
  }

  /// Returns the whole search of pitches that lie between 40 Hz and half the ceiling.
  func search(
    atSeconds time: Double, expected: [VoicePath]
  ) -> (outcomes: [Outcome], search: JointHarmonicSearch) {
    var search = JointHarmonicSearch(settings, expected: expected)
    guard !expected.isEmpty, time.isFinite, abs(time) < 1e9 else {
      return (expected.map { _ in .failure(.outside) }, search)
    }
    let centre = Int((time * Self.rateHz).rounded())
    for half in halves where search.isWide(enough: Double(2 * half) / Self.rateHz) {
      guard let frame = HarmonicFrame(signal, centre: centre, half: half),
        search.look(at: frame)
      else { break }
    }
    let isInside = centre >= halves[0] && centre + halves[0] < signal.count
    return (search.outcomes(otherwise: isInside ? .crowded : .outside), search)
  }

  /// Returns the voices' pitches at each frame of `expected`, as tracks with the same shared
  /// frames; 0 if a voice is not expected or not found.
  ///
  /// - Parameter every: fits each n-th frame only; the others count as unvoiced.
  public func tracks(around expected: [PitchTrack], every: Int = 1) -> [PitchTrack] {
    precondition(every > 0, "every first frame is the most")
    var tracks = expected.map { track in
      PitchTrack(
        hopSeconds: track.hopSeconds, f0Hz: track.f0Hz.map { _ in 0 },
        voicing: track.f0Hz.map { _ in 0 })
    }
    guard let first = expected.first else { return [] }
    precondition(
      expected.allSatisfy { $0.hopSeconds == first.hopSeconds }, "tracks share their frames")
    for i in stride(from: 0, to: expected.map(\.count).max() ?? 0, by: every) {
      let voices = expected.indices.filter { i < expected[$0].count && expected[$0].f0Hz[i] > 0 }
      let found = fits(
        atSeconds: Double(i) * first.hopSeconds, expectedHz: voices.map { expected[$0].f0Hz[i] })
      for (voice, outcome) in zip(voices, found) {
        guard case .success(let fit) = outcome else { continue }
        tracks[voice].f0Hz[i] = fit.f0Hz
        tracks[voice].voicing[i] = fit.explained
      }
    }
    return tracks
  }
}
