import DSP
import Effects
import Subjects

/// The cost of effects on this machine: each one by itself with its defaults, and a chain of eight.
struct EffectCosts: Encodable {
  struct Row: Encodable {
    var chain: String
    /// Processor time divided by the duration of the sound.
    var realtimeFactor: Double
    var silenceRealtimeFactor: Double
    var latencyMs: Double
    var tailSeconds: Double
  }

  var schema = "choir.effect-costs/1"
  let sampleRateHz: Double
  let seconds = 4.0
  let passes = 5
  let blockSize = 128
  private(set) var rows: [Row] = []

  private enum CodingKeys: CodingKey {
    case schema, sampleRateHz, seconds, passes, blockSize, rows
  }

  /// A common vocal chain; effects that don't exist are left out.
  private static let eight = [
    "gate", "eq", "deesser", "compressor", "chorus", "delay", "reverb", "limiter",
  ]

  init(sampleRateHz: Double) throws {
    self.sampleRateHz = sampleRateHz
    func link(_ settings: some EffectSettings) -> EffectChain {
      EffectChain(EffectChain.Link(settings, mix: 1))
    }
    for kind in EffectCatalog.all {
      rows.append(try measured(link(kind.init()), name: kind.effect))
    }
    let names = Self.eight.filter(EffectCatalog.names.contains)
    let chain = try EffectChain(parsing: names.joined(separator: " > "))
    rows.append(try measured(chain, name: chain.description))
  }

  private func measured(_ chain: EffectChain, name: String) throws -> Row {
    let rack = try EffectsRack(chain, sampleRateHz: sampleRateHz)
    var random = SeededGenerator(seed: 1)
    let count = Int(seconds * sampleRateHz)
    let noise = (0..<count).map { _ in Float(0.5 * (random.uniform() - 0.5)) }
    func time(_ input: [Float]) -> Double {
      (0..<passes).map { _ in
        var (left, right) = (input, input)
        let before = ThreadClock.seconds
        rack.process(&left, &right, blockSize: blockSize)
        return (ThreadClock.seconds - before) / seconds
      }.min() ?? 0
    }
    let sound = time(noise)
    let silence = [Float](repeating: 0, count: count)
    // Renders silence until the tail has ended, and as long again for slow fades.
    let tailSeconds = Double(rack.tailSamples) / sampleRateHz
    for _ in 0..<Int(min(30, 2 * tailSeconds + 4) / seconds) { _ = time(silence) }
    return Row(
      chain: name, realtimeFactor: sound, silenceRealtimeFactor: time(silence),
      latencyMs: Double(rack.latencySamples) / sampleRateHz * 1000, tailSeconds: tailSeconds)
  }
}
