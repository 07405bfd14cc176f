import Effects
import Foundation

/// The wet output of an effect for two channels.
///
/// - Parameter change: called before every block of 64 with its first sample; returns settings to
///   apply, if any.
func rendered<Settings: EffectSettings>(
  _ settings: Settings, _ left: [Float], _ right: [Float]? = nil, sampleRateHz: Double = 48_000,
  change: (Int) -> Settings? = { _ in nil }
) throws -> (left: [Float], right: [Float]) {
  let effect = try settings.makeRunning(sampleRateHz: sampleRateHz)
  var (l, r) = (left, right ?? left)
  var all = l.mutableSpan
  var other = r.mutableSpan
  for start in stride(from: 0, to: left.count, by: 64) {
    if let settings = change(start) { _ = effect.apply(settings) }
    let block = start..<min(start + 64, left.count)
    var part = all._mutatingExtracting(block)
    var otherPart = other._mutatingExtracting(block)
    effect.process(&part, &otherPart)
  }
  return (l, r)
}

/// The level of an amplitude in dB.
func db(_ amplitude: Double) -> Double { 20 * log10(amplitude) }

/// The amplitude of a level in dB.
func amplitude(_ db: Double) -> Double { pow(10, db / 20) }
