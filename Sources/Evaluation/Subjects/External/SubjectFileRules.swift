import Corpus
import Foundation
import Yams

/// The rules of a subject's file: the values of each key, the keys of each kind, and what excludes each
/// other.
extension SubjectFile {
  // MARK: Values

  /// The ranges of numbers. Few programs start with less than 64 MB.
  private static let ranges: [CodingKeys: ClosedRange<Double>] = [
    .latencyMs: 0...60_000, .timeoutSeconds: 0.01...86_400, .memoryMB: 64...1_048_576,
    .lengthToleranceMs: 0...60_000,
  ]

  /// Returns what is wrong with a key's value, in words that follow the key, where a decoder would
  /// describe it in its own terms; `nil` for any other.
  static func problem(of value: Node, as key: CodingKeys) -> String? {
    func other(_ isRight: Bool, _ wanted: String) -> String? {
      isRight ? nil : "is \(value.string ?? "no single value"); \(wanted)"
    }
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_: Choice.Type) -> String? {
      other(
        Choice(rawValue: value.string ?? "") != nil,
        "choose \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    switch key {
    case .kind: return choice(Kind.self)
    case .inputFormat: return choice(InputFormat.self)
    case .channels:
      do { _ = try YAMLDecoder().decode(ChannelChoice.self, from: value) } catch {
        guard case DecodingError.dataCorrupted(let context) = error else { return nil }
        return context.debugDescription
      }
      return nil
    case .outputChannels:
      return other(1...64 ~= value.int ?? 0, "write the number of channels, 1 to 64")
    case .dry: return other(value.bool != nil, "write true or false")
    case .environment:
      return other(
        (try? YAMLDecoder().decode(SubjectEnvironment.self, from: value)) != nil,
        "write a list of names to pass on, such as [LV2_PATH], or names with values")
    case .command, .versionCommand, .dependsOn:
      return other(
        value.sequence != nil,
        "write a list of words, such as [sox, \"{input}\", \"{output}\"]")
    default:
      guard let range = ranges[key] else { return nil }
      guard let number = value.float else { return other(false, "write a number") }
      func text(_ number: Double) -> String { SettingValue.number(number).description }
      return range.contains(number)
        ? nil
        : "is \(text(number)); choose \(text(range.lowerBound)) to \(text(range.upperBound))"
    }
  }

  // MARK: Keys

  /// An error in the file and its remedy; `nil` if it is valid.
  ///
  /// - Parameter given: the keys that it has.
  func problem(having given: [CodingKeys]) -> String? {
    guard !id.isEmpty, id.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) }) else {
      return "the id '\(id)' must be letters, digits, '-', '_' and '.'; rename it"
    }
    // Such a subject would be taken for ours, and its latency predicted by our law.
    guard !Subjects.all.contains(where: { $0.id == id }) else {
      return "the id '\(id)' is that of a subject of this toolkit; choose another"
    }
    for key in given where !has(key) { return absence(of: key) }
    for key in needed where !given.contains(key) {
      return "kind \(kind.rawValue) needs '\(key.rawValue)'"
        + (kind == .library ? "" : "; choir-eval subjects plugins lists what is installed")
    }
    return automationProblem ?? placeProblem ?? soundProblem ?? stemProblem ?? commandProblem
  }

  /// The keys without which the host does not know the plugin.
  private var needed: [CodingKeys] {
    switch kind {
    case .lv2: [.uri]
    case .ladspa, .clap: [.library, .label]
    case .library: [.library]
    case .command, .stream, .folder: []
    }
  }

  /// True if the kind has a key.
  private func has(_ key: CodingKeys) -> Bool {
    switch key {
    case .uri, .library, .label: needed.contains(key)
    case .preset: kind == .lv2
    case .ports, .automation: isPlugin
    case .command, .versionCommand, .files: !isPlugin
    case .stems: !isPlugin && kind != .stream
    case .outputChannels: kind == .stream
    case .inputFormat: kind == .command
    case .unmeasured: kind == .folder
    default: true
    }
  }

  private func absence(of key: CodingKeys) -> String {
    let name = key.rawValue
    switch key {
    case .inputFormat:
      return "a \(kind.rawValue) has no '\(name)', which is for commands; remove it"
    case .stems where kind == .stream:
      return "a stream has no 'stems', because its sound goes through standard output; use "
        + "outputChannels and channels: voices"
    case .outputChannels where !isPlugin:
      return "a \(kind.rawValue) has no '\(name)', because its files say their number; remove it"
    case .command, .versionCommand, .files, .stems, .outputChannels:
      return "kind \(kind.rawValue) has no '\(name)': choir-eval runs the plugin itself, and its "
        + "outputs are its channels; remove it"
    default:
      return "kind \(kind.rawValue) has no '\(name)'; remove it, or correct 'kind'"
    }
  }

  private var automationProblem: String? {
    for (control, values) in (automation ?? [:]).sorted(by: { $0.key < $1.key }) {
      for time in values.keys.sorted() {
        guard let seconds = Double(time), 0...86_400 ~= seconds else {
          return "'automation' turns '\(control)' at '\(time)'; write seconds from the start, "
            + "such as {2.5: 0}"
        }
      }
    }
    return nil
  }

  // MARK: Places

  private var placeProblem: String? {
    let template = template
    let stemPlaces = CommandTemplate([stems].compactMap(\.self))
    if let problem = template.problem ?? stemPlaces.problem { return problem }
    for name in (template.settingNames + stemPlaces.settingNames).uniqued()
    where settings?[name] == nil {
      return "{\(name)} is neither a place (\(CommandTemplate.list)) nor a setting; add it to "
        + "'settings' or correct it"
    }
    for name in (settings ?? [:]).keys.sorted() {
      if CommandTemplate.isPlace(name) {
        return "a setting can't be called '\(name)', which choir-eval fills in; rename the setting"
      }
      // The host of a plugin knows the size of its blocks; a program is told it in {block}.
      if name == "blockSize", isPlugin || template.has(.block) { continue }
      guard CommandTemplate.canBePlace(name) else {
        return
          "a setting can't be called '\(name)': a place has letters and digits only; rename the setting"
      }
      if !template.places.contains(name) {
        return "the setting '\(name)' has no place; write {\(name)} in "
          + (kind == .folder ? "'files'" : isPlugin ? "'ports'" : "'command'")
      }
    }
    return nil
  }

  /// Checks the files that a program is told of.
  private var commandProblem: String? {
    func firstPlace(_ places: CommandTemplate.Place...) -> String? {
      places.first { template.has($0) }.map { "{\($0.rawValue)}" }
    }
    switch kind {
    case .lv2, .ladspa, .clap, .library:
      return firstPlace(.input, .output, .folder).map {
        "'ports' has \($0), but a plugin gets no files; remove it"
      }
    case .folder:
      if let place = firstPlace(.input, .output, .folder) {
        return "a folder has no \(place), because nothing is called; remove it"
      }
      return files == nil && stems == nil
        ? "a folder needs 'files', such as renders/{recording}_{semitones}.wav, or 'stems'" : nil
    case .command, .stream:
      guard let command, !command.isEmpty else {
        return "a \(kind.rawValue) needs 'command'; write a list of words"
      }
      let template = CommandTemplate(command)
      let missing: String? =
        if !template.has(.input) {
          "{input}"
        } else if !template.has(.output), stems == nil || !template.has(.folder) {
          "{output}"
        } else {
          nil
        }
      if kind == .command {
        return missing.map { "the command has no \($0); add it where the file's path goes" }
      }
      for place in [CommandTemplate.Place.input, .output] where template.has(place) {
        return "a stream has no {\(place.rawValue)}, because sound goes through standard input and "
          + "output; remove it"
      }
      return nil
    }
  }

  // MARK: Voices and channels

  /// The reason why a subject is called for one voice.
  private var oneVoice: String {
    kind == .folder ? "'files' names one voice" : "the command is called for one voice"
  }

  private var soundProblem: String? {
    if let channels, channels.holdsVoices, isCalledForOneVoice {
      return "'channels' is \(channels), but \(oneVoice), by {semitones} or the like; use a place "
        + "for all voices, such as {intervals}"
    }
    if let outputChannels {
      if let named = channels?.namedCount, named != outputChannels {
        return
          "'outputChannels' is \(outputChannels), but 'channels' names \(named); make them equal"
      }
      if case .channel(let number) = channels, number > outputChannels {
        return "'channels' is \(number), but 'outputChannels' is \(outputChannels); choose 1 to "
          + "\(outputChannels)"
      }
    }
    guard dry == true else { return nil }
    switch channels {
    case .voices:
      return
        "'dry' says that the output holds the dry voice, but 'channels: voices' has no channel "
        + "for it; write a list, such as channels: [lead, 1, 2]"
    case .list(let contents) where !contents.contains(.lead):
      return
        "'dry' says that the output holds the dry voice, but 'channels' has no lead; add it or "
        + "remove 'dry'"
    case .list, .average, .channel, .stereo, nil: break
    }
    let hasMix =
      kind == .folder ? files != nil : template.has(.output) || kind == .stream || isPlugin
    return hasMix
      ? nil : "'dry' says that the mix holds the dry voice, but there is only 'stems'; remove 'dry'"
  }

  private var stemProblem: String? {
    guard let stems else { return nil }
    let places = CommandTemplate([stems])
    if isCalledForOneVoice {
      return "'stems' is for one rendering of all voices, but \(oneVoice) by {semitones} or the "
        + "like, which gives stems already; remove 'stems'"
    }
    if let channels, channels.holdsVoices {
      return "'stems' and 'channels: \(channels)' both say where the voices are; remove one"
    }
    guard places.hasPlaceOfOneVoice else {
      return "'stems' has no {voice}; add it where the voice's number goes"
    }
    if kind == .command {
      guard places.has(.folder) else {
        return "'stems' has no {folder}, the folder that a call writes to; begin with {folder}/"
      }
      guard template.has(.folder) || template.has(.output) else {
        return "the command has no {folder}, so it can't know where 'stems' belong; add it"
      }
    }
    return nil
  }
}
