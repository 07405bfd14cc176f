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
    guard depth < EffectChain.deepest else {
      throw error(start..<start + 1, "branches nest at most \(EffectChain.deepest) deep")
    }
    var branches = [try series(depth: depth + 1)]
    while skip("|") { branches.append(try series(depth: depth + 1)) }
    guard skip(")") else { throw unexpected("expected '>', '|' or ')' in a group") }
    guard branches.count <= EffectChain.mostBranches else {
      throw error(start..<place, "a group has at most \(EffectChain.mostBranches) branches")
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
    guard linkCount <= EffectChain.mostLinks else {
      throw error(start..<place, "a chain has at most \(EffectChain.mostLinks) effects")
    }
    return [.link(try arguments(of: EffectChain.Link(settings)))]
  }

  private mutating func arguments(
    of link: EffectChain.Link
  ) throws(EffectChainError) -> EffectChain.Link {
    var (link, given) = (link, Set<String>())
    guard skip("("), !skip(")") else { return link }
    repeat {
      skipSpace()
      let start = place
      let name = word()
      guard !name.isEmpty else {
        throw unexpected("expected a parameter of \(link.effect): \(names(link))")
      }
      guard let trait = traits(link).first(where: { $0.name == name }) else {
        throw unknown(
          "\(link.effect) has no", name, among: traits(link).map(\.name), at: start)
      }
      guard given.insert(name).inserted else {
        throw error(start..<place, "\(name) is given twice; leave one out")
      }
      guard skip("=") else { throw unexpected("expected '=' and a value after \(name)") }
      try set(trait, of: &link)
    } while skip(",")
    guard skip(")") else {
      throw unexpected("expected ',' and another parameter, or ')'")
    }
    return link
  }

  private mutating func set(
    _ trait: EffectTrait, of link: inout EffectChain.Link
  ) throws(EffectChainError) {
    let value =
      if case .numbers(let range) = trait.allowed {
        EffectValue.number(try number(trait, range))
      } else { try choice(trait) }
    switch (trait.name, value) {
    case ("mix", .number(let mix)): link.mix = mix
    case ("isOn", .flag(let isOn)): link.isOn = isOn
    default: link.settings = link.settings.setting(trait.name, to: value)
    }
  }

  private mutating func number(
    _ trait: EffectTrait, _ range: ClosedRange<Double>
  ) throws(EffectChainError) -> Double {
    skipSpace()
    let start = place
    guard let written = digits() else {
      throw unexpected("\(trait.name) is a number; choose \(trait.allowedText)")
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
      guard let factor = trait.unit.factor(of: symbol) else {
        throw error(
          unitStart..<place,
          "\(trait.name) has no unit \(symbol); write "
            + (["no unit"] + trait.unit.symbols).joined(separator: ", "))
      }
      // 30 / 100 is exactly the 0.3 of "30 %", 30 * 0.01 is not.
      value = factor < 1 ? written / (1 / factor).rounded() : written * factor
    }
    guard range.contains(value) else {
      throw error(
        start..<place,
        "\(trait.name) is \(EffectValue.number(value)); choose \(trait.allowedText)")
    }
    return value
  }

  private mutating func choice(_ trait: EffectTrait) throws(EffectChainError) -> EffectValue {
    skipSpace()
    let start = place
    let text = word()
    let value: EffectValue? =
      switch trait.allowed {
      case .words(let words): words.contains(text) ? .word(text) : nil
      default:
        ["true", "on", "1"].contains(text)
          ? .flag(true) : ["false", "off", "0"].contains(text) ? .flag(false) : nil
      }
    guard let value else {
      let problem = "\(trait.name) is '\(text)'; choose \(trait.allowedText)"
      throw text.isEmpty
        ? unexpected("expected \(trait.allowedText) after \(trait.name)=")
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
    var end = place
    func isDigit(_ place: Int) -> Bool {
      place < characters.count && ("0"..."9").contains(characters[place])
    }
    func skipDigits(_ end: inout Int) { while isDigit(end) { end += 1 } }
    func skipSign(_ end: inout Int) {
      if end < characters.count, "+-".contains(characters[end]) { end += 1 }
    }
    skipSign(&end)
    skipDigits(&end)
    if end < characters.count, characters[end] == "." {
      end += 1
      skipDigits(&end)
    }
    if end < characters.count, characters[end] == "e" || characters[end] == "E" {
      var power = end + 1
      skipSign(&power)
      if isDigit(power) {
        skipDigits(&power)
        end = power
      }
    }
    guard let value = Double(String(characters[place..<end])) else { return nil }
    place = end
    return value
  }

  // MARK: Errors

  private func traits(_ link: EffectChain.Link) -> [EffectTrait] {
    type(of: link.settings).traits + EffectChain.Link.traits(of: link.settings)
  }

  private func names(_ link: EffectChain.Link) -> String {
    traits(link).map(\.name).joined(separator: ", ")
  }

  private func error(_ place: Range<Int>, _ problem: String) -> EffectChainError {
    EffectChainError(text: text, place: place, problem: problem)
  }

  /// - Parameter allowed: the expected text, for the message.
  private func unexpected(_ allowed: String) -> EffectChainError {
    let found = next.map { "'\($0)' is not allowed here" } ?? "the chain ends too soon"
    return error(place..<place + 1, "\(found); \(allowed)")
  }

  private func unknown(
    _ what: String, _ name: String, among names: [String], at start: Int
  ) -> EffectChainError {
    let guess = NearestName.to(name, among: names).map { "; did you mean \($0)?" } ?? ";"
    return error(
      start..<place, "\(what) '\(name)'\(guess) there is \(names.joined(separator: ", "))")
  }
}
