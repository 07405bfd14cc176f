import Platform

/// A licence expression of the SPDX specification, annex D.
///
/// ```
/// expression = term, { "OR", term }
/// term       = factor, { "AND", factor }
/// factor     = "(", expression, ")" | licence, [ "WITH", exception ]
/// licence    = identifier of the SPDX list, [ "+" ] | [ "DocumentRef-" name ":" ] "LicenseRef-" name
/// exception  = identifier of the SPDX list | [ "DocumentRef-" name ":" ] "AdditionRef-" name
/// ```
/// The case of identifiers does not matter. An operator is all upper case or all lower case.
indirect enum SPDXExpression: Equatable, Sendable {
  /// One licence.
  ///
  /// - Parameters:
  ///   - id: its identifier, spelled as in the SPDX list.
  ///   - orLater: true if `+` follows.
  case licence(id: String, orLater: Bool, exception: String?)
  case and(SPDXExpression, SPDXExpression)
  case or(SPDXExpression, SPDXExpression)

  init(_ text: String) throws(SPDXError) {
    var parser = Parser(tokens: Self.tokens(of: text)[...])
    do { self = try parser.expression() } catch {
      guard case .unknown = error, Self.isOneName(text) else { throw error }
      throw .unknown(text, nearest: Self.nearest(text, in: SPDXList.licences))
    }
    if let extra = parser.tokens.first {
      throw .unexpected(extra, expected: "AND, OR or the end")
    }
  }

  /// True for words without an operator, such as `CC BY 4.0`.
  private static func isOneName(_ text: String) -> Bool {
    let words = tokens(of: text)
    return words.count > 1
      && Set(words.map { $0.uppercased() }).isDisjoint(
        with: ["AND", "OR", "WITH", "(", ")"])
  }

  /// Splits a text into words and single parentheses.
  private static func tokens(of text: String) -> [String] {
    var tokens: [String] = []
    var word = ""
    for character in text {
      let isMark = character == "(" || character == ")"
      if isMark || character.isWhitespace {
        if !word.isEmpty { tokens.append(word) }
        word = ""
        if isMark { tokens.append(String(character)) }
      } else {
        word.append(character)
      }
    }
    return word.isEmpty ? tokens : tokens + [word]
  }

  private struct Parser {
    var tokens: ArraySlice<String>
    private var depth = 0

    init(tokens: ArraySlice<String>) { self.tokens = tokens }

    mutating func expression() throws(SPDXError) -> SPDXExpression {
      var sum = try term()
      while take("OR") { sum = .or(sum, try term()) }
      return sum
    }

    private mutating func term() throws(SPDXError) -> SPDXExpression {
      var product = try factor()
      while take("AND") { product = .and(product, try factor()) }
      return product
    }

    private mutating func factor() throws(SPDXError) -> SPDXExpression {
      guard let token = tokens.popFirst() else { throw .unfinished(expected: "a licence") }
      if token == "(" {
        depth += 1
        guard depth <= 32 else { throw .tooDeep }
        let inner = try expression()
        depth -= 1
        guard let closing = tokens.popFirst() else { throw .unfinished(expected: "')'") }
        guard closing == ")" else { throw .unexpected(closing, expected: "')'") }
        return inner
      }
      guard token != ")", !Self.operators.contains(token.uppercased()) else {
        throw .unexpected(token, expected: "a licence")
      }
      let (id, orLater) = try SPDXExpression.licence(token)
      var exception: String?
      if take("WITH") {
        guard let token = tokens.popFirst() else { throw .unfinished(expected: "an exception") }
        exception = try SPDXExpression.exception(token)
      }
      return .licence(id: id, orLater: orLater, exception: exception)
    }

    /// Takes an operator if it comes next.
    private mutating func take(_ name: String) -> Bool {
      guard tokens.first == name || tokens.first == name.lowercased() else { return false }
      tokens.removeFirst()
      return true
    }

    private static let operators: Set = ["AND", "OR", "WITH"]
  }

  private static func licence(_ token: String) throws(SPDXError) -> (id: String, orLater: Bool) {
    if isReference(token, "LicenseRef-") { return (token, false) }
    let orLater = token.hasSuffix("+")
    // "GPL-2.0+" is an old identifier of its own.
    if let id = SPDXList.licences[token.lowercased()] { return (id, orLater) }
    let name = orLater ? String(token.dropLast()) : token
    guard let id = SPDXList.licences[name.lowercased()] else {
      throw .unknown(token, nearest: nearest(name, in: SPDXList.licences))
    }
    return (id, orLater)
  }

  private static func exception(_ token: String) throws(SPDXError) -> String {
    if isReference(token, "AdditionRef-") { return token }
    guard let id = SPDXList.exceptions[token.lowercased()] else {
      throw .unknownException(token, nearest: nearest(token, in: SPDXList.exceptions))
    }
    return id
  }

  /// Returns true for `LicenseRef-NAME`, also of another document, with a name of letters, digits,
  /// `-` and `.`.
  private static func isReference(_ token: String, _ prefix: String) -> Bool {
    func isName(_ text: Substring, after prefix: String) -> Bool {
      text.hasPrefix(prefix) && text.count > prefix.count
        && text.dropFirst(prefix.count).allSatisfy {
          $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".")
        }
    }
    let parts = token.split(separator: ":", omittingEmptySubsequences: false)
    switch parts.count {
    case 1: return isName(parts[0], after: prefix)
    case 2: return isName(parts[0], after: "DocumentRef-") && isName(parts[1], after: prefix)
    default: return false
    }
  }

  /// Suggests identifiers: the most similar, then those with this prefix, the latest versions first.
  /// Only letters and digits count: "gpl2" is a prefix of GPL-2.0-only.
  private static func nearest(_ name: String, in list: [String: String]) -> [String] {
    func plain(_ text: String) -> String {
      text.lowercased().filter { $0.isLetter || $0.isNumber }
    }
    let name = plain(name)
    guard (2...40).contains(name.count) else { return [] }
    let known = list.values.map { (id: $0, plain: plain($0)) }.sorted { $0.id > $1.id }
    let close = known.map { (id: $0.id, distance: EditDistance.between(name, $0.plain)) }
      .filter { $0.distance <= max(1, name.count / 4) }.sorted { $0.distance < $1.distance }
    let family = known.filter { $0.plain.hasPrefix(name) }
      .sorted { $0.plain.count < $1.plain.count }
    return Array((close.map(\.id).prefix(3) + family.map(\.id).prefix(3)).uniqued().prefix(3))
  }
}

/// A text that is no SPDX expression.
public enum SPDXError: Error, Equatable, CustomStringConvertible {
  case unknown(String, nearest: [String])
  case unknownException(String, nearest: [String])
  case unexpected(String, expected: String)
  case unfinished(expected: String)
  case tooDeep

  public var description: String {
    switch self {
    case .unknown(let id, let nearest):
      "'\(id)' is not in the SPDX list\(Self.offer(nearest)); choose a licence from "
        + "spdx.org/licenses, or write LicenseRef-NAME for any other"
    case .unknownException(let id, let nearest):
      "'\(id)' is no exception of the SPDX list\(Self.offer(nearest)); choose one from "
        + "spdx.org/licenses/exceptions-index.html, or write AdditionRef-NAME for any other"
    case .unexpected(let token, let expected):
      "expected \(expected), found '\(token)'; write identifiers joined by AND, OR and WITH, such as "
        + "'CC-BY-4.0 OR MIT', or LicenseRef-NAME for any other terms"
    case .unfinished(let expected): "expected \(expected), found the end; complete the licence"
    case .tooDeep: "has more than 32 nested parentheses; write it with fewer"
    }
  }

  private static func offer(_ nearest: [String]) -> String {
    nearest.isEmpty ? "" : " (nearest: \(nearest.joined(separator: ", ")))"
  }
}
