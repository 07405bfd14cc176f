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

/// A W64 file with an extensible format chunk, built byte by byte from the format's definition. Chunks
/// have a name of 16 bytes and a length of 8 that includes both.
func handmadeExtensibleW64(
  code: Int, bits: Int, channelCount: Int = 1, sampleRateHz: Int = 48_000, data: [UInt8]
) -> [UInt8] {
  let ending: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
  let riff: [UInt8] = [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 4, 0xC1, 0, 0]
  func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: (8 - content.count % 8) % 8)
    return Array(name.utf8) + ending + little(24 + content.count, 8) + content + padding
  }
  let frameBytes = channelCount * bits / 8
  var format = little(0xFFFE, 2) + little(channelCount, 2) + little(sampleRateHz, 4)
  format += little(sampleRateHz * frameBytes, 4) + little(frameBytes, 2) + little(bits, 2)
  format += little(22, 2) + little(bits, 2) + little(0, 4) + little(code, 2)
  format += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
  let body = Array("wave".utf8) + ending + chunk("fmt ", format) + chunk("data", data)
  return Array("riff".utf8) + riff + little(24 + body.count, 8) + body
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
