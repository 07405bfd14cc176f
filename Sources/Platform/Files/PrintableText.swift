extension String {
  /// The text with visible escapes, such as `\u001B`, for characters that control a terminal or hide
  /// text on it. Line ends and tabs stay. The escapes are those of JSON.
  ///
  /// Names and messages of programs under test, files and stores reach a terminal only in this form.
  public var printable: String {
    guard unicodeScalars.contains(where: \.steersTerminals) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.steersTerminals {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        text += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// True for control characters (C0 but tab and line end, DEL, C1) and for those that change the
  /// direction of text.
  fileprivate var steersTerminals: Bool {
    switch value {
    case 0x09, 0x0A: false
    case 0x00...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
