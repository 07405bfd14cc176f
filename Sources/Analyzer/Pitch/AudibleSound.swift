import DSP

/// A sound prepared for the pitch estimators: infrasound is removed, samples that are not finite
/// are 0, and amplitudes are limited so that sums of squares stay finite.
///
/// A long sound is prepared block by block, each with its surroundings, so that the result does not
/// depend on the ranges requested. Only the current block and the one before are kept.
final class AudibleSound<Sound: SoundSource>: SoundSource {
  private let sound: Sound
  /// Maximum length of a sound that is prepared as one block.
  private static var undivided: Int { 1 << 22 }
  private static var blockLength: Int { 1 << 20 }
  private static var marginSeconds: Double { 1 }
  private static var loudest: Float { 1e6 }

  private var kept: [(index: Int, samples: [Float])] = []

  init(_ sound: Sound) { self.sound = sound }

  var sampleRateHz: Double { sound.sampleRateHz }
  var count: Int { sound.count }

  private var length: Int { count <= Self.undivided ? max(count, 1) : Self.blockLength }

  /// All of a sound in memory that is prepared as one block; `nil` for any other.
  var whole: Signal? {
    guard let signal = sound as? Signal, count <= Self.undivided else { return nil }
    return Self.limited(signal).withoutInfrasound()
  }

  func samples(_ range: Range<Int>) throws(Sound.Failure) -> [Float] {
    guard !range.isEmpty else { return [] }
    var result: [Float] = []
    result.reserveCapacity(range.count)
    for index in range.lowerBound / length...(range.upperBound - 1) / length {
      let start = index * length
      let block = try block(index)
      let inside = range.clamped(to: start..<start + block.count)
      result += block[inside.lowerBound - start..<inside.upperBound - start]
    }
    return result
  }

  private func block(_ index: Int) throws(Sound.Failure) -> [Float] {
    if let known = kept.first(where: { $0.index == index }) { return known.samples }
    if let whole {
      kept = [(index, whole.samples)]
      return whole.samples
    }
    let own = index * length..<min((index + 1) * length, count)
    let margin = Int(Self.marginSeconds * sampleRateHz)
    let read = max(0, own.lowerBound - margin)..<min(count, own.upperBound + margin)
    let heard = Self.limited(Signal(try sound.samples(read), sampleRateHz: sampleRateHz))
      .withoutInfrasound()
    let samples = Array(
      heard.samples[own.lowerBound - read.lowerBound..<own.upperBound - read.lowerBound])
    kept = kept.suffix(1) + [(index, samples)]
    return samples
  }

  /// Returns the sound with its samples limited; the same array if all are within the limit.
  private static func limited(_ signal: Signal) -> Signal {
    guard signal.samples.contains(where: { !(abs($0) <= loudest) }) else { return signal }
    let samples = signal.samples.map { $0.isFinite ? min(max($0, -loudest), loudest) : 0 }
    return Signal(samples, sampleRateHz: signal.sampleRateHz)
  }
}
