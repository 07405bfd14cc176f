import HostProtocol
import Platform

/// A guess of how a plugin is told the pitch: the ports to set, and their places.
package struct PitchPort {
  /// Values of `ports` by symbol.
  package var places: [String: String]

  /// - Throws: if no port looks like a pitch.
  package init(of plugin: PluginDescription) throws(Refusal) {
    let places =
      Self.interval(plugin, atLeast: 2) ?? Self.tones(plugin) ?? Self.interval(plugin, atLeast: 1)
      ?? Self.keys(plugin)
    if let places {
      self.places = places
      return
    }
    throw Refusal(
      "no port of \(plugin.address) looks like a pitch; it has \(plugin.controlText). "
        + "Write the file by hand, with 'ports' as docs/reference/subjects.md shows, or choose a plugin "
        + "that shifts or tunes")
  }

  private enum Measure: String { case semitones, cents, ratio }

  /// Returns the best port for one interval.
  ///
  /// - Parameter weight: how sure the guess must be.
  private static func interval(
    _ plugin: PluginDescription, atLeast weight: Int
  ) -> [String: String]? {
    let guesses = plugin.ports(.control).compactMap { port in
      measure(of: port).map { (port: port, measure: $0.0, weight: $0.1) }
    }.filter { $0.weight >= weight }
    let best = guesses.enumerated().max {
      ($0.element.weight, -$0.offset) < ($1.element.weight, -$1.offset)
    }
    return best.map { [$0.element.port.symbol: "{\($0.element.measure.rawValue)}"] }
  }

  /// Returns what a port measures, and how sure that is.
  private static func measure(of port: PluginDescription.Port) -> (Measure, Int)? {
    let words = "\(port.symbol) \(port.name)".lowercased()
    func says(_ parts: String...) -> Bool { parts.contains(where: words.contains) }
    let (low, high) = (port.minimum ?? -.infinity, port.maximum ?? .infinity)
    let isPitch = says("pitch", "transpose", "shift", "detune", "interval")
    guard !port.isSwitch, !says("octave", "formant", "freq", "rate", "mod", "mix", "gain") else {
      return nil
    }
    // A control of a few semitones is there to fine-tune.
    if port.unit == .semitones || says("semi") {
      return (.semitones, low <= -5 && high >= 5 ? 4 : 1)
    }
    if isPitch || says("ratio"), low > 0, low <= 0.5, 2...16 ~= high { return (.ratio, 3) }
    if isPitch, -48...(-7) ~= low, 7...48 ~= high { return (.semitones, 3) }
    if isPitch || says("cent"), low <= -400, high >= 400 { return (.cents, 2) }
    return nil
  }

  /// Returns the twelve switches of a tuner, from C.
  private static func tones(_ plugin: PluginDescription) -> [String: String]? {
    let switches = plugin.ports(.control).filter { $0.minimum != nil && $0.maximum == 1 }
    for letters in ["m", "note", "tone", "n"] {
      let found = (0..<12).compactMap { tone in
        let names = ["\(letters)\(tone)", "\(letters)0\(tone)", "\(letters)_\(tone)"]
        return switches.first { names.contains($0.symbol.lowercased()) }
      }
      if found.count == 12 { return places(found) }
    }
    let names = ["c", "c#", "d", "d#", "e", "f", "f#", "g", "g#", "a", "a#", "b"]
    let flats = ["c", "db", "d", "eb", "e", "f", "gb", "g", "ab", "a", "bb", "b"]
    let found = zip(names, flats).compactMap { sharp, flat in
      plugin.ports(.control).first { [sharp, flat].contains($0.name.lowercased()) }
    }
    return found.count == 12 ? places(found) : nil
  }

  private static func places(_ ports: [PluginDescription.Port]) -> [String: String] {
    var places: [String: String] = [:]
    for (tone, port) in ports.enumerated() {
      // Some have more than off and on: -1 is off, 0 is on but not a goal.
      let words = port.minimum == 0 ? "" : ":\(Int(port.minimum ?? 0)),1"
      places[port.symbol] = "{tone\(tone)\(words)}"
    }
    return places
  }

  /// Returns the port for keys that are held.
  private static func keys(_ plugin: PluginDescription) -> [String: String]? {
    plugin.ports(.events).first(where: \.takesMIDI).map { [$0.symbol: "{midi}"] }
  }
}
