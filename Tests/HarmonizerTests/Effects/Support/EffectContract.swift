import AllocationProbe
import Effects
import ProcessorConformance

/// Checks an effect against its contract; each function returns its findings as text.
struct EffectContract<Settings: EffectSettings> {
  private let settings: Settings

  init(_ settings: Settings = .init()) { self.settings = settings }

  func findings() throws -> [String] {
    let processor = ProcessorConformance { [settings] in try OneChannel(settings) }
    return try processor.findings() + rangeFindings() + resetFindings() + applyFindings()
      + silenceFindings() + rateFindings()
  }

  /// Values out of range are refused with the parameter's name.
  private func rangeFindings() -> [String] {
    Settings.parameters.flatMap { parameter -> [String] in
      guard case .number(let place, let allowed) = parameter.value else { return [] }
      let beyond = [allowed.lowerBound.nextDown, allowed.upperBound.nextUp, .nan, .infinity]
      return beyond.compactMap { value in
        var settings = settings
        settings[keyPath: place] = value
        do {
          _ = try settings.makeRunning(sampleRateHz: 48_000)
          return "takes \(parameter.name) = \(value)"
        } catch {
          return "\(error)".hasPrefix(parameter.name) ? nil : "\(error)"
        }
      }
    }
  }

  /// A reset after a change equals an effect made with the new settings.
  private func resetFindings() throws -> [String] {
    let sound = noise(seconds: 0.2)
    return try extremes().compactMap { name, other in
      let run = try StereoRun(settings)
      _ = run.render(sound)
      run.link.apply(other)
      _ = run.render(Array(sound.prefix(100)))
      run.link.reset()
      let fresh = try StereoRun(other).render(sound)
      return run.render(sound) == fresh ? nil : "reset after a change of \(name) is not fresh"
    }
  }

  /// A change neither allocates nor locks.
  private func applyFindings() throws -> [String] {
    let effect = try settings.makeRunning(sampleRateHz: 48_000)
    let settings: any EffectSettings = settings
    return extremes().compactMap { name, other in
      let other: any EffectSettings = other
      _ = effect.apply(other)
      _ = effect.apply(settings)
      allocation_probe_start()
      _ = effect.apply(other)
      _ = effect.apply(settings)
      let count = allocation_probe_stop()
      return count == 0 ? nil : "\(count) allocations or locks in a change of \(name)"
    }
  }

  /// The output is 60 dB below full scale after the tail, and silence after sound never gives
  /// subnormal numbers, which processors are slow at.
  private func silenceFindings() throws -> [String] {
    try ([("nothing", settings)] + extremes()).flatMap { name, settings -> [String] in
      let run = try StereoRun(settings)
      let sound = noise(seconds: 0.2)
      let end = sound.count + run.link.latencySamples + run.link.tailSamples
      let silence = [Float](repeating: 0, count: max(end + 4800, 72_000) - sound.count)
      let output = run.render(sound + silence)
      let rest = output.dropFirst(end).reduce(0) { max($0, abs($1)) }
      let slow = output.contains { $0 != 0 && abs($0) < Float.leastNormalMagnitude }
      return (rest > 0.001 ? ["with \(name) changed, \(rest) is left after the tail"] : [])
        + (slow ? ["with \(name) changed, samples become subnormal"] : [])
    }
  }

  /// The effect runs at the lowest and highest sample rates with all settings allowed.
  private func rateFindings() throws -> [String] {
    try [8000.0, 192_000].flatMap { rate in
      try extremes().compactMap { name, settings in
        let output = try StereoRun(settings, sampleRateHz: rate).render(noise(seconds: 0.05))
        let isSound = output.allSatisfy { abs($0) < 1000 }
        return isSound ? nil : "at \(rate) Hz, with \(name) changed, it is not sound"
      }
    }
  }

  /// The settings with each parameter in turn at its lowest and highest value.
  func extremes() -> [(name: String, settings: Settings)] {
    Settings.parameters.flatMap { parameter -> [(String, Settings)] in
      var (low, high) = (settings, settings)
      switch parameter.value {
      case .number(let place, let allowed):
        low[keyPath: place] = allowed.lowerBound
        high[keyPath: place] = allowed.upperBound
      case .flag(let place):
        low[keyPath: place] = false
        high[keyPath: place] = true
      case .choice(let place, let words):
        low[keyPath: place] = words.first!
        high[keyPath: place] = words.last!
      case .whole, .part: break  // effects have none
      }
      return [(parameter.name, low), (parameter.name, high)]
    }
  }
}
