import DSP
import Effects
import Foundation
import Testing

@Suite struct EffectChainTests {
  private func tremolo(_ rateHz: Double = 5, mix: Double? = nil, isOn: Bool = true)
    -> EffectChain.Stage
  {
    var settings = Tremolo.Settings()
    settings.rateHz = rateHz
    return .link(EffectChain.Link(settings, mix: mix, isOn: isOn))
  }

  // MARK: Reading

  @Test func stepsFollowEachOther() throws {
    let chain = try EffectChain(
      parsing: " tremolo ( rateHz = 2 , mix=0.5 )>tremolo>tremolo(isOn=off) ")
    #expect(chain == EffectChain([tremolo(2, mix: 0.5), tremolo(), tremolo(isOn: false)]))
  }

  @Test func branchesNest() throws {
    let chain = try EffectChain(
      parsing: "(tremolo > (tremolo(rateHz=2) | dry) | dry | tremolo) > tremolo")
    let inner = EffectChain.Stage.parallel([EffectChain([tremolo(2)]), EffectChain()])
    #expect(
      chain
        == EffectChain([
          .parallel([EffectChain([tremolo(), inner]), EffectChain(), EffectChain([tremolo()])]),
          tremolo(),
        ]))
  }

  @Test func groupsOfOneAreFlattened() throws {
    #expect(
      try EffectChain(parsing: "((tremolo > tremolo))") == EffectChain([tremolo(), tremolo()]))
    #expect(try EffectChain(parsing: "dry > tremolo") == EffectChain([tremolo()]))
    #expect(try EffectChain(parsing: "dry") == EffectChain())
  }

  @Test(arguments: [
    ("rateHz=0.005kHz", 5.0), ("rateHz=5 Hz", 5), ("rateHz=5HZ", 5), ("rateHz=+1.5e1", 15),
    ("rateHz=.5", 0.5),
  ])
  func unitsAreUnderstood(text: String, rateHz: Double) throws {
    #expect(try EffectChain(parsing: "tremolo(\(text))") == EffectChain([tremolo(rateHz)]))
  }

  @Test func percentAreShares() throws {
    #expect(try EffectChain(parsing: "tremolo(mix=30%)") == EffectChain([tremolo(mix: 0.3)]))
    #expect(
      try EffectChain(parsing: "tremolo(depth=35%)").links[0].settings.values[1] == .number(0.35))
  }

  // MARK: Errors

  /// The place marks the part to correct; the problem says what is allowed there.
  @Test(arguments: [
    ("tremolo > tremelo", 10..<17, "did you mean tremolo?"),
    ("tremolo(rateHs=3)", 8..<14, "did you mean rateHz? there is rateHz, depth, mix, isOn"),
    ("tremolo(rateHz=300)", 15..<18, "rateHz is 300; choose 0.01 to 20 Hz"),
    ("tremolo(rateHz=1kHz)", 15..<19, "rateHz is 1000; choose 0.01 to 20 Hz"),
    ("tremolo(rateHz=3 dB)", 17..<19, "rateHz has no unit dB; write no unit, Hz, kHz"),
    ("tremolo(mix=nan)", 12..<13, "mix is a number; choose 0 to 1"),
    ("tremolo(isOn=maybe)", 13..<18, "isOn is 'maybe'; choose true or false"),
    ("tremolo(mix=1,mix=1)", 14..<17, "mix is given twice"),
    ("tremolo(mix)", 11..<12, "expected '=' and a value after mix"),
    ("tremolo(mix=1", 13..<14, "the chain ends too soon; expected ','"),
    ("tremolo tremolo", 8..<9, "expected '>' and another step"),
    ("tremolo >", 9..<10, "the chain ends too soon; expected the name of an effect"),
    ("(tremolo | )", 11..<12, "')' is not allowed here"),
    ("(tremolo", 8..<9, "expected '>', '|' or ')'"),
    ("", 0..<1, "the chain ends too soon"),
    ("((((((((((dry))))))))))", 8..<9, "branches nest at most 8 deep"),
  ])
  func mistakesAreShownInPlace(text: String, place: Range<Int>, problem: String) {
    let error = #expect(throws: EffectChainError.self) { try EffectChain(parsing: text) }
    #expect(error?.place == place)
    #expect(error?.problem.contains(problem) == true, "\(error?.problem ?? "")")
  }

  @Test func caretsMarkThePlace() {
    let error = #expect(throws: EffectChainError.self) {
      try EffectChain(parsing: "tremolo(mix=0.5) >\ttremello")
    }
    let lines = error?.description.split(separator: "\n") ?? []
    #expect(
      lines.dropFirst() == ["  tremolo(mix=0.5) > tremello", "                     ^^^^^^^^"])
  }

  /// Random text is an error, or a chain that is written and parsed again as the same.
  @Test func randomTextIsAChainOrAnError() throws {
    var random = SeededGenerator(seed: 5)
    let parts = [
      "tremolo", "(", ")", ">", "|", "=", ",", "1e", "-", "mix", "%", " ", "é", "\n", ".",
    ]
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 0...14, using: &random))
        .map { _ in parts.randomElement(using: &random)! }.joined()
      guard let chain = try? EffectChain(parsing: text) else { continue }
      #expect(try EffectChain(parsing: chain.description) == chain, "\(text)")
    }
  }

  // MARK: Writing

  @Test func writtenChainsAreShort() throws {
    for text in [
      "tremolo", "dry", "tremolo(rateHz=2.5,mix=0.3) > (tremolo > tremolo | dry)",
      "tremolo(isOn=false)",
    ] {
      #expect(try EffectChain(parsing: text).description == text)
    }
    let usual = try EffectChain(parsing: "tremolo(rateHz=5, depth=0.50, mix=100%, isOn=true)")
    #expect(usual.description == "tremolo")
  }

  @Test func writtenChainsAreParsedAgain() throws {
    var random = RandomChains(seed: 7)
    for _ in 0..<300 {
      let chain = random.next()
      #expect(try EffectChain(parsing: chain.description) == chain, "\(chain)")
    }
  }

  @Test func jsonIsTheText() throws {
    let chain = try EffectChain(parsing: "tremolo(rateHz=2,mix=0.5) > (tremolo(isOn=false) | dry)")
    let text = try JSONEncoder().encode(chain)
    #expect(try JSONDecoder().decode(EffectChain.self, from: text) == chain)
    #expect(String(decoding: text, as: UTF8.self) == "\"\(chain)\"")
  }

  @Test(arguments: [
    #""tremelo""#, #""tremolo(rate=1)""#, #""tremolo(mix=2)""#, "[{}]", "3",
  ])
  func wrongJSONIsAnError(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(EffectChain.self, from: Data(json.utf8))
    }
  }

  // MARK: The catalogue

  /// No effect or parameter uses a word of the chain syntax.
  @Test func effectsAvoidTheWordsOfChains() {
    #expect(Set(EffectCatalog.names).count == EffectCatalog.names.count)
    for kind in EffectCatalog.all {
      #expect(kind.effect != "dry" && kind.effect.allSatisfy { $0.isLowercase || $0.isNumber })
      #expect(Set(kind.infos.map(\.name)).isDisjoint(with: ["mix", "isOn"]), "\(kind.effect)")
      #expect(throws: Never.self) { try kind.init().validate() }
      #expect((0...1).contains(kind.defaultMix))
    }
  }
}

/// Random chains of all effects, with values from their full ranges.
struct RandomChains {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func next(depth: Int = 0) -> EffectChain {
    EffectChain(
      (0..<Int.random(in: 0...3, using: &random)).map { _ in
        guard depth < 2, random.uniform() < 0.3 else { return .link(link()) }
        return .parallel(
          (0..<Int.random(in: 2...3, using: &random)).map { _ in next(depth: depth + 1) })
      })
  }

  private mutating func link() -> EffectChain.Link {
    let kind = EffectCatalog.all.randomElement(using: &random)!
    var link = changed(kind.init())
    if random.uniform() < 0.5 { link.mix = random.uniform() }
    link.isOn = random.uniform() < 0.8
    return link
  }

  private mutating func changed<Settings: EffectSettings>(_ defaults: Settings) -> EffectChain.Link
  {
    var link = EffectChain.Link(defaults)
    for parameter in Settings.infos where random.uniform() < 0.5 {
      let value: ParameterValue =
        switch parameter.allowed {
        case .numbers(let range): .number(.random(in: range, using: &random))
        case .flags: .flag(.random(using: &random))
        case .words(let words): .word(words.randomElement(using: &random)!)
        }
      link.set(parameter.name, to: value)
    }
    return link
  }
}
