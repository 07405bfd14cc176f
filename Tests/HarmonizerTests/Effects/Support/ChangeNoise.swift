import DSP
import Effects
import Foundation
import TestSupport

/// The noise that changing a running effect adds to a tone: the strongest line away from it, in dB
/// relative to the tone in the output.
struct ChangeNoise<Settings: EffectSettings> {
  private let toneHz: Double
  /// Lines nearer to the tone than this count as a swell, not as a click.
  private let guardHz: Double
  private let settings: Settings

  init(_ settings: Settings = .init(), toneHz: Double = 1000, guardHz: Double = 400) {
    self.settings = settings
    (self.toneHz, self.guardHz) = (toneHz, guardHz)
  }

  /// The noise of each parameter: swept block by block through its range and back in a second, and
  /// switched between its ends.
  func worst() throws -> [(name: String, sweptDb: Double, thrownDb: Double)] {
    try Settings.parameters.map { parameter in
      (
        parameter.name, try levelDb { at(parameter, Self.sweep($0)) },
        try levelDb { at(parameter, Int($0 * 4) % 2 == 0 ? 0 : 1) }
      )
    }
  }

  /// - Parameter change: settings at a time from 0 to 1.
  func levelDb(_ change: (Double) -> Settings) throws -> Double {
    let input = sine(hz: toneHz, amplitude: 0.5, seconds: 1.3)
    let output = try StereoRun(change(0)).render(input) { link, start in
      link.apply(change(min(Double(start) / 48_000, 1)))
    }
    return strayLineDb(in: output, besideHz: toneHz, guardHz: guardHz)
  }

  private static func sweep(_ time: Double) -> Double { 1 - abs(2 * time - 1) }

  private func at(_ parameter: Parameter<Settings>, _ share: Double) -> Settings {
    var settings = settings
    switch parameter.value {
    case .number(let place, let allowed):
      let (low, high) = (allowed.lowerBound, allowed.upperBound)
      let isWide = low > 0 && high / low > 50
      settings[keyPath: place] = isWide ? low * pow(high / low, share) : low + share * (high - low)
    case .flag(let place): settings[keyPath: place] = share > 0.5
    case .choice(let place, let words):
      settings[keyPath: place] = share > 0.5 ? words.last! : words.first!
    case .whole, .part: break  // effects have none
    }
    return settings
  }
}
