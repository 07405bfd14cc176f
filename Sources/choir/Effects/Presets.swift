import ArgumentParser
import CommandSupport
import Effects
import Foundation
import Harmonizer
import Platform

struct Presets: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List and show presets: auto-tuner, choir and effects under one name.",
    discussion: """
      Use it to find a sound, and to write a preset of your own from one that exists.

        choir presets list
        choir presets show vader >vader.json
        choir effects in.wav out.wav --preset vader.json
      """,
    subcommands: [List.self, Show.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the built-in presets.")

    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      if json {
        let entries = PresetBank.all.map { ["name": $0.name, "summary": $0.summary] }
        return print(
          try JSON.text(["schema": "choir.presets/1", "presets": entries] as JSONObject))
      }
      var table = TextTable(header: ["preset", "sound", "made of"])
      table.rows = PresetBank.all.map { [$0.name, $0.summary, Self.parts(of: $0)] }
      print(table.text())
    }

    private static func parts(of preset: Preset) -> String {
      [
        preset.speed == 1 ? nil : "speed ×\(String(format: "%g", preset.speed))",
        preset.autotuner.map { _ in "auto-tuner" },
        preset.harmonizer.map { $0.voices.count == 1 ? "voice" : "choir of \($0.voices.count)" },
        preset.effects.stages.isEmpty ? nil : "\(preset.effects)",
      ].compactMap(\.self).joined(separator: ", ")
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print a preset as JSON.")

    @Argument(
      help: "Name of a preset, or JSON file of one (NAME.json) to complete with its defaults.",
      completion: .presets)
    var name: String

    func run() throws {
      print(String(decoding: try PresetChoice.preset(named: name, by: nil).json, as: UTF8.self))
    }
  }
}
