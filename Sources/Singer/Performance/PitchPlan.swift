import Foundation

/// Where a performance is sung.
public enum PitchPlan: Codable, Equatable, Sendable {
  case written
  /// Every frequency multiplied by one number, positive intervals being up.
  case transposed(semitones: Double)
  /// The pitch follows targets of its own.
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

/// A pitch to sing at from some time on; the first also holds before its time.
public struct PitchTarget: Codable, Equatable, Sendable {
  public var startSeconds: Double
  /// Note number, 69 = A4; fractions lie between the keys.
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
      startSeconds: startSeconds, pitchSemitones: Pitch.semitones(hz: f0Hz), glideMs: glideMs)
  }
}

extension Double: Blendable {
  func blended(with other: Double, share: Double) -> Double { self + (other - self) * share }
}

/// From the written to the sung fundamental frequency.
struct PitchMap {
  private enum Rule {
    case ratio(Double)
    case line(Track<Double>, keepingExpression: Bool)
  }

  private var rule: Rule

  init(_ plan: PitchPlan) {
    switch plan {
    case .written: rule = .ratio(1)
    case .transposed(let semitones): rule = .ratio(exp2(semitones / 12))
    case .targets(let targets, let keepingExpression):
      var line = Track<Double>()
      for target in targets {
        line.append(
          target.pitchSemitones, at: target.startSeconds, rampSeconds: target.glideMs / 1000)
      }
      rule = targets.isEmpty ? .ratio(1) : .line(line, keepingExpression: keepingExpression)
    }
  }

  /// What the written frequency is to be multiplied by; asked for in rising order of time.
  ///
  /// - Parameters:
  ///   - written: frequency of the written line at this time.
  ///   - pitch: note number of the line without its expression.
  mutating func ratio(at seconds: Double, writtenHz: Double, pitchSemitones: Double) -> Double {
    switch rule {
    case .ratio(let ratio): return ratio
    case .line(var line, let keepingExpression):
      let target = line.value(at: seconds)
      rule = .line(line, keepingExpression: keepingExpression)
      return Pitch.hz(target) / (keepingExpression ? Pitch.hz(pitchSemitones) : writtenHz)
    }
  }

  /// Whether jitter is to be left out, since the pitch lies on its targets exactly.
  var isExact: Bool {
    if case .line(_, keepingExpression: false) = rule { true } else { false }
  }
}
