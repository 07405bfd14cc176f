import Corpus
import DSP
import Platform
import Subjects

/// A way in which a host may treat a subject: rate, blocks, level, silence, a reset in the middle.
///
/// An empty session is a plain one: 0.6 s of a vowel-like tone at 48 kHz, in blocks of 128 frames.
public struct RobustnessSession: Codable, Equatable, Sendable {
  public enum Input: String, Codable, CaseIterable, Sendable {
    case silence, constant, noise, square
    /// A tone so soft that its samples are subnormal numbers.
    case denormals
  }

  public var rateHz: Double?
  /// Frames in a block; only for subjects that run live.
  public var block: Int?
  /// Seed of blocks of random size, up to `block`.
  public var varying: UInt64?
  public var levelDb: Double?
  /// Silence before the sound.
  public var silenceMs: Double?
  /// Time of a reset.
  public var resetMs: Double?
  /// The sound, if it is no tone.
  public var input: Input?

  public static let plain = RobustnessSession()

  static let plainRateHz = 48_000.0
  static let plainBlock = 128
  private static let rates = [16_000.0, 22_050, 44_100, 88_200, 96_000]
  private static let blocks = [1, 16, 31, 64, 480, 512, 1000, 1024, 4096]
  private static let levels = [-120.0, -90, -60, -30, 12, 24, 40]

  /// The first value out of range, with the range; `nil` if there is none.
  var problem: String? {
    let ranges: [(String, Double?, ClosedRange<Double>)] = [
      ("rateHz", rateHz, 8000...192_000), ("block", block.map(Double.init), 1...8192),
      ("levelDb", levelDb, -120...40), ("silenceMs", silenceMs, 0...10_000),
      ("resetMs", resetMs, 0...10_000),
    ]
    for case (let name, let value?, let range) in ranges where !range.contains(value) {
      return "has \(name) \(value); choose \(range.lowerBound) to \(range.upperBound)"
    }
    return nil
  }

  /// Returns a session with about a third of its properties away from plain.
  static func random(_ random: inout SeededGenerator, isLive: Bool) -> RobustnessSession {
    var session = RobustnessSession()
    func one<Value>(of values: [Value]) -> Value? {
      let drawn = values[Int(random.uniform() * Double(values.count))]
      return random.uniform() < 0.35 ? drawn : nil
    }
    session.rateHz = one(of: rates)
    session.levelDb = one(of: levels)
    session.silenceMs = one(of: [100, 500, 1000])
    session.input = one(of: Input.allCases)
    guard isLive else { return session }
    session.block = one(of: blocks)
    session.varying = one(of: [1, 2, 3])
    session.resetMs = one(of: [50, 200, 333])
    return session
  }

  /// Returns the sessions with one property less.
  var simpler: [RobustnessSession] {
    var all: [RobustnessSession] = []
    func add(_ change: (inout RobustnessSession) -> Void) {
      var one = self
      change(&one)
      if one != self { all.append(one) }
    }
    add { $0.rateHz = nil }
    add { $0.block = nil }
    add { $0.varying = nil }
    add { $0.levelDb = nil }
    add { $0.silenceMs = nil }
    add { $0.resetMs = nil }
    add { $0.input = nil }
    return all
  }

  /// The session in words.
  public var words: String {
    let all: [String?] = [
      input.map { "\($0.rawValue) instead of a tone" },
      rateHz.map { "\(SettingValue.number($0 / 1000)) kHz" },
      block.map { "blocks of \($0)" }, varying.map { "blocks of changing size (seed \($0))" },
      levelDb.map { "level \(SettingValue.number($0)) dB" },
      silenceMs.map { "\(SettingValue.number($0)) ms of silence before" },
      resetMs.map { "a reset at \(SettingValue.number($0)) ms" },
    ]
    let known = all.compactMap(\.self)
    return known.isEmpty ? "a plain tone" : known.joined(separator: ", ")
  }

  // MARK: Sound

  /// The input, which ends with silence.
  func signal() -> Signal {
    let rate = rateHz ?? Self.plainRateHz
    var sound =
      switch input {
      case nil, .denormals: ProbeSounds.steady(hz: 220, seconds: 0.6, sampleRateHz: rate)
      case .silence: ProbeSounds.constant(0, seconds: 0.6, sampleRateHz: rate)
      case .constant: ProbeSounds.constant(0.5, seconds: 0.6, sampleRateHz: rate)
      case .noise: ProbeSounds.noise(seconds: 0.6, sampleRateHz: rate)
      case .square: ProbeSounds.square(seconds: 0.6, sampleRateHz: rate)
      }
    if input == .denormals { sound.samples = sound.samples.map { $0 * .leastNormalMagnitude } }
    if let levelDb { sound = Condition.level(db: levelDb).applied(to: sound) }
    let before = [Float](repeating: 0, count: Int((silenceMs ?? 0) / 1000 * rate))
    let after = [Float](repeating: 0, count: Int(Self.tailSeconds * rate))
    return Signal(before + sound.samples + after, sampleRateHz: rate)
  }

  /// Silence at the end, longer than anything in a harmonizer should remember.
  static let tailSeconds = 2.75
}
