import ArgumentParser
import CommandSupport
import DSP
import Effects
import Foundation
import Harmonizer

/// The parameters of effects that MIDI controllers move, as typed: `74=lowpass.cutoffHz,1=reverb.mix`.
struct LiveControls {
  private struct Control {
    var effect: String
    var parameter: String
    var range: ClosedRange<Double>
    /// True where equal steps of the controller are equal ratios, as for frequencies.
    var isRatio: Bool
  }

  private var controls: [Int: Control] = [:]

  init() {}

  init(parsing text: String) throws {
    for part in text.split(separator: ",") {
      let halves = part.split(separator: "=").map(String.init)
      let path = halves.last?.split(separator: ".").map(String.init) ?? []
      guard halves.count == 2, path.count == 2, let number = Int(halves[0]),
        (0...119).contains(number), number != 64
      else {
        throw ValidationError(
          "--control: '\(part)' is no control; write NUMBER=EFFECT.PARAMETER, such as "
            + "74=lowpass.cutoffHz, with a controller of 0 to 119 other than 64, the pedal.")
      }
      guard let settings = EffectCatalog.settings(named: path[0]) else {
        throw ValidationError(
          "--control: there is no effect '\(path[0])'; choose one of choir effects --list.")
      }
      guard controls[number] == nil else {
        throw ValidationError("--control: controller \(number) is there twice; keep one.")
      }
      controls[number] = try Self.control(path[0], path[1], type(of: settings).infos)
    }
  }

  private static func control(
    _ effect: String, _ parameter: String, _ infos: [ParameterInfo]
  ) throws -> Control {
    if parameter == "mix" {
      return Control(effect: effect, parameter: parameter, range: 0...1, isRatio: false)
    }
    guard let info = infos.first(where: { $0.name == parameter }),
      case .numbers(let range) = info.allowed
    else {
      let names = infos.filter { if case .numbers = $0.allowed { true } else { false } }
      throw ValidationError(
        "--control: \(effect) has no number '\(parameter)'; choose "
          + (names.map(\.name) + ["mix"]).joined(separator: ", ") + ".")
    }
    return Control(
      effect: effect, parameter: parameter, range: range,
      isRatio: range.lowerBound > 0 && info.unit.symbol == "Hz")
  }

  /// Throws unless a preset has every effect that is moved.
  func check(_ preset: Preset) throws {
    let names = preset.effects.links.map(\.effect)
    if let missing = controls.values.map(\.effect).sorted().first(where: { !names.contains($0) }) {
      throw ValidationError(
        "--control: the preset \(preset.name) has no effect \(missing); add it by --effects.")
    }
  }

  /// Returns a preset with the parameter of a controller moved to a place, 0 to 127; `nil` if it moves
  /// none.
  func moved(_ preset: Preset, _ number: Int, to place: Int) -> Preset? {
    guard let control = controls[number] else { return nil }
    let (low, high) = (control.range.lowerBound, control.range.upperBound)
    let share = Double(place) / 127
    let value = control.isRatio ? low * pow(high / low, share) : low + (high - low) * share
    var moved = preset
    moved.effects.changeLinks { link in
      guard link.effect == control.effect else { return }
      if control.parameter == "mix" {
        link.mix = value
      } else if !link.settings.set(control.parameter, to: .number(value)) {
        // Parameters that count take whole numbers only.
        _ = link.settings.set(control.parameter, to: .number(value.rounded()))
      }
    }
    return moved
  }
}
