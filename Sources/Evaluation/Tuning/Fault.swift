import Platform

/// A fault of a setting that a listener hears, with the voice and the recording where it is worst.
public struct Fault: Encodable, Equatable, Sendable {
  public var axis: TuneAxis
  /// Size in just-noticeable differences.
  public var units: Double
  /// The fault in words: `voice −5 is missing in 15 % of the frames (synth-vowels-bass)`.
  public var sentence: String

  /// Returns the faults above their threshold, the most audible one first.
  static func heard(_ axes: [TuneAxis], _ figures: [String: TuneAnswer.Figure]) -> [Fault] {
    axes.filter(\.isAudible).compactMap { axis in
      figures[axis.rawValue].flatMap { $0.units < 1 ? nil : Fault(axis, $0) }
    }.sorted { $0.units > $1.units }
  }

  init(_ axis: TuneAxis, _ figure: TuneAnswer.Figure) {
    (self.axis, units) = (axis, figure.units)
    let place = [figure.recording, figure.register.map { "\($0) voices" }].compactMap(\.self)
    sentence =
      Self.words(axis, figure.value, figure.voice.map { "voice \($0)" } ?? "the sound")
      + (place.isEmpty ? "" : " (\(place.joined(separator: ", ")))")
      + (figure.isAssumed ? ", assumed because it is undefined there" : "")
  }

  private static func words(_ axis: TuneAxis, _ value: Double, _ voice: String) -> String {
    let amount = value < 10 ? "\((10 * value).rounded() / 10)" : "\(Int(value.rounded()))"
    // A median of counts may be half a click.
    let times = value == 1 ? "once" : "\(value == value.rounded() ? "\(Int(value))" : amount) times"
    return switch axis {
    case .missing: "\(voice) is missing in \(amount) % of the frames"
    case .gross: "\(voice) is on a wrong note in \(amount) % of the frames"
    case .pitch: "\(voice) is out of tune by \(amount) cents"
    case .tremolo: "\(voice) trembles by \(amount) dB"
    case .formants: "the formants of \(voice) are \(amount) % off"
    case .tilt: "the timbre of \(voice) is tilted by \(amount) dB/octave"
    case .consonants: "\(amount) % of the consonants of \(voice) are 10 dB too soft"
    case .clicks: "\(voice) clicks \(times)"
    case .intelligibility: "the words of \(voice) have an intelligibility of \(amount)"
    case .timbre: "the timbre of \(voice) is \(amount) dB off"
    case .latency: "\(voice) is \(amount) ms late"
    case .cost: "\(voice) takes \(amount) % of a core"
    }
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
    let unknown = axes.map(\.axis).filter { $0.isAudible && point.figures[$0.rawValue] == nil }
    return nothing
      + (unknown.isEmpty
        ? "" : ", but \(listed(unknown.map(\.rawValue))) could not be measured")
  }
}
