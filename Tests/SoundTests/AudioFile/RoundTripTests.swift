import AudioFile
import DSP
import Foundation
import TestSupport
import Testing

@Suite struct RoundTripTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    (AudioEncoding.wav(.int8), 8), (.wav(.int16), 16), (.wav(.int24), 24), (.wav(.int32), 32),
    (.flac(.int8), 8), (.flac(.int16), 16), (.flac(.int24), 24),
    (.aiff(.int8), 8), (.aiff(.int16), 16), (.aiff(.int24), 24), (.aiff(.int32), 32),
    (.caf(.int8), 8), (.caf(.int16), 16), (.caf(.int24), 24), (.caf(.int32), 32),
    (.au(.int8), 8), (.au(.int16), 16), (.au(.int24), 24), (.au(.int32), 32),
    (.w64(.int8), 8), (.w64(.int16), 16), (.w64(.int24), 24), (.w64(.int32), 32),
  ])
  func integersErrByHalfAStepAtMost(encoding: AudioEncoding, bits: Int) throws {
    // Samples stay below the top half step, which would round to full scale, beyond the integers.
    let step = exp2(1 - Double(bits))
    let samples = noise(20_000).map { min($0, Float(1 - step)) }
    let clipped = try Signal(samples, sampleRateHz: 48_000)
      .write(to: folder.path(encoding.fileName), encoding: encoding)
    let back = try AudioFile(reading: folder.path(encoding.fileName))
    #expect(clipped == 0)
    #expect(back.frameCount == samples.count)
    let errors = zip(samples, back.channels[0]).map { Double($0) - Double($1) }
    // Rounding to the nearest step; all these numbers are exact in Float.
    // The error is that of rounding to the nearest step; all these numbers are exact in Float.
    #expect(errors.map(abs).max()! <= step / 2)
    // Uniform errors average to 0 within 5 standard errors (step / sqrt(12 n)).
    let mean = errors.reduce(0, +) / Double(errors.count)
    #expect(abs(mean) <= 5 * step / (12 * Double(errors.count)).squareRoot())
  }

  @Test(arguments: [
    AudioEncoding.wav(.float32), .wav(.float64), .aiff(.float32), .caf(.float32), .caf(.float64),
    .au(.float32), .w64(.float32),
  ])
  func floatsKeepEveryBit(encoding: AudioEncoding) throws {
    let samples = noise(10_000) + [1, -1, 1.5, -2, 1e-30, .leastNonzeroMagnitude, 0, -0.0]
    let clipped = try Signal(samples, sampleRateHz: 44_100)
      .write(to: folder.path(encoding.fileName), encoding: encoding)
    #expect(clipped == 0)
    #expect(try AudioFile(reading: folder.path(encoding.fileName)).channels == [samples])
  }

  @Test(arguments: [AudioEncoding.vorbis(quality: 0.7), .opus(quality: 0.7), .mp3(quality: 0.7)])
  func lossyKeepsLengthPlaceAndSound(encoding: AudioEncoding) throws {
    let samples = sweep(seconds: 2)
    try Signal(samples, sampleRateHz: 48_000)
      .write(to: folder.path(encoding.fileName), encoding: encoding)
    let back = try AudioFile(reading: folder.path(encoding.fileName)).channels[0]
    #expect(back.count == samples.count)
    // The loudest noise that a tone masks is 14.5 dB below it (Johnston 1988).
    let error = rms(zip(samples, back).map { $0 - $1 })
    #expect(20 * log10(error / rms(samples)) < -14.5)
    // The coder's delay is compensated: the sweep correlates best without a shift.
    let fits = (-2...2).map { lag in
      (100..<90_000).reduce(0.0) { $0 + Double(samples[$1] * back[$1 + lag]) }
    }
    #expect(fits.max() == fits[2])
  }

  @Test(arguments: [8000.0, 44_100, 192_000], everyEncoding)
  func ratesAndChannelsSurvive(rateHz: Double, encoding: AudioEncoding) throws {
    let path = folder.path(encoding.fileName)
    let left = sweep(seconds: 0.2, rateHz: rateHz)
    let stereo = AudioFile(channels: [left, left.map { -$0 / 2 }], sampleRateHz: rateHz)
    let allowed: Bool =
      switch encoding.format {
      case .wav, .flac, .aiff, .caf, .au, .w64, .vorbis: true
      case .opus: rateHz == 8000  // of the three; Opus supports 8, 12, 16, 24 and 48 kHz
      case .mp3: rateHz <= 48_000
      case .foreign: false
      }
    guard allowed else {
      #expect(
        throws: AudioFileError.unsupportedRate(path, rateHz: rateHz, format: encoding.format)
      ) { try stereo.write(to: path) }
      #expect(folder.contents == [])
      return
    }
    try stereo.write(to: path)
    let back = try AudioFile(reading: path)
    #expect(back.sampleRateHz == rateHz)
    #expect(back.channels.map(\.count) == [left.count, left.count])
    // The right channel was written inverted at half of the left one's level. A lossy coder may add
    // the noise that a tone masks, 14.5 dB below it, or 0.19 of its level.
    let product = zip(back.channels[0], back.channels[1]).reduce(0.0) { $0 + Double($1.0 * $1.1) }
    let gain = product / (Double(left.count) * pow(rms(back.channels[0]), 2))
    #expect(abs(gain + 0.5) < 0.19)
  }

  @Test func sixChannelsKeepTheirOrder() throws {
    let channels = (1...6).map { [Float](repeating: Float($0) / 8, count: 5000) }  // exact
    for name in ["six.wav", "six.flac", "six.aiff"] {
      try AudioFile(channels: channels, sampleRateHz: 48_000).write(to: folder.path(name))
      #expect(try AudioFile(reading: folder.path(name)).channels == channels)
    }
  }

  @Test func clippedSamplesAreHeldAtFullScaleAndCounted() throws {
    let path = folder.path("loud.wav")
    let samples: [Float] = [1.5, 1, -1, -1.0001, 0.5, -3]
    let clipped = try Signal(samples, sampleRateHz: 48_000).write(to: path, encoding: .wav(.int16))
    #expect(clipped == 3)
    let top = Float(32_767) / 32_768
    #expect(try AudioFile(reading: path).channels == [[top, top, -1, -1, 0.5, -1]])
  }

  @Test(arguments: [AudioEncoding.wav(.float32), .wav(.int24), .flac(.int24), .aiff(.int24)])
  func theSameSoundIsTheSameBytes(encoding: AudioEncoding) throws {
    let signal = Signal(sweep(seconds: 0.1), sampleRateHz: 48_000)
    try signal.write(to: folder.path("a.\(encoding.fileName)"), encoding: encoding)
    // A date in the file would have a resolution of one second.
    Thread.sleep(forTimeInterval: 1.1)
    try signal.write(to: folder.path("b.\(encoding.fileName)"), encoding: encoding)
    #expect(
      try folder.bytes("a.\(encoding.fileName)") == folder.bytes("b.\(encoding.fileName)"))
  }

  @Test(arguments: [AudioFormat.vorbis, .opus, .mp3])
  func moreQualityTakesMoreBytes(format: AudioFormat) throws {
    let signal = Signal(noise(48_000).map { $0 / 4 }, sampleRateHz: 48_000)
    let sizes = try [0.1, 0.9].map { quality in
      let encoding: AudioEncoding =
        switch format {
        case .opus: .opus(quality: quality)
        case .mp3: .mp3(quality: quality)
        default: .vorbis(quality: quality)
        }
      try signal.write(to: folder.path(encoding.fileName), encoding: encoding)
      return try folder.bytes(encoding.fileName).count
    }
    #expect(sizes[1] > sizes[0] * 3 / 2)
  }

  @Test func writingReplacesAFileAndLeavesNothingElse() throws {
    let path = folder.path("take.wav")
    try Signal([1, 2, 3], sampleRateHz: 8000).write(to: path)
    try Signal([4], sampleRateHz: 8000).write(to: path)
    #expect(try AudioFile(reading: path).channels == [[4]])
    #expect(folder.contents == ["take.wav"])
  }

  @Test(arguments: everyEncoding)
  func probingAgreesWithReading(encoding: AudioEncoding) throws {
    let path = folder.path(encoding.fileName)
    let channels = [sweep(seconds: 0.5), sweep(seconds: 0.5)]
    try AudioFile(channels: channels, sampleRateHz: 48_000).write(to: path)
    let info = try AudioFileInfo(probing: path)
    #expect(info.format == encoding.format)
    #expect(info.sampleType == encoding.sampleType)
    #expect(info.channelCount == 2)
    #expect(info.sampleRateHz == 48_000)
    #expect(info.frameCount == 24_000)
    #expect(info.durationSeconds == 0.5)
  }
}
