import Foundation
import Music

/// The pitch at which a performance is sung.
public enum PitchPlan: Codable, Equatable, Sendable {
  case written
  /// All frequencies multiplied by one ratio; positive intervals are up.
  case transposed(semitones: Double)
  /// A pitch that follows separate targets.
  case targets([PitchTarget], keepingExpression: Bool)

  func validate() throws(SingerError) {
    switch self {
    case .written: break
    case .transposed(let semitones):
      try require("transposed.semitones", semitones, in: -48...48)
    case .targets(let targets, _):
      for target in targets {
        try require("target.pitchSemitones", target.pitchSemitones, in: 0...120)
        try require("target.glideMs", target.glideMs, in: 0...2_000)
      }
      for (before, after) in zip(targets, targets.dropFirst())
      where after.startSeconds < before.startSeconds {
        throw .overlap("the pitch target", atSeconds: after.startSeconds)
      }
    }
  }
}

/// A target pitch from some time on; the first also holds before its time.
public struct PitchTarget: Codable, Equatable, Sendable {
  public var startSeconds: Double
  /// Note number, 69 = A4; fractions are between keys.
  public var pitchSemitones: Double
  /// Length of the glide from the target before, centred on the start.
  public var glideMs: Double

  public init(startSeconds: Double, pitchSemitones: Double, glideMs: Double = 0) {
    self.startSeconds = startSeconds
    self.pitchSemitones = pitchSemitones
    self.glideMs = glideMs
  }

  public init(startSeconds: Double, f0Hz: Double, glideMs: Double = 0) {
    self.init(
      startSeconds: startSeconds, pitchSemitones: NoteNumber(hz: f0Hz).semitones, glideMs: glideMs)
  }
}

extension Double: Blendable {
  func blended(with other: Double, share: Double) -> Double { self + (other - self) * share }
}

/// Maps the written to the sung fundamental frequency, as a line times a constant ratio.
struct PitchMap {
  /// Constant factor on all frequencies of the line.
  let ratio: Double

  private var targets: Track<Double>?
  private let keepsExpression: Bool

  init(_ plan: PitchPlan) {
    switch plan {
    case .written: (ratio, keepsExpression) = (1, true)
    case .transposed(let semitones): (ratio, keepsExpression) = (exp2(semitones / 12), true)
    case .targets(let list, let keepingExpression):
      (ratio, keepsExpression) = (1, keepingExpression)
      var line = Track<Double>()
      for target in list {
        line.append(
          target.pitchSemitones, at: target.startSeconds, rampSeconds: target.glideMs / 1000)
      }
      if !line.isEmpty { targets = line }
    }
  }

  /// Returns the frequency before multiplication by `ratio`; call in ascending order of time.
  ///
  /// - Parameters:
  ///   - writtenHz: frequency of the written line at this time.
  ///   - pitchSemitones: note number of the line without its expression.
  mutating func lineHz(at seconds: Double, writtenHz: Double, pitchSemitones: Double) -> Double {
    guard let target = targets?.value(at: seconds) else { return writtenHz }
    let targetHz = NoteNumber(target).hz
    return keepsExpression ? targetHz * (writtenHz / NoteNumber(pitchSemitones).hz) : targetHz
  }

  /// True if the pitch lies exactly on its targets, without jitter.
  var isExact: Bool { targets != nil && !keepsExpression }
}
