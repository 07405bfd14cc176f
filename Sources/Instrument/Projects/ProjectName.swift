import DSP
import Foundation

/// A checked name of a project or of one of its items.
///
/// Names are written as people type them, with spaces and emoji. A project's name is the name of its
/// folder, so it can't hold a slash, be `..` or begin with a dot; the other limits keep names readable
/// on command lines and on other systems. Names are composed (Unicode NFC), so that an é typed on
/// another system is the same é.
public struct ProjectName: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Longest name in UTF-8. Folders allow 255 bytes; the rest is for the hidden folder of a draft.
  public static let maxBytes = 180
  private static let separators: Set<Character> = ["/", "\\", ":"]

  public let description: String

  /// - Throws: `ProjectError.name` with the reason and the remedy.
  public init(_ text: String) throws(ProjectError) {
    let text = text.precomposedStringWithCanonicalMapping
    func refuse(_ problem: String) -> ProjectError { .name(text, problem: problem) }
    guard !text.isEmpty else { throw refuse("is empty; write at least one letter") }
    guard text.utf8.count <= Self.maxBytes else {
      throw refuse("has \(text.utf8.count) bytes; write at most \(Self.maxBytes)")
    }
    if let bad = text.first(where: Self.separators.contains) {
      throw refuse("contains '\(bad)', which separates folders; leave it out")
    }
    guard !text.unicodeScalars.contains(where: Self.isHidden) else {
      throw refuse("contains a character that can't be seen; leave it out")
    }
    guard !text.hasPrefix("."), !text.hasPrefix("-") else {
      throw refuse("begins with '\(text.prefix(1))'; begin with a letter or a digit")
    }
    guard text == text.trimmingCharacters(in: .whitespaces) else {
      throw refuse("begins or ends with a space; leave it out")
    }
    description = text
  }

  public static func < (one: ProjectName, other: ProjectName) -> Bool {
    one.description < other.description
  }

  /// True for controls, line ends, and characters that change the direction of text. The joiners
  /// within emoji are allowed.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: true
    case .format: scalar != "\u{200D}" && !(0xE0020...0xE007F).contains(scalar.value)
    default: false
    }
  }
}

/// A name is coded as its text.
extension ProjectName: TextCoded {
  public init(codedText: String) throws { try self.init(codedText) }
}
