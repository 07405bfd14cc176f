import AudioFile
import TestSupport
import Testing

private func fill<Value>(_ value: Value, _ count: Int) -> [Value] {
  Array(repeating: value, count: count)
}

/// Files built from the format's definition, so that reading is tested independently of writing.
@Suite struct HandmadeFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func sixteenBitsDivideByFullScale() throws {
    let data = [0, 16_384, -32_768, 32_767].flatMap { little($0, 2) }
    let path = try folder.file("a.wav", handmadeWave(bits: 16, data: data))
    #expect(try AudioFile(reading: path).channels == [[0, 0.5, -1, 32_767.0 / 32_768]])
  }

  @Test func eightBitsAreUnsigned() throws {
    let path = try folder.file("a.wav", handmadeWave(bits: 8, data: [128, 0, 192, 255]))
    #expect(try AudioFile(reading: path).channels == [[0, -1, 0.5, 127.0 / 128]])
  }

  @Test func twentyFourBitStereoIsDeinterleaved() throws {
    let data = [1 << 22, -(1 << 23), 0, 1].flatMap { little($0, 3) }
    let path = try folder.file("a.wav", handmadeWave(bits: 24, channelCount: 2, data: data))
    #expect(try AudioFile(reading: path).channels == [[0.5, 0], [-1, 1.0 / 8_388_608]])
  }

  @Test func writtenSixteenBitFilesMatchTheDefinition() throws {
    let file = AudioFile(channels: [[0.5, -0.5], [0.25, -1]], sampleRateHz: 44_100)
    try file.write(to: folder.path("a.wav"), encoding: .wav(.int16))
    let data = [16_384, 8192, -16_384, -32_768].flatMap { little($0, 2) }
    let expected = handmadeWave(bits: 16, channelCount: 2, sampleRateHz: 44_100, data: data)
    #expect(try folder.bytes("a.wav") == expected)
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity])
  func nonFiniteSamplesThrow(bad: Float) throws {
    let data = floatBytes([0, 0, 0, 0, 0, bad])
    let wave = handmadeWave(tag: 3, bits: 32, channelCount: 2, data: data)
    let path = try folder.file("a.wav", wave)
    #expect(throws: AudioFileError.nonFinite(path, frame: 2, channel: 1)) {
      try AudioFile(reading: path)
    }
  }

  /// ffmpeg writes floats in W64 in this form, which libsndfile takes for integers.
  @Test func floatsInAnExtensibleW64AreFloats() throws {
    let samples: [Float] = [0, 0.5, -1, 0.75, 1e-6, -2.5]
    let path = try folder.file(
      "a.w64", handmadeExtensibleW64(code: 3, bits: 32, channelCount: 2, data: floatBytes(samples)))
    #expect(try AudioFile(reading: path).channels == [[0, -1, 1e-6], [0.5, 0.75, -2.5]])
    #expect(try AudioFileInfo(probing: path).sampleType == .float32)
  }

  @Test func integersInAnExtensibleW64AreIntegers() throws {
    let data = [0, 1 << 30, -1 << 31, 0].flatMap { little($0, 4) }
    let path = try folder.file("a.w64", handmadeExtensibleW64(code: 1, bits: 32, data: data))
    #expect(try AudioFile(reading: path).channels == [[0, 0.5, -1, 0]])
  }

  /// Doubles, and bytes of the laws A and μ. G.711: 0xD5 is +8 and 0x55 −8 of 32,768 in A; 0xFF is 0
  /// and 0x80 is 32,124 in μ.
  @Test(
    arguments: [
      (3, 64, little(Int(0.5.bitPattern), 8) + little(Int(0.25.bitPattern), 8), [0.5, 0.25]),
      (6, 8, [0xD5, 0x55] + fill(0xD5, 6), [0x1p-12, -0x1p-12] + fill(0x1p-12, 6)),
      (7, 8, [0xFF, 0x80] + fill(0xFF, 6), [0, 32_124.0 / 32_768] + fill(0, 6)),
    ] as [(Int, Int, [UInt8], [Float])])
  func otherSamplesInAnExtensibleW64AreRead(
    code: Int, bits: Int, data: [UInt8], expected: [Float]
  ) throws {
    let path = try folder.file("a.w64", handmadeExtensibleW64(code: code, bits: bits, data: data))
    #expect(try AudioFile(reading: path).channels == [expected])
  }

  @Test func aHeaderWithoutSoundHasNoFrames() throws {
    let path = try folder.file("a.wav", handmadeWave(bits: 16, data: []))
    #expect(throws: AudioFileError.noFrames(path)) { try AudioFile(reading: path) }
  }

  @Test func aHeaderThatAnnouncesMoreMeansTruncated() throws {
    let wave = handmadeWave(bits: 16, data: [0, 0, 1, 0], announcing: 10)
    let path = try folder.file("a.wav", wave)
    let detail = "its header announces 6 bytes more"
    #expect(throws: AudioFileError.truncated(path, detail: detail)) {
      try AudioFileInfo(probing: path)
    }
  }

  @Test(arguments: [0x7FFF_FFFF, 0xFFFF_FFFF])
  func anUnknownLengthFromAPipeIsIgnored(announced: Int) throws {
    let wave = handmadeWave(bits: 16, data: [0, 64, 0, 32], announcing: announced)
    let path = try folder.file("a.wav", wave)
    let file = try AudioFile(reading: path)
    #expect(file.channels == [[0.5, 0.25]] && file.remarks.count == 1)
  }

  /// A header of 2³¹−1 Hz would allocate 8 GB of memory, and one of 7 Hz would never end.
  @Test(arguments: [1, 2, 7, 7999, 192_001, 1_000_000, 0x7FFF_FFFF])
  func ratesOutOfRangeThrow(rateHz: Int) throws {
    let data = [UInt8](repeating: 0, count: 64)
    let wave = try folder.file("a.wav", handmadeWave(bits: 16, sampleRateHz: rateHz, data: data))
    #expect(throws: AudioFileError.rateOutOfRange(wave, rateHz: Double(rateHz))) {
      try AudioFile(reading: wave)
    }
    #expect(throws: AudioFileError.rateOutOfRange(wave, rateHz: Double(rateHz))) {
      try AudioFileInfo(probing: wave)
    }
  }

  /// AIFF stores its rate as an 80-bit floating-point number, which can have any value.
  @Test(
    arguments: [
      [0x7F, 0xFF, 0xC0, 0, 0, 0, 0, 0, 0, 0],  // not a number
      [0x7F, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0],  // infinite
      [0xC0, 0x0E, 0xBB, 0x80, 0, 0, 0, 0, 0, 0],  // -48000
      [0x3F, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0],  // 1
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ] as [[UInt8]])
  func invalidRatesThrow(rate: [UInt8]) throws {
    let path = try folder.file("a.aiff", handmadeAIFF(rate: rate))
    let error = #expect(throws: AudioFileError.self) { try AudioFile(reading: path) }
    switch error {
    case .rateOutOfRange(path, _), .damaged(path, _): break
    default: Issue.record("\(String(describing: error))")
    }
    // 48000 is 1.46484375 times 2 to the 15th.
    let right = try folder.file(
      "b.aiff", handmadeAIFF(rate: [0x40, 0x0E, 0xBB, 0x80, 0, 0, 0, 0, 0, 0]))
    #expect(try AudioFile(reading: right).sampleRateHz == 48_000)
  }
}
