import Music

/// Coding in full. Omitted settings keep their defaults, so that
/// `{"intervalSemitones": 4, "gain": 1}` is a voice.
extension Harmonizer.Voice: Codable {
  private enum CodingKeys: String, CodingKey {
    case intervalSemitones, part, gain, pan, detuneCents, delayMs, consonants
    case formantShiftSemitones, envelope, expression
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let interval = try container.decodeIfPresent(Double.self, forKey: .intervalSemitones) {
      self.init(intervalSemitones: interval)
    } else {
      self.init(.explicit)
      part = try container.decode(VoicePart.self, forKey: .part)
    }
    try container.read(&gain, .gain)
    try container.read(&pan, .pan)
    try container.read(&detuneCents, .detuneCents)
    try container.read(&formantShiftSemitones, .formantShiftSemitones)
    try container.read(&delayMs, .delayMs)
    try container.read(&consonants, .consonants)
    envelope = try container.decodeIfPresent(Envelope.Settings.self, forKey: .envelope)
    try container.read(&expression, .expression)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if case .interval(let semitones) = part.role, part.leadShare == nil {
      try container.encode(semitones, forKey: .intervalSemitones)
    } else {
      try container.encode(part, forKey: .part)
    }
    try container.encode(gain, forKey: .gain)
    try container.encode(pan, forKey: .pan)
    try container.encode(detuneCents, forKey: .detuneCents)
    try container.encode(formantShiftSemitones, forKey: .formantShiftSemitones)
    try container.encode(delayMs, forKey: .delayMs)
    try container.encode(consonants, forKey: .consonants)
    try container.encodeIfPresent(envelope, forKey: .envelope)
    try container.encode(expression, forKey: .expression)
  }
}

extension Harmonizer.Settings {
  enum CodingKeys: String, CodingKey {
    case voices, dryGain, dryPan, spread, engine, music, tracking, gateMs, velocityShare, seed
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(voices: try container.decode([Harmonizer.Voice].self, forKey: .voices))
    try container.read(&dryGain, .dryGain)
    try container.read(&dryPan, .dryPan)
    try container.read(&spread, .spread)
    try container.read(&engine, .engine)
    try container.read(&music, .music)
    try container.read(&tracking, .tracking)
    try container.read(&gateMs, .gateMs)
    try container.read(&velocityShare, .velocityShare)
    try container.read(&seed, .seed)
  }
}
