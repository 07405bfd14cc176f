import DSP

extension EffectChain {
  /// Parses a chain from its text.
  ///
  ///     chain    = step, { ">", step }
  ///     step     = effect | "(", chain, { "|", chain }, ")" | "dry"
  ///     effect   = name, [ "(", name, "=", value, { ",", name, "=", value }, ")" ]
  ///     value    = number, [ unit ] | word
  ///
  /// A group of one branch is that branch; `dry` is an empty chain.
  public init(parsing text: String) throws(EffectChainError) {
    var reader = ChainReader(text)
    self = try reader.whole()
  }
}

extension EffectChain: ExpressibleByStringLiteral {
  /// Makes a chain written in code; a mistake in it stops the program.
  public init(stringLiteral text: String) {
    do { try self.init(parsing: text) } catch { preconditionFailure("\(error)") }
  }
}

/// A recursive-descent parser that reads a text once from start to end.
private struct ChainReader {
  private let text: String
  private let characters: [Character]
  private var place = 0
  private var linkCount = 0

  init(_ text: String) {
    self.text = text
    characters = Array(text)
  }

  mutating func whole() throws(EffectChainError) -> EffectChain {
    let chain = try series(depth: 0)
    guard next == nil else {
      throw unexpected("expected '>' and another step, or the end of the chain")
    }
    return chain
  }

  // MARK: The grammar

  private mutating func series(depth: Int) throws(EffectChainError) -> EffectChain {
    var stages = try step(depth: depth)
    while skip(">") { stages += try step(depth: depth) }
    return EffectChain(stages)
  }

  private mutating func step(depth: Int) throws(EffectChainError) -> [EffectChain.Stage] {
    skipSpace()
    let start = place
    guard skip("(") else { return try effect() }
    guard depth < EffectChain.maxDepth else {
      throw error(start..<start + 1, "branches nest at most \(EffectChain.maxDepth) deep")
    }
    var branches = [try series(depth: depth + 1)]
    while skip("|") { branches.append(try series(depth: depth + 1)) }
    guard skip(")") else { throw unexpected("expected '>', '|' or ')' in a group") }
    guard branches.count <= EffectChain.maxBranches else {
      throw error(start..<place, "a group has at most \(EffectChain.maxBranches) branches")
    }
    return branches.count == 1 ? branches[0].stages : [.parallel(branches)]
  }

  private mutating func effect() throws(EffectChainError) -> [EffectChain.Stage] {
    let start = place
    let name = word()
    guard !name.isEmpty else { throw unexpected("expected the name of an effect, '(' or 'dry'") }
    guard name != EffectChain.dry else { return [] }
    guard let settings = EffectCatalog.settings(named: name) else {
      throw unknown("there is no effect", name, among: EffectCatalog.names, at: start)
    }
    linkCount += 1
    guard linkCount <= EffectChain.maxLinks else {
      throw error(start..<place, "a chain has at most \(EffectChain.maxLinks) effects")
    }
    return [.link(try arguments(of: EffectChain.Link(settings)))]
  }

  private mutating func arguments(
    of link: EffectChain.Link
  ) throws(EffectChainError) -> EffectChain.Link {
    var (link, seen) = (link, Set<String>())
    guard skip("("), !skip(")") else { return link }
    repeat {
      skipSpace()
      let start = place
      let name = word()
      guard !name.isEmpty else {
        let names = link.infos.map(\.name).joined(separator: ", ")
        throw unexpected("expected a parameter of \(link.effect): \(names)")
      }
      guard let parameter = link.infos.first(where: { $0.name == name }) else {
        throw unknown("\(link.effect) has no", name, among: link.infos.map(\.name), at: start)
      }
      guard seen.insert(name).inserted else {
        throw error(start..<place, "\(name) is given twice; leave one out")
      }
      guard skip("=") else { throw unexpected("expected '=' and a value after \(name)") }
      link.set(name, to: try value(of: parameter))
    } while skip(",")
    guard skip(")") else {
      throw unexpected("expected ',' and another parameter, or ')'")
    }
    return link
  }

  private mutating func value(
    of parameter: ParameterInfo
  ) throws(EffectChainError) -> ParameterValue {
    guard case .numbers(let range) = parameter.allowed else { return try choice(parameter) }
    return .number(try number(parameter, range))
  }

  private mutating func number(
    _ parameter: ParameterInfo, _ range: ClosedRange<Double>
  ) throws(EffectChainError) -> Double {
    skipSpace()
    let start = place
    guard let written = digits() else {
      throw unexpected("\(parameter.name) is a number; choose \(parameter.allowedText)")
    }
    let end = place
    skipSpace()
    let unitStart = place
    while let next, next.isLetter || next == "%" || next == "°" { place += 1 }
    var value = written
    if place == unitStart {
      place = end
    } else {
      let symbol = String(characters[unitStart..<place])
      guard let factor = parameter.unit.factor(of: symbol) else {
        throw error(
          unitStart..<place,
          "\(parameter.name) has no unit \(symbol); write "
            + (["no unit"] + parameter.unit.symbols).joined(separator: ", "))
      }
      // 30 / 100 is exactly the 0.3 of "30 %", 30 * 0.01 is not.
      value = factor < 1 ? written / (1 / factor).rounded() : written * factor
    }
    guard range.contains(value) else {
      throw error(
        start..<place,
        "\(parameter.name) is \(ParameterValue.number(value)); choose \(parameter.allowedText)")
    }
    return value
  }

  private mutating func choice(_ parameter: ParameterInfo) throws(EffectChainError)
    -> ParameterValue
  {
    skipSpace()
    let start = place
    let text = word()
    let value: ParameterValue? =
      switch parameter.allowed {
      case .words(let words): words.contains(text) ? .word(text) : nil
      default:
        ["true", "on", "1"].contains(text)
          ? .flag(true) : ["false", "off", "0"].contains(text) ? .flag(false) : nil
      }
    guard let value else {
      let problem = "\(parameter.name) is '\(text)'; choose \(parameter.allowedText)"
      throw text.isEmpty
        ? unexpected("expected \(parameter.allowedText) after \(parameter.name)=")
        : error(start..<place, problem)
    }
    return value
  }

  // MARK: Characters

  private var next: Character? { place < characters.count ? characters[place] : nil }

  private mutating func skipSpace() { while next?.isWhitespace == true { place += 1 } }

  /// Skips `sign` and the spaces around it; returns whether it was next.
  private mutating func skip(_ sign: Character) -> Bool {
    skipSpace()
    guard next == sign else { return false }
    place += 1
    skipSpace()
    return true
  }

  /// Reads letters, digits, '-' and '_'.
  private mutating func word() -> String {
    let start = place
    while let next, next.isLetter || next.isNumber || next == "_" || next == "-" { place += 1 }
    return String(characters[start..<place])
  }

  /// Reads the longest number that starts here.
  private mutating func digits() -> Double? {
    let number = #/[+-]?[0-9]*(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?/#
    guard let match = String(characters[place...]).prefixMatch(of: number),
      let value = Double(match.0)
    else { return nil }
    place += match.0.count
    return value
  }

  // MARK: Errors

  private func error(_ place: Range<Int>, _ problem: String) -> EffectChainError {
    EffectChainError(text: text, place: place, problem: problem)
  }

  /// - Parameter allowed: the expected text, for the message.
  private func unexpected(_ allowed: String) -> EffectChainError {
    let problem = next.map { "'\($0)' is not allowed here" } ?? "the chain ends too soon"
    return error(place..<place + 1, "\(problem); \(allowed)")
  }

  private func unknown(
    _ what: String, _ name: String, among names: [String], at start: Int
  ) -> EffectChainError {
    let guess = NearestName.to(name, among: names).map { "; did you mean \($0)?" } ?? ";"
    return error(
      start..<place, "\(what) '\(name)'\(guess) there is \(names.joined(separator: ", "))")
  }
}
