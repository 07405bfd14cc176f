import AudioFile

extension SubjectFile {
  /// The format of the WAV files that a command reads. Some programs misread floats as integers.
  public enum InputFormat: String, Codable, CaseIterable, Sendable {
    case float, pcm16, pcm24

    var encoding: AudioEncoding {
      switch self {
      case .float: .wav(.float32)
      case .pcm16: .wav(.int16)
      case .pcm24: .wav(.int24)
      }
    }
  }
}

/// The keys that say where the voices are in an answer.
extension SubjectFile {
  /// True if the program is called once for each voice of some scores.
  private var isCalledForOneVoice: Bool {
    let one: [CommandTemplate.Place] = [.semitones, .ratio, .cents, .degree, .note, .voice]
    return one.contains { askingTemplate.has($0) }
  }

  var soundProblem: String? {
    if let channels, channels.holdsVoices, isCalledForOneVoice {
      let what = kind == .folder ? "'files' names one voice" : "the command is called for one voice"
      return "'channels' is \(channels), but \(what), by {semitones} or the like; use a place for "
        + "all voices, such as {intervals}"
    }
    if let outputChannels {
      guard kind == .stream else {
        return "a \(kind.rawValue) has no 'outputChannels', because its files say their number; "
          + "remove it"
      }
      var named: Int?
      switch channels {
      case .list(let contents): named = contents.count
      case .stereo: named = 2
      case .voices, .matched, .average, .channel, nil: break
      }
      if let named, named != outputChannels {
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
    case .list, .matched, .average, .channel, .stereo, nil: break
    }
    let hasMix =
      kind == .folder ? files != nil : template.has(.output) || kind == .stream || isPlugin
    return hasMix
      ? nil : "'dry' says that the mix holds the dry voice, but there is only 'stems'; remove 'dry'"
  }

  var stemProblem: String? {
    guard let stems else { return nil }
    let places = CommandTemplate([stems])
    if kind == .stream {
      return "a stream has no 'stems', because its sound goes through standard output; use "
        + "outputChannels and channels: voices"
    }
    if isCalledForOneVoice {
      return "'stems' is for one rendering of all voices, but "
        + (kind == .folder ? "'files' names one voice" : "the command is called for one voice")
        + " by {semitones} or the like, which gives stems already; remove 'stems'"
    }
    if let channels, channels.holdsVoices {
      return "'stems' and 'channels: \(channels)' both say where the voices are; remove one"
    }
    let ofVoices: [CommandTemplate.Place] = [.voice, .semitones, .ratio, .cents, .degree, .note]
    guard ofVoices.contains(where: places.has) else {
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
