import Effects
import Foundation
import ProcessorConformance
import TestSupport
import Testing

@Suite struct ReverbTests {
  static let octavesHz = [125.0, 250, 500, 1000, 2000, 4000, 8000]

  @Test func keepsTheContract() throws {
    let conformance = ProcessorConformance { try OneChannel(Reverb.Settings()) }
    #expect(try conformance.blockSizeFindings() == [])
    #expect(try conformance.resetFindings() == [])
    #expect(try conformance.realtimeFindings() == [])
  }

  /// The most damped room: in others rounding differences never decay to the last bit.
  @Test func badSamplesAreForgotten() throws {
    let conformance = ProcessorConformance {
      var settings = Reverb.Settings()
      (settings.decaySeconds, settings.roomMetres) = (0.1, 3)
      (settings.lowDecay, settings.lowCrossoverHz) = (0.25, 1000)
      (settings.highDecay, settings.highCrossoverHz) = (0.1, 1000)
      return try OneChannel(settings)
    }
    #expect(try conformance.finiteFindings() == [])
  }

  /// Decay times are within 10 % from 125 Hz to 8 kHz, without damping, in rooms of suitable size.
  ///
  /// Four responses, each input to each output, are summed as in ISO 3382. A single response of 0.3
  /// s has so few independent samples in the octave at 125 Hz that its T30 varies by 17 % even in
  /// an ideal room (ISO 3382-1, annex A).
  @Test(arguments: [
    (0.3, 4.0, 0.0), (0.3, 13, 0.3), (0.5, 7, 0.3), (1, 13, 0), (2, 21, 0.3), (8, 40, 0.3),
  ])
  func decaysAsFastAsStated(seconds: Double, metres: Double, modulationHz: Double) throws {
    let responses = try responses(
      flat(seconds, metres: metres, modulationHz: modulationHz), seconds: 0.9 * seconds + 0.2)
    for hz in Self.octavesHz {
      let measured = RoomAcoustics.decaySeconds(responses, octaveHz: hz)
      #expect(abs(measured / seconds - 1) < 0.1, "\(hz) Hz: \(measured) s")
    }
  }

  /// The decay time of each octave with damping is the one computed from the settings.
  @Test(arguments: ["small room", "plate", "medium hall"])
  func decaysAsFastAsStatedInEveryOctave(name: String) throws {
    let settings = try #require(Self.rooms.first { $0.name == name }).settings
    let responses = try responses(settings, seconds: settings.decaySeconds + 0.2)
    for hz in Self.octavesHz {
      let measured = RoomAcoustics.decaySeconds(responses, octaveHz: hz)
      let stated = settings.decaySeconds(atHz: hz)
      #expect(abs(measured / stated - 1) < 0.1, "\(hz) Hz: \(measured) s, stated \(stated)")
    }
  }

  /// The reverb doesn't sound metallic: the echo density soon reaches that of noise and stays
  /// there, and later the spectral deviation is that of noise (5.57 dB; one response varies by
  /// 0.1).
  @Test(arguments: [(2.0, 21.0, 0.12), (2, 21, 0), (8, 40, 0.3)])
  func isNotMetallic(seconds: Double, metres: Double, modulationHz: Double) throws {
    let response = try Stereo.impulse(count: 60_000, right: 0)
      .through(flat(seconds, metres: metres, modulationHz: modulationHz)).left
    let crossing = Int(metres / 343 * 48_000)
    for at in stride(from: 2 * crossing, to: 50_000, by: 1200) {
      let density = RoomAcoustics.echoDensity(response, at: at)
      #expect((0.8...1.2).contains(density), "at sample \(at)")
    }
    let deviationDb = RoomAcoustics.spectralDeviationDb(
      response, from: 10_000, decaySeconds: seconds)
    #expect(abs(deviationDb - 5.57) < 0.8)
  }

  /// Noise in the octave at 1 kHz keeps its level.
  @Test(arguments: [0.3, 1.8, 4])
  func keepsTheLevel(seconds: Double) throws {
    let filter = TestFilter.octave(1000, sampleRateHz: 48_000)
    let noise = Stereo.noise(count: Int((seconds + 2) * 48_000))
    let output = try noise.through(flat(seconds, metres: 21, modulationHz: 0.3))
    func level(_ channels: Stereo) -> Double {
      let energies = [channels.left, channels.right].map { channel in
        filter.apply(channel.suffix(96_000).map(Double.init)).reduce(0) { $0 + $1 * $1 }
      }
      return 10 * log10(energies[0] + energies[1])
    }
    // The resonances within the octave vary by less than 1 dB.
    #expect(abs(level(output) - level(noise)) < 1)
  }

  @Test func channelsAreUncorrelated() throws {
    let output = try Stereo.impulse(count: 48_000).through(Reverb.Settings())
    func product(_ a: [Float], _ b: [Float]) -> Double {
      zip(a, b).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    }
    let common = product(output.left, output.right)
    let own = (product(output.left, output.left) * product(output.right, output.right))
      .squareRoot()
    #expect(abs(common / own) < 0.1)
  }

  @Test func preDelayIsAsStated() throws {
    var settings = flat(1, metres: 10, modulationHz: 0)
    let early = try Stereo.impulse(count: 20_000).through(settings)
    settings.preDelayMs = 50
    let late = try Stereo.impulse(count: 20_000).through(settings)
    #expect(Array(late.left[2400...]) == Array(early.left.dropLast(2400)))
  }

  /// The first reflection comes after the pre-delay plus 4.3 ms in a hall of 21 m, scaled with the
  /// room, as in Moorer's table.
  @Test(arguments: [(21.0, 10.0), (21, 0), (6, 0), (40, 20)])
  func theFirstReflectionIsOnTime(metres: Double, preDelayMs: Double) throws {
    var settings = flat(1.5, metres: metres, modulationHz: 0)
    settings.preDelayMs = preDelayMs
    let response = try Stereo.impulse(count: 20_000).through(settings)
    let first = try #require(response.left.firstIndex { abs($0) > 1e-6 })
    let expected = 48 * (preDelayMs + 4.3 * metres / 21)
    // Two samples of rounding and of the cut filters.
    #expect(abs(Double(first) - expected) < 2, "\(Double(first) / 48) ms")
    // The second is lower by the table's 4.45 dB and by the room's decay in between.
    let second = Int(48 * (preDelayMs + 21.5 * metres / 21))
    let peaks = [first, second].map { at in response.left[at - 3...at + 6].map { abs($0) }.max()! }
    let lostDb = 60 * (21.5 - 4.3) / 1000 * metres / 21 / 1.5
    #expect(abs(20 * log10(peaks[0] / peaks[1]) - Float(4.45 + lostDb)) < 1)
  }

  /// Early reflections take their energy from the network: the total stays, whatever their share.
  @Test(arguments: [0.0, 0.5, 1]) func theShareOfFirstReflectionsIsAsStated(share: Double) throws {
    var settings = flat(1, metres: 21, modulationHz: 0)
    settings.earlyShare = share
    let response = try Stereo.impulse(count: 60_000, right: 0).through(settings)
    func energy(_ samples: [Float]) -> Double {
      samples.reduce(0) { $0 + Double($1) * Double($1) }
    }
    // The filters at 10 Hz and 20 kHz take 0.5 dB off an impulse, and a response of the network
    // varies.
    #expect(abs(10 * log10(energy(response.left) + energy(response.right))) < 1.2)
    // Until the shortest line, 0.54 of 61 ms, only reflections arrive.
    let before = energy(Array(response.left[..<1570])) + energy(Array(response.right[..<1570]))
    #expect(share == 0 ? before == 0 : before > 0.5 * share, "\(before)")
  }

  /// The network starts after its shortest line: 0.54 of the way from wall to wall.
  @Test func beginsAfterTheShortestLine() throws {
    var settings = flat(1, metres: 20, modulationHz: 0)
    settings.earlyShare = 0
    let response = try Stereo.impulse(count: 20_000).through(settings)
    let first = try #require(response.left.firstIndex { $0 != 0 })
    #expect(abs(Double(first) - 0.54 * 20 / 343 * 48_000) < 20)  // rounded to a prime
  }

  @Test func changesDoNotClick() throws {
    for (name, clickDb) in try EffectConduct.clicksDb(Reverb.Settings()) {
      #expect(clickDb < -60, "\(name)")
    }
  }

  @Test func resetEqualsANewEffect() throws {
    for preset in Self.rooms {
      #expect(try EffectConduct.forgets(Reverb.Settings(), movedTo: preset.settings))
    }
  }

  @Test func tailIsOverWhenStated() throws {
    for preset in Self.rooms where preset.settings.decaySeconds < 3 {
      #expect(try EffectConduct.levelAfterTailDb(preset.settings) < -60, "\(preset.name)")
    }
  }

  @Test func silenceHasNoSubnormals() throws {
    var settings = flat(0.1, metres: 4, modulationHz: 0.3)
    settings.highDecay = 0.1
    #expect(try EffectConduct.endsInSilence(settings, seconds: 4))
  }

  /// The longest decay time is stable.
  @Test(arguments: [8000.0, 48_000, 192_000])
  func staysBoundedAtItsLimits(rate: Double) throws {
    var settings = flat(20, metres: 40, modulationHz: 2)
    (settings.lowDecay, settings.highDecay) = (2, 2)
    let output = try Stereo.noise(count: 100_000).through(settings, sampleRateHz: rate)
    #expect(output.left.allSatisfy { abs($0) < 0.5 })  // 0.1 with a crest of 14 dB
  }

  /// Rooms by name, from small to large.
  private static let rooms: [(name: String, settings: Reverb.Settings)] = [
    ("vocal booth", room(0.3, metres: 6, preDelayMs: 0, highDecay: 0.6)),
    ("small room", room(0.5, metres: 10, preDelayMs: 0, highDecay: 0.6)),
    ("chamber", room(1.0, metres: 13, preDelayMs: 4, highDecay: 0.55)),
    ("plate", room(1.6, metres: 17, preDelayMs: 0, lowDecay: 0.8, highDecay: 0.8)),
    ("medium hall", room(1.8, metres: 21, preDelayMs: 10, highDecay: 0.5)),
    ("large hall", room(2.6, metres: 30, preDelayMs: 15, lowDecay: 1.2, highDecay: 0.45)),
    ("cathedral", room(6.0, metres: 40, preDelayMs: 20, lowDecay: 1.2, highDecay: 0.3)),
  ]

  private static func room(
    _ decaySeconds: Double, metres: Double, preDelayMs: Double, lowDecay: Double = 1.1,
    highDecay: Double
  ) -> Reverb.Settings {
    var settings = Reverb.Settings()
    settings.decaySeconds = decaySeconds
    settings.roomMetres = metres
    settings.preDelayMs = preDelayMs
    settings.lowDecay = lowDecay
    settings.highDecay = highDecay
    return settings
  }

  private func flat(
    _ decaySeconds: Double, metres: Double, modulationHz: Double
  ) -> Reverb.Settings {
    var settings = Reverb.Settings()
    settings.decaySeconds = decaySeconds
    (settings.lowDecay, settings.highDecay) = (1, 1)
    settings.preDelayMs = 0
    settings.roomMetres = metres
    settings.modulationHz = modulationHz
    (settings.lowCutHz, settings.highCutHz) = (10, 20_000)
    return settings
  }

  private func responses(_ settings: Reverb.Settings, seconds: Double) throws -> [[Float]] {
    let count = Int(seconds * 48_000)
    let fromLeft = try Stereo.impulse(count: count, right: 0).through(settings)
    // A long decay is accurate enough from one input.
    guard seconds < 2 else { return [fromLeft.left, fromLeft.right] }
    let fromRight = try Stereo.impulse(count: count, left: 0).through(settings)
    return [fromLeft.left, fromLeft.right, fromRight.left, fromRight.right]
  }
}
