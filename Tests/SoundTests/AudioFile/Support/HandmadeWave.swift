/// A WAV file built byte by byte from the format's definition, independent of libsndfile: "RIFF"
/// size "WAVE", "fmt " 16 ..., "data" size ...; all numbers are little-endian.
func handmadeWave(
  tag: Int = 1, bits: Int, channelCount: Int = 1, sampleRateHz: Int = 48_000, data: [UInt8],
  announcing announced: Int? = nil
) -> [UInt8] {
  let frameBytes = channelCount * bits / 8
  var body = Array("WAVEfmt ".utf8) + little(16, 4) + little(tag, 2) + little(channelCount, 2)
  body += little(sampleRateHz, 4) + little(sampleRateHz * frameBytes, 4)
  body += little(frameBytes, 2) + little(bits, 2)
  body += Array("data".utf8) + little(announced ?? data.count, 4) + data
  return Array("RIFF".utf8) + little(body.count, 4) + body
}

/// An AIFF file of 32 frames of 16-bit silence; all numbers are big-endian, the rate has 80 bits.
func handmadeAIFF(rate: [UInt8]) -> [UInt8] {
  func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }
  var body = Array("AIFFCOMM".utf8) + big(18, 4) + big(1, 2) + big(32, 4) + big(16, 2) + rate
  body += Array("SSND".utf8) + big(72, 4) + [UInt8](repeating: 0, count: 72)
  return Array("FORM".utf8) + big(body.count, 4) + body
}

/// The low `count` bytes of a number, least significant first.
func little(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

/// The bytes of floats, least significant first.
func floatBytes(_ values: [Float]) -> [UInt8] {
  values.flatMap { little(Int($0.bitPattern), 4) }
}
