import DSP
import Effects
import Foundation
import ProcessorConformance
import Testing

/// The common contract of all drive and dynamics effects.
@Suite struct DynamicsContractTests {
  static let all: [any EffectSettings] = [
    Overdrive.Settings(), Distortion.Settings(), Bitcrush.Settings(), Compressor.Settings(),
    Limiter.Settings(), Gate.Settings(), DeEsser.Settings(),
  ]

  @Test(arguments: all) func keepsTheContract(settings: any EffectSettings) throws {
    let conformance = ProcessorConformance { try Self.oneChannel(settings, 48_000) }
    #expect(try conformance.findings() == [])
    for rate in [8000.0, 192_000] {
      let atRate = ProcessorConformance { try Self.oneChannel(settings, rate) }
      let found = try atRate.resetFindings() + atRate.realtimeFindings()
      #expect(found == [], "at \(rate)")
    }
  }

  private static func oneChannel(_ settings: some EffectSettings, _ rate: Double) throws
    -> OneChannel
  {
    try OneChannel(settings, sampleRateHz: rate)
  }

  /// Equal channels stay equal.
  @Test(arguments: all) func equalChannelsStayEqual(settings: any EffectSettings) throws {
    try expectAlike(settings)
  }

  private func expectAlike(_ settings: some EffectSettings) throws {
    let output = try StereoRun(settings).render(Stereo(noise(amplitude: 0.8, seconds: 0.2)))
    #expect(output.left == output.right)
  }

  @Test(arguments: all) func outOfRangeIsAnErrorWithTheName(settings: any EffectSettings) throws {
    try expectRanges(settings)
  }

  private func expectRanges<Settings: EffectSettings>(_ settings: Settings) throws {
    for parameter in Settings.parameters {
      guard case .number(let place, let range) = parameter.value else { continue }
      for value in [range.lowerBound - 0.001, range.upperBound + 1, .nan] {
        var wrong = settings
        wrong[keyPath: place] = value
        let error = #expect(throws: SettingsError.self) {
          _ = try wrong.makeRunning(sampleRateHz: 48_000)
        }
        #expect(error?.description.hasPrefix(parameter.name) == true)
      }
      for value in [range.lowerBound, range.upperBound] {
        var edge = settings
        edge[keyPath: place] = value
        let output = try StereoRun(edge).render(noise(amplitude: 0.5, seconds: 0.05))
        #expect(output.allSatisfy { $0.isFinite }, "\(parameter.name) of \(value)")
      }
    }
  }

  /// The output is exactly zero a second after the stated tail, so no state decays into subnormal
  /// numbers.
  @Test(arguments: all) func soundEndsInExactSilence(settings: any EffectSettings) throws {
    try expectSilence(settings)
  }

  private func expectSilence(_ settings: some EffectSettings) throws {
    let sound = noise(amplitude: 0.5, seconds: 0.2)
    let run = try StereoRun(settings)
    let late = run.link.tailSamples + run.link.latencySamples
    let output = run.render(sound + [Float](repeating: 0, count: late + 48_001))
    #expect(output.last == 0)
    // -60 dBFS once latency and tail are over; the sound is near full scale.
    #expect(output[(sound.count + late)...].allSatisfy { abs($0) < 0.001 })
  }

  /// A sweep of a parameter makes no clicks. The bit crusher is left out, whose sound consists of
  /// steps. The gate has an attack of 20 ms, since a shorter one clicks by design.
  @Test(arguments: all.filter { !($0 is Bitcrush.Settings) }) func sweepsDoNotClick(
    settings: any EffectSettings
  ) throws {
    var settings = settings
    if var gate = settings as? Gate.Settings {
      gate.attackMs = 20
      settings = gate
    }
    try expectSmoothSweeps(settings)
  }

  private func expectSmoothSweeps<Settings: EffectSettings>(_ settings: Settings) throws {
    for parameter in Settings.parameters {
      let clicksDb = try sweepClicksDb(settings, parameter)
      #expect(clicksDb < -60, "\(Settings.effect): \(parameter.name)")
    }
  }
}
