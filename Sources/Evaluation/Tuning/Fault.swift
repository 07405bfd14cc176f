import Foundation
import Platform
import Subjects

/// A fault of a setting that a listener hears, with the voice and the recording where it is worst.
public struct Fault: Encodable, Equatable, Sendable {
  public var axis: TuneAxis
  /// Size in just-noticeable differences.
  public var units: Double
  /// The fault in words: `voice −5 is missing in 15 % of the frames (synth-vowels-bass)`.
  public var sentence: String

  /// Returns `nil` for a figure below its threshold.
  init?(_ axis: TuneAxis, _ figure: TuneFigure, _ goal: TuneGoal, _ recordings: [String]) {
    (self.axis, units) = (axis, goal.units(axis, figure.value))
    guard units >= 1 else { return nil }
    let place = [
      figure.column.map { recordings[$0] }, figure.register.map { "\($0) voices" },
    ].compactMap(\.self)
    sentence =
      Self.words(axis, figure.value, figure.voice)
      + (place.isEmpty ? "" : " (\(place.joined(separator: ", ")))")
  }

  private static func words(_ axis: TuneAxis, _ value: Double, _ label: String?) -> String {
    let voice = label.map(Score.words(forVoice:)) ?? "the sound"
    let amount = value < 10 ? "\((10 * value).rounded() / 10)" : "\(Int(value.rounded()))"
    // A median of counts may be half a click.
    let times = value == 1 ? "once" : "\(value == value.rounded() ? "\(Int(value))" : amount) times"
    return switch axis {
    case .missing: "\(voice) is missing in \(amount) % of the frames"
    case .gross: "\(voice) is on a wrong note in \(amount) % of the frames"
    case .pitch: "\(voice) is out of tune by \(amount) cents"
    case .tremolo: "\(voice) trembles by \(amount) dB"
    case .formants:
      movesFormants(value, label)
        ? "\(voice) sounds like a \(label!.hasPrefix("-") ? "larger" : "smaller") singer: its formants move with its "
          + "pitch, by \(amount) %"
        : "the formants of \(voice) are \(amount) % off"
    case .tilt: "the timbre of \(voice) is tilted by \(amount) dB/octave"
    case .consonants: "\(amount) % of the consonants of \(voice) are 10 dB too soft"
    case .clicks: "\(voice) clicks \(times)"
    case .intelligibility: "the words of \(voice) have an intelligibility of \(amount)"
    case .timbre: "the timbre of \(voice) is \(amount) dB off"
    case .latency: "\(voice) is \(amount) ms late"
    case .cost: "\(voice) takes \(amount) % of a core"
    default: "\(axis.rawValue) of \(voice) is \(amount) \(axis.unit)"
    }
  }

  /// True if the formants of a voice are off by as much as its interval moves the pitch, to a fifth.
  private static func movesFormants(_ percent: Double, _ label: String?) -> Bool {
    guard let semitones = label.flatMap(Double.init), semitones != 0 else { return false }
    let ofPitch = 100 * abs(exp2(semitones / 12) - 1)
    return abs(percent / ofPitch - 1) <= 0.2
  }
}

extension TuneAnswer {
  /// Returns the fault of a setting that is heard first; if there is none, those that could not be
  /// measured, which may be heard too.
  ///
  /// - Parameter nothing: words for no fault above its threshold.
  public func heardFirst(
    of point: Point, orElse nothing: String = "nothing above its threshold"
  ) -> String {
    if let fault = point.heard.first { return fault.sentence }
    let faults = axes.map(\.axis).filter(\.isAudible)
    func unknown(_ words: String, _ isUnknown: (Figure?) -> Bool) -> String {
      let names = faults.map(\.rawValue).filter { isUnknown(point.figures[$0]) }
      return names.isEmpty ? "" : ", but \(listed(names)) could not be measured\(words)"
    }
    return nothing + unknown("") { $0 == nil } + unknown(" everywhere") { $0?.isAssumed == true }
  }
}
