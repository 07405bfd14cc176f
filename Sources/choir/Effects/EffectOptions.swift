import ArgumentParser
import CommandSupport
import DSP
import Effects
import Foundation
import Harmonizer
import Instrument

/// The stages after a choir or a tuner, and before it.
///
/// A choir whose notes are chosen by flags has the sound of the preset's choir, the preset's auto-tuner before
/// it and its effects after it. A tuner starts from the preset's tuner, and gets the preset's choir and effects.
struct EffectOptions: ParsableArguments {
  @Option(
    help: """
      Chain of effects to apply afterwards; see choir effects --list. The output has two \
      channels.
      """)
  var effects: String?
  @Option(
    help: "Preset, or JSON file of one (NAME.json), for everything that no flag chooses.",
    completion: .presets)
  var preset: String?

  private var chosen: Preset? {
    get throws {
      var options = ChainOptions()
      (options.chain, options.preset) = (effects, preset)
      return try options.sound("--effects")
    }
  }

  func check() throws { _ = try chosen }

  /// Returns a preset of this choir and of the stages around it, named after a file.
  func preset(_ choir: Harmonizer.Settings, namedAfter path: String) throws -> Preset {
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let chosen = try chosen
    var saved = chosen ?? Preset()
    saved.name = name
    saved.summary = chosen.map { "a choir of one's own with the sound of \($0.name)" } ?? ""
    saved.harmonizer = choir
    return saved
  }

  /// The preset's own choir.
  func choir() throws -> Harmonizer.Settings? { try chosen?.harmonizer }

  /// The preset's own auto-tuner.
  func tuner() throws -> AutoTuner.Settings? { try chosen?.autotuner }

  /// Returns the recording at the preset's speed.
  func atSpeed(_ recording: Signal) throws -> Signal {
    guard let chosen = try chosen, chosen.speed != 1 else { return recording }
    return chosen.varispeed(recording)
  }

  /// Returns the preset's stages around the part that flags describe.
  ///
  /// - Parameter tuning: true puts the preset's tuner before; false puts its choir after.
  func around(sampleRateHz: Double, tuning: Bool) throws -> AroundEffects {
    guard let chosen = try chosen else { return AroundEffects() }
    return try AroundEffects(of: chosen, tuning: tuning, sampleRateHz: sampleRateHz)
  }
}
