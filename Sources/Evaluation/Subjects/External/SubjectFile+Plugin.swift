import Corpus
import HostProtocol

/// The keys of kinds `lv2`, `ladspa` and `library`.
extension SubjectFile {
  /// True if the plugin host runs it.
  var isPlugin: Bool {
    switch kind {
    case .lv2, .ladspa, .library: true
    case .command, .stream, .folder: false
    }
  }

  /// The plugin; `nil` for other kinds.
  var plugin: PluginAddress? {
    switch kind {
    case .lv2: uri.map { .lv2(uri: $0) }
    case .ladspa: library.flatMap { library in label.map { .ladspa(library: library, label: $0) } }
    case .library: library.map { .library(path: $0) }
    case .command, .stream, .folder: nil
    }
  }

  /// The controls and what they are set to, as the words of a command: `semitones={semitones}`.
  var portWords: [String] {
    (ports ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }

  var pluginProblem: String? {
    let name = kind.rawValue
    let needed: [CodingKeys] =
      switch kind {
      case .lv2: [.uri]
      case .ladspa: [.library, .label]
      case .library: [.library]
      case .command, .stream, .folder: []
      }
    let allowed =
      needed + (kind == .lv2 ? [.preset] : []) + (isPlugin ? [.ports, .automation] : [])
    let ofPlugins: [(CodingKeys, isGiven: Bool)] = [
      (.uri, uri != nil), (.library, library != nil), (.label, label != nil),
      (.ports, ports != nil), (.automation, automation != nil), (.preset, preset != nil),
    ]
    for (key, isGiven) in ofPlugins {
      if isGiven, !allowed.contains(key) {
        return "kind \(name) has no '\(key.rawValue)'; remove it, or correct 'kind'"
      }
      if !isGiven, needed.contains(key) {
        return "kind \(name) needs '\(key.rawValue)'"
          + (kind == .library ? "" : "; choir-eval subjects plugins lists what is installed")
      }
    }
    guard isPlugin else { return nil }
    let ofPrograms: [(CodingKeys, isGiven: Bool)] = [
      (.command, command != nil), (.versionCommand, versionCommand != nil), (.files, files != nil),
      (.stems, stems != nil), (.outputChannels, outputChannels != nil),
    ]
    if let (key, _) = ofPrograms.first(where: \.isGiven) {
      return
        "kind \(name) has no '\(key.rawValue)': choir-eval runs the plugin itself, and its outputs "
        + "are its channels; remove it"
    }
    for (control, values) in (automation ?? [:]).sorted(by: { $0.key < $1.key }) {
      for time in values.keys.sorted() {
        guard let seconds = Double(time), 0...86_400 ~= seconds else {
          return "'automation' turns '\(control)' at '\(time)'; write seconds from the start, "
            + "such as {2.5: 0}"
        }
      }
    }
    let template = CommandTemplate(portWords)
    for place in [CommandTemplate.Place.input, .output, .folder] where template.has(place) {
      return "'ports' has {\(place.rawValue)}, but a plugin gets no files; remove it"
    }
    return nil
  }
}
