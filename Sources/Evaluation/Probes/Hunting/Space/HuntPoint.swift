import Corpus
import DSP
import Singer

/// A sound and a score, as what sets them apart from plain.
///
/// An empty point is a plain sound. The fewer values it has, the simpler is what it describes.
public struct HuntPoint: Equatable, Hashable, Sendable {
  /// The parameters away from plain.
  public private(set) var values: [HuntParameter: Double] = [:]
  /// Settings of the subject that differ from the hunt's own.
  public var settings: SubjectSettings = [:]

  public static let plain = HuntPoint()

  public init() {}

  /// The number, or the index of a choice; `nil` if there is nothing of the kind.
  public subscript(parameter: HuntParameter) -> Double? {
    get { values[parameter] ?? parameter.plain }
    set {
      guard let newValue else {
        values[parameter] = nil
        return
      }
      let even = parameter.rounded(newValue)
      values[parameter] = even == parameter.plain ? nil : even
    }
  }

  /// The parameters away from plain, in the order of their table.
  public var away: [HuntParameter] { HuntParameter.allCases.filter { values[$0] != nil } }

  /// Number of parameters and settings away from plain.
  public var awayCount: Int { values.count + settings.count }

  func number(_ parameter: HuntParameter) -> Double { self[parameter] ?? 0 }

  var voice: Voice { Voice.all[Int(number(.voice))] }

  var playing: HuntParameter.Playing { HuntParameter.Playing.allCases[Int(number(.playing))] }

  /// Duration from the first note to the last, in seconds.
  var sungSeconds: Double { number(.notes) * noteSeconds + pauseSeconds }

  /// Duration of a note, in seconds: several notes share what the longest sound has room for.
  var noteSeconds: Double { min(number(.seconds), roomSeconds) }

  private var pauseSeconds: Double { (number(.notes) - 1) * number(.pauseMs) / 1000 }

  /// Longest duration of each of the notes, at the step below.
  private var roomSeconds: Double {
    ((Self.longestSeconds - pauseSeconds) / number(.notes) * 100).rounded(.down) / 100
  }

  /// Longest time that is sung, which leaves room for a consonant before and silence after within 2
  /// s.
  static let longestSeconds = 1.5

  /// The same sound without what can't be heard in it, sung within the range of its voice and
  /// within 2 s.
  package var normalized: HuntPoint {
    var point = self
    if point.number(.notes) == 1 {
      for parameter in [HuntParameter.leap, .glideMs, .pauseMs] { point[parameter] = nil }
    }
    if point.number(.pauseMs) > 0 { point[.glideMs] = nil }
    if point.number(.vibratoCents) == 0 { point[.vibratoHz] = nil }
    if point.number(.onset) == 0 { point[.onsetMs] = nil }
    if point.playing != .pads { point[.perSecond] = nil }
    let voice = point.voice
    point[.note] = min(max(point.number(.note), voice.lowestSemitones), voice.highestSemitones)
    if point.number(.seconds) > point.roomSeconds {
      point[.pauseMs] = min(point.number(.pauseMs), 150)
      // Notes of a plain duration are cut to the room there is, too.
      let isAsPlain = HuntParameter.seconds.plain! >= point.roomSeconds
      if point.number(.seconds) >= point.roomSeconds {
        point[.seconds] = isAsPlain ? nil : point.roomSeconds
      }
    }
    return point
  }

  /// The differences of the sound from plain, in words: `bass, E2, [i], at -12 semitones`.
  public var words: String {
    let own = away.map { $0.words(values[$0]!) }
    let chosen = settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let all = own + chosen
    return all.isEmpty ? "a plain vowel" : all.joined(separator: ", ")
  }
}

/// A point is written as what sets it apart from plain: `{voice: bass, note: 40}`. Its settings
/// stand beside those of the subject, so they are no part of it.
extension HuntPoint: Codable {
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: NameKey.self)
    for key in container.allKeys {
      guard let parameter = HuntParameter(rawValue: key.stringValue) else {
        let names = HuntParameter.allCases.map(\.rawValue).joined(separator: ", ")
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container,
          debugDescription: "a sound has no '\(key.stringValue)'; it has \(names)")
      }
      let value = try container.decode(SettingValue.self, forKey: key)
      do throws(HuntParameter.OutOfRange) {
        self[parameter] = try parameter.number(value)
      } catch {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: error.problem)
      }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: NameKey.self)
    for parameter in away {
      try container.encode(
        parameter.setting(values[parameter]!), forKey: NameKey(stringValue: parameter.rawValue))
    }
  }
}
