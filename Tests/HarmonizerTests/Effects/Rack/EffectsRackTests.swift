import AllocationProbe
import DSP
import Effects
import Foundation
import ProcessorConformance
import TestSupport
import Testing

@Suite(.serialized) struct EffectsRackTests {
  private func link(_ late: Double, repeatSamples: Double = 0) -> EffectChain.Stage {
    .link(EffectChain.Link(Late.Settings(late, repeatSamples: repeatSamples)))
  }

  private func late(_ samples: Double) -> EffectChain { EffectChain([link(samples)]) }

  private let noise = Signal.noise(count: 20_000, seed: 3).samples

  /// Renders in blocks like an audio thread; `changes` are made before the block at that sample.
  private func render(
    _ chain: EffectChain, _ input: [Float], blockSize: Int = 100,
    changes: [Int: EffectChain] = [:], sampleRateHz: Double = 48_000
  ) throws -> [Float] {
    let rack = try EffectsRack(chain, sampleRateHz: sampleRateHz)
    var output: [Float] = []
    var start = 0
    while start < input.count {
      if let chain = changes[start] { try rack.change(to: chain) }
      let next = changes.keys.filter { $0 > start }.min() ?? .max
      let end = min(start + blockSize, next, input.count)
      var rackOfBlock = rack
      output += rackOfBlock.render(Array(input[start..<end]), blockSize: blockSize)
      start = end
    }
    return output
  }

  private func impulse(at place: Int, count: Int) -> [Float] {
    (0..<count).map { $0 == place ? 1 : 0 }
  }

  // MARK: A chain that stays

  @Test func nothingChangesNothing() throws {
    #expect(try render(EffectChain(), noise) == noise)
  }

  @Test func aLinkThatIsOffIsAPureDelay() throws {
    let chain = EffectChain(EffectChain.Link(Late.Settings(50, repeatSamples: 9), isOn: false))
    #expect(try render(chain, noise) == [Float](repeating: 0, count: 50) + noise.dropLast(50))
  }

  @Test func delaysInSeriesAddUp() throws {
    let chain = EffectChain([link(30), link(12)])
    #expect(try EffectsRack(chain, sampleRateHz: 48_000).latencySamples == 42)
    let heard = try render(chain, impulse(at: 0, count: 100))
    #expect(heard.firstIndex(of: 1) == 42 && heard.filter { $0 != 0 }.count == 1)
  }

  /// Branches with different delays are aligned.
  @Test func branchesAreAligned() throws {
    let chain = EffectChain([
      .parallel([
        late(100), EffectChain(),
        EffectChain([link(20), .parallel([late(7), late(60)])]),
      ])
    ])
    #expect(try EffectsRack(chain, sampleRateHz: 48_000).latencySamples == 100)
    let heard = try render(chain, impulse(at: 5, count: 300))
    // Three times a third is 1 within a unit in the last place.
    #expect(abs(heard[105] - 1) < 1e-6 && heard.filter { $0 != 0 }.count == 1)
  }

  @Test func twoEqualBranchesAreOne() throws {
    let one = try EffectChain(parsing: "tremolo(rateHz=9)")
    let two = EffectChain([.parallel([one, one])])
    #expect(try render(two, noise) == render(one, noise))
  }

  @Test func besideDryIsAMixOfOneHalf() throws {
    let half = try render(EffectChain(parsing: "tremolo(mix=0.5)"), noise)
    let beside = try render(EffectChain(parsing: "(tremolo | dry)"), noise)
    // Rounded at different places: two roundings of numbers below 1.
    #expect(zip(half, beside).allSatisfy { abs($0 - $1) < 2e-7 })
  }

  @Test func tailsAreThoseOfTheLongestPath() throws {
    let chain = EffectChain([
      link(5, repeatSamples: 300),
      .parallel([EffectChain([link(0, repeatSamples: 40)]), EffectChain()]),
    ])
    #expect(try EffectsRack(chain, sampleRateHz: 48_000).tailSamples == 340)
  }

  @Test(arguments: ["dry", "tremolo", "(tremolo > tremolo(mix=0.3) | dry) > tremolo"])
  func keepsTheContract(text: String) throws {
    let chain = try EffectChain(parsing: text)
    let conformance = ProcessorConformance { try EffectsRack(chain, sampleRateHz: 48_000) }
    #expect(try conformance.findings() == [])
  }

  @Test(arguments: [8_000.0, 44_100, 192_000])
  func allSampleRatesWork(rateHz: Double) throws {
    let changes = [4000: try EffectChain(parsing: "(tremolo | dry)"), 8000: EffectChain()]
    let heard = try render(
      EffectChain(parsing: "tremolo"), noise, changes: changes, sampleRateHz: rateHz)
    #expect(heard.allSatisfy { abs($0) <= 0.5 })
  }

  @Test func equalChannelsStayEqual() throws {
    let rack = try EffectsRack(EffectChain(parsing: "(tremolo | dry)"), sampleRateHz: 48_000)
    var (left, right) = (noise, noise)
    var l = left.mutableSpan
    var r = right.mutableSpan
    rack.process(&l, &r)
    #expect(left == right)
    #expect(try left == render(EffectChain(parsing: "(tremolo | dry)"), noise))
  }

  @Test func wrongChainsAreRefused() {
    let branches = EffectChain([.parallel([EffectChain()])])
    #expect(throws: SettingsError.self) { try EffectsRack(branches, sampleRateHz: 48_000) }
    #expect(throws: SettingsError.self) {
      try EffectsRack(
        EffectChain(EffectChain.Link(Tremolo.Settings(), mix: 2)), sampleRateHz: 48_000)
    }
  }

  // MARK: Changes

  /// The gains of two chains in a crossfade add up to 1, also with different delays: a constant
  /// stays constant.
  @Test(arguments: [(0, 0), (0, 4800), (4800, 0), (300, 301)])
  func constantsStayConstant(before: Int, after: Int) throws {
    let ones = [Float](repeating: 1, count: 30_000)
    // Two links, so that the chain differs even with the same delay.
    let other = EffectChain([link(Double(after)), link(0)])
    let heard = try render(late(Double(before)), ones, changes: [10_000: other])
    // The sum of two gains, each rounded to a float.
    #expect(heard[5000...].allSatisfy { abs($0 - 1) < 3e-7 })
  }

  /// The tail of the replaced chain sounds to its end.
  @Test func theOldChainRingsOut() throws {
    let echo = EffectChain([link(0, repeatSamples: 9000)])
    let heard = try render(echo, impulse(at: 900, count: 20_000), changes: [1000: EffectChain()])
    #expect(heard[900] == 1 && heard[9900] == 0.5)
    #expect(heard.filter { $0 != 0 }.count == 2)
  }

  /// The oldest chain fades out early when more changes come than there are slots for.
  @Test func rapidChangesDropTheOldestTail() throws {
    let echo = EffectChain([link(0, repeatSamples: 15_000)])
    let echoes = EffectChain([link(0, repeatSamples: 15_000), link(0)])
    let changes = Dictionary(
      uniqueKeysWithValues: (1...6).map { ($0 * 2000, $0.isMultiple(of: 2) ? echo : echoes) })
    let ones = [Float](repeating: 1, count: 40_000)
    let heard = try render(echo, ones, changes: changes)
    let steps = zip(heard, heard.dropFirst()).map { abs($0 - $1) }
    // The steepest slope of the smooth step, 1.5 / 960, of at most two at once, except where echoes
    // begin.
    let begins = Set([15_000 - 1])
    #expect(steps.enumerated().allSatisfy { $1 < 2 * 1.5 / 960 || begins.contains($0) })
  }

  @Test func lastChangeCounts() throws {
    let rack = try EffectsRack(EffectChain(), sampleRateHz: 48_000)
    for samples in [10.0, 400, 25] { try rack.change(to: late(samples)) }
    #expect(rack.chain == late(25) && rack.latencySamples == 25)
    var copy = rack
    let heard = copy.render(noise)
    #expect(heard[2000...] == noise[1975..<(noise.count - 25)])
  }

  /// A change of values is applied to the running effects; a change that alters a delay makes new
  /// ones.
  @Test func valuesGlide() throws {
    let rack = try EffectsRack(EffectChain([link(0, repeatSamples: 100)]), sampleRateHz: 48_000)
    let made = Late.alive.load(ordering: .relaxed)
    var copy = rack
    _ = copy.render([Float](repeating: 1, count: 1000))
    var settings = Late.Settings(0, repeatSamples: 100)
    settings.repeatGain = 0
    try rack.change(to: EffectChain(EffectChain.Link(settings)))
    let heard = copy.render([Float](repeating: 1, count: 1000))
    rack.collect()
    // The effect's own ramp: 0.5 to 0 in 960 samples.
    #expect(abs(heard[479] - 1.25) < 1e-4 && heard[960] == 1)
    #expect(Late.alive.load(ordering: .relaxed) == made)
  }

  @Test(arguments: [1, 7, 64, 333])
  func blockSizeDoesNotMatter(blockSize: Int) throws {
    let echo = EffectChain([link(0, repeatSamples: 5000)])
    let changes = [2100: late(480), 4200: echo, 4300: EffectChain(), 6300: late(30)]
    let whole = try render(echo, noise, blockSize: 256, changes: changes)
    let heard = try render(echo, noise, blockSize: blockSize, changes: changes)
    #expect(whole == heard)
  }

  /// A sine through changing chains: outside its line the spectrum is 60 dB down.
  @Test func changesDontClick() throws {
    let rateHz = 48_000.0
    let sine = (0..<72_000).map { Float(0.5 * sin(2 * .pi * 997 * Double($0) / rateHz)) }
    let chains = [
      late(11), EffectChain(), try EffectChain(parsing: "(tremolo(depth=0) | dry)"), late(240),
    ]
    let changes = Dictionary(
      uniqueKeysWithValues: chains.enumerated().map { (9000 + 12_000 * $0, $1) })
    let heard = try render(late(5), sine, changes: changes)
    // From 4 kHz up the leakage of the line under a Hann window of 2048 is below -100 dB.
    #expect(highestDb(Array(heard.dropFirst(2000)), fromHz: 4000) < -60)
  }

  /// Random changes: the sound stays bounded, the audio thread neither allocates nor releases, and
  /// in the end the output equals that of the last chain alone.
  @Test func manyChangesLeaveNothingBehind() throws {
    let before = Late.alive.load(ordering: .relaxed)
    do {
      var random = SeededGenerator(seed: 11)
      let rack = try EffectsRack(EffectChain(), sampleRateHz: 48_000)
      var (left, right) = (noise, noise)
      var l = left.mutableSpan
      var r = right.mutableSpan
      rack.process(&l, &r)  // warms up
      var calls = 0
      for _ in 0..<150 {
        let stages = (0..<Int.random(in: 0...3, using: &random)).map { _ -> EffectChain.Stage in
          random.uniform() < 0.5
            ? link(Double(Int(random.uniform() * 500)), repeatSamples: 700)
            : .parallel([
              late(30), (try? EffectChain(parsing: "tremolo(mix=0.4)")) ?? EffectChain(),
            ])
        }
        try rack.change(to: EffectChain(stages))
        var (left, right) = (Array(noise[..<1111]), Array(noise[..<1111]))
        var l = left.mutableSpan
        var r = right.mutableSpan
        allocation_probe_start()
        rack.process(&l, &r)
        calls += allocation_probe_stop()
        // At most three echoes of half the level each, in four slots.
        #expect(left.allSatisfy { abs($0) < 4 * 0.5 * 3.4 })
      }
      #expect(calls == 0)
      try rack.change(to: late(77))
      var copy = rack
      _ = copy.render([Float](repeating: 0, count: 60_000))
      #expect(copy.render(noise) == (try render(late(77), noise)))
      rack.collect()
      #expect(Late.alive.load(ordering: .relaxed) == before + 1)
    }
    #expect(Late.alive.load(ordering: .relaxed) == before)
  }

  /// Control and audio run on different threads.
  @Test func controlAndAudioMayRunConcurrently() async throws {
    let before = Late.alive.load(ordering: .relaxed)
    let rack = try EffectsRack(EffectChain(), sampleRateHz: 48_000)
    let noise = noise
    async let control: Void = Task.detached {
      for i in 0..<300 {
        try rack.change(to: EffectChain(EffectChain.Link(Late.Settings(Double(i % 5)))))
      }
    }.value
    async let bounded = Task.detached {
      var copy = rack
      return (0..<40).allSatisfy { _ in copy.render(noise).allSatisfy { abs($0) <= 1 } }
    }.value
    try await control
    #expect(await bounded)
    rack.collect()
    #expect(Late.alive.load(ordering: .relaxed) <= before + 5)
  }
}
