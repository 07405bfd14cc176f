/// An object of JSON as a literal: named values of any kind, without a type of its own.
///
/// Members that are `nil` are left out; `orNull` keeps those whose absence says something.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
  private var members: [(name: String, value: any Encodable)]

  package init(dictionaryLiteral elements: (String, (any Encodable)?)...) {
    members = elements.compactMap { name, value in value.map { (name, $0) } }
  }

  /// Returns a value, or JSON's null in place of `nil`.
  package static func orNull(_ value: (any Encodable)?) -> any Encodable {
    value ?? NullIfMissing<String>(wrappedValue: nil)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Place.self)
    for member in members { try container.encode(member.value, forKey: .name(member.name)) }
  }
}
