import DSP

/// A value that has a name; YAML and JSON hold the name.
public protocol NamedValue: TextCoded, CustomStringConvertible {
  associatedtype NameError: Error & CustomStringConvertible

  init(named text: String) throws(NameError)
}

extension NamedValue {
  public init(codedText: String) throws { try self.init(named: codedText) }
}

/// The text of a chord, key or scale as it was written.
///
/// All are equal: a value that holds one is compared and hashed by its meaning, so that `Cm` equals
/// `C:min`.
struct WrittenName: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (_: WrittenName, _: WrittenName) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
