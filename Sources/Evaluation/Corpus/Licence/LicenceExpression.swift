/// Reads a licence expression of the SPDX specification, annex D, and returns what it permits.
///
/// ```
/// expression = term, { "OR", term }
/// term       = factor, { "AND", factor }
/// factor     = "(", expression, ")" | licence, [ "WITH", exception ]
/// licence    = identifier of the SPDX list, [ "+" ] | [ "DocumentRef-" name ":" ] "LicenseRef-" name
/// exception  = identifier of the SPDX list | [ "DocumentRef-" name ":" ] "AdditionRef-" name
/// ```
/// The case of identifiers does not matter. An operator is all upper case or all lower case.
struct LicenceExpression {
  private var tokens: ArraySlice<String>
  private var depth = 0

  static func terms(of text: String) throws(SPDXError) -> Licence.Terms {
    var reader = LicenceExpression(text)
    // Words without an operator, such as `CC BY 4.0`, are one name.
    let isOneName =
      reader.tokens.count > 1
      && operators.union(["(", ")"]).isDisjoint(with: reader.tokens.map { $0.uppercased() })
    let terms: Licence.Terms
    do { terms = try reader.expression() } catch {
      throw error.isUnknownLicence && isOneName ? .unknown(text) : error
    }
    if let extra = reader.tokens.first {
      throw .unexpected(extra, expected: "AND, OR or the end")
    }
    return terms
  }

  private static let operators: Set = ["AND", "OR", "WITH"]

  /// Splits a text into words and single parentheses.
  private init(_ text: String) {
    let spaced = text.replacing("(", with: " ( ").replacing(")", with: " ) ")
    tokens = spaced.split(whereSeparator: \.isWhitespace).map(String.init)[...]
  }

  private mutating func expression() throws(SPDXError) -> Licence.Terms {
    var sum = try term()
    while skips("OR") { sum = sum.or(try term()) }
    return sum
  }

  private mutating func term() throws(SPDXError) -> Licence.Terms {
    var product = try factor()
    while skips("AND") { product = product.and(try factor()) }
    return product
  }

  private mutating func factor() throws(SPDXError) -> Licence.Terms {
    guard let token = tokens.popFirst() else { throw .unexpected(nil, expected: "a licence") }
    if token == "(" {
      depth += 1
      guard depth <= 32 else { throw .tooDeep }
      let inner = try expression()
      depth -= 1
      let closing = tokens.popFirst()
      guard closing == ")" else { throw .unexpected(closing, expected: "')'") }
      return inner
    }
    guard token != ")", !Self.operators.contains(token.uppercased()) else {
      throw .unexpected(token, expected: "a licence")
    }
    let terms = try Self.terms(ofLicence: token)
    guard skips("WITH") else { return terms }
    guard let exception = tokens.popFirst() else {
      throw .unexpected(nil, expected: "an exception")
    }
    // Exceptions of the list only allow more.
    if SPDXList.exceptions[exception.lowercased()] != nil { return terms }
    guard Self.isReference(exception, "AdditionRef-") else { throw .unknownException(exception) }
    return .unknown
  }

  /// Skips an operator if it comes next.
  private mutating func skips(_ name: String) -> Bool {
    guard tokens.first == name || tokens.first == name.lowercased() else { return false }
    tokens.removeFirst()
    return true
  }

  private static func terms(ofLicence token: String) throws(SPDXError) -> Licence.Terms {
    if isReference(token, "LicenseRef-") { return .unknown }
    // "GPL-2.0+" is an old identifier of its own.
    let names = token.hasSuffix("+") ? [token, String(token.dropLast())] : [token]
    guard let id = names.lazy.compactMap({ SPDXList.licences[$0.lowercased()] }).first else {
      throw .unknown(token)
    }
    return Licence.Terms(ofLicence: id)
  }

  /// Returns true for `LicenseRef-NAME`, also of another document, with a name of letters, digits,
  /// `-` and `.`.
  private static func isReference(_ token: String, _ prefix: String) -> Bool {
    let name = "[A-Za-z0-9.-]+"
    let form = try? Regex("(DocumentRef-\(name):)?\(prefix)\(name)")
    return form.flatMap { token.wholeMatch(of: $0) } != nil
  }
}
