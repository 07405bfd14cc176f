import Effects
import Foundation
import ProcessorConformance
import Testing

@Suite struct VibratoTests {
  @Test func keepsTheContract() throws {
    let conformance = ProcessorConformance { try OneChannel(Vibrato.Settings()) }
    #expect(try conformance.findings() == [])
  }

  /// The rate is within 0.5 %, as for every LFO; the depth within 1 %, which is inaudible; the mean
  /// delay within half a sample of the latency.
  @Test(arguments: [(2.0, 100.0), (5.5, 30), (6.3, 100), (14, 50)])
  func rateDepthAndLatencyAreAsStated(rateHz: Double, depthCents: Double) throws {
    let tone = Stereo(sine(hz: 1000, amplitude: 0.5, seconds: 4))
    let output = try tone.through(settings(rateHz, depthCents))
    let track = DelayTrack(output.left, fromSeconds: 0.1)
    #expect(abs(track.rateHz / rateHz - 1) < 0.005)
    // The speed is 1 plus a swing of the angular rate times the delay's amplitude.
    let swing = track.sine(rateHz: rateHz).amplitude / 48_000 * 2 * .pi * rateHz
    let cents = 600 * log2((1 + swing) / (1 - swing))
    #expect(abs(cents / depthCents - 1) < 0.01)
    let latency = try EffectLink(settings(rateHz, depthCents), sampleRateHz: 48_000).latencySamples
    let upperAndLower = (track.samples.max()! + track.samples.min()!) / 2
    let offset = (upperAndLower - Double(latency)) / 48
    #expect(abs(offset - offset.rounded()) * 48 < 0.5)
  }

  @Test func depthZeroIsADelayToTheBit() throws {
    let run = try StereoRun(settings(5, 0))
    let noise = Stereo.noise(count: 5000)
    let output = run.render(noise)
    let latency = run.link.latencySamples
    #expect(Array(output.left[latency...]) == Array(noise.left.dropLast(latency)))
    #expect(Array(output.right[latency...]) == Array(noise.right.dropLast(latency)))
  }

  @Test func changesDoNotClick() throws {
    for (name, clickDb) in try EffectConduct.clicksDb(settings(6, 80)) {
      #expect(clickDb < -60, "\(name)")
    }
  }

  @Test func resetEqualsANewEffect() throws {
    #expect(try EffectConduct.forgets(settings(3, 10), movedTo: settings(9, 70)))
  }

  @Test func tailIsOverWhenStated() throws {
    #expect(try EffectConduct.levelAfterTailDb(settings(2, 100)) < -60)
  }

  @Test(arguments: [8000.0, 192_000])
  func runsAtAnyRate(rate: Double) throws {
    let output = try Stereo.noise(count: 20_000).through(settings(2, 100), sampleRateHz: rate)
    #expect(output.left.allSatisfy { abs($0) < 0.3 })
  }

  private func settings(_ rateHz: Double, _ depthCents: Double) -> Vibrato.Settings {
    var settings = Vibrato.Settings()
    (settings.rateHz, settings.depthCents) = (rateHz, depthCents)
    return settings
  }
}
