import CommandSupport
import DSP
import Effects
import Foundation

/// The list of effects, as text and as JSON.
enum EffectsText {
  static func list() -> String {
    EffectCatalog.all.map { kind in
      var table = TextTable(header: ["  parameter", "allowed", "default", "meaning"])
      let own = kind.infos.map {
        ["  \($0.name)", $0.allowedText, "\($0.defaultValue)", $0.summary]
      }
      let mix = [
        "  mix", "0 to 1", "\(ParameterValue.number(kind.defaultMix))", "share of wet sound",
      ]
      let isOn = ["  isOn", "true or false", "true", "false bypasses the effect"]
      table.rows = own + [mix, isOn]
      return "\(kind.effect): \(kind.summary)\n\(table.text())"
    }.joined(separator: "\n\n")
  }

  static func listJSON() throws -> String {
    struct Parameter: Encodable {
      var name: String
      var summary: String
      var unit: String?
      var lowest: Double?
      var highest: Double?
      var words: [String]?
      var `default`: String

      init(_ trait: ParameterInfo) {
        (name, summary, `default`) = (trait.name, trait.summary, "\(trait.defaultValue)")
        unit = trait.unit.symbol.isEmpty ? nil : trait.unit.symbol
        switch trait.allowed {
        case .numbers(let range): (lowest, highest) = (range.lowerBound, range.upperBound)
        case .flags: words = ["true", "false"]
        case .words(let allowed): words = allowed
        }
      }
    }
    struct Effect: Encodable {
      var name: String
      var summary: String
      var defaultMix: Double
      var parameters: [Parameter]
    }
    struct Output: Encodable {
      var schema = "choir.effects/2"
      var effects: [Effect]
    }
    return try JSON.text(
      Output(
        effects: EffectCatalog.all.map { kind in
          Effect(
            name: kind.effect, summary: kind.summary, defaultMix: kind.defaultMix,
            parameters: kind.infos.map(Parameter.init))
        }))
  }
}
