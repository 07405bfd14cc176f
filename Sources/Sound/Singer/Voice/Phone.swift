/// A speech sound of the singer, in the phonetic alphabet.
public enum Phone: String, Codable, CaseIterable, Sendable {
  case a, e, i, o, u
  case schwa = "ə"
  case m, n
  case ng = "ŋ"
  case l, r, w, j
  case v, z
  case zh = "ʒ"
  case f, s
  case sh = "ʃ"
  case h
  case p, t, k, b, d, g
  /// An audible breath.
  case breath = "*"
  case silence = "_"

  public enum Manner: String, Codable, Sendable {
    case vowel, nasal, liquid, voicedFricative, fricative, aspirate, voicelessStop, voicedStop
    case breath, silence
  }

  public var manner: Manner {
    switch self {
    case .a, .e, .i, .o, .u, .schwa: .vowel
    case .m, .n, .ng: .nasal
    case .l, .r, .w, .j: .liquid
    case .v, .z, .zh: .voicedFricative
    case .f, .s, .sh: .fricative
    case .h: .aspirate
    case .p, .t, .k: .voicelessStop
    case .b, .d, .g: .voicedStop
    case .breath: .breath
    case .silence: .silence
    }
  }

  /// Returns the phones of a word with one character per phone; nil if a character is not a phone.
  public static func spelled(_ word: String) -> [Phone]? {
    var phones: [Phone] = []
    for character in word {
      guard let phone = Phone(rawValue: String(character)) else { return nil }
      phones.append(phone)
    }
    return phones
  }
}

/// A phone with its time.
public struct TimedPhone: Codable, Equatable, Sendable {
  public var phone: Phone
  public var startSeconds: Double
  public var durationSeconds: Double

  public init(_ phone: Phone, startSeconds: Double, durationSeconds: Double) {
    self.phone = phone
    self.startSeconds = startSeconds
    self.durationSeconds = durationSeconds
  }

  public var endSeconds: Double { startSeconds + durationSeconds }
}
