import CommandSupport
import DSP
import Effects
import Foundation
import Platform

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
    func parameter(_ info: ParameterInfo) -> JSONObject {
      var (range, words): (ClosedRange<Double>?, [String]?)
      switch info.allowed {
      case .numbers(let allowed): range = allowed
      case .flags: words = ["true", "false"]
      case .words(let allowed): words = allowed
      }
      return [
        "name": info.name, "summary": info.summary, "default": "\(info.defaultValue)",
        "unit": info.unit.symbol.isEmpty ? nil : info.unit.symbol, "lowest": range?.lowerBound,
        "highest": range?.upperBound, "words": words,
      ]
    }
    return try JSON.text(
      [
        "schema": "choir.effects/2",
        "effects": EffectCatalog.all.map { kind -> JSONObject in
          [
            "name": kind.effect, "summary": kind.summary, "defaultMix": kind.defaultMix,
            "parameters": kind.infos.map(parameter),
          ]
        },
      ] as JSONObject)
  }
}
