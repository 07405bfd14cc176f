import Foundation
import TestSupport

@testable import AudioFile

/// A sweep from 200 Hz, rising by an octave a second, at half of full scale. It correlates at no
/// other lag, so that a shift by one sample shows.
func sweep(seconds: Double, rateHz: Double = 48_000, startHz: Double = 200) -> [Float] {
  (0..<Int(seconds * rateHz)).map { i in
    let octaves = Double(i) / rateHz
    return Float(0.5 * sin(2 * .pi * startHz * (exp2(octaves) - 1) / log(2)))
  }
}

/// `count` reproducible numbers, uniform over -1..<1.
func noise(_ count: Int, seed: UInt64 = 1) -> [Float] {
  var state = seed
  return (0..<count).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407  // Knuth's MMIX
    return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
  }
}

/// One encoding of each writable format, at its default width or quality.
let everyEncoding = AudioFormat.writable.compactMap(AudioEncoding.init(default:))

extension AudioEncoding {
  static func aiff(_ type: SampleType) -> Self { .init(.aiff, type) }
  static func caf(_ type: SampleType) -> Self { .init(.caf, type) }
  static func au(_ type: SampleType) -> Self { .init(.au, type) }
  static func w64(_ type: SampleType) -> Self { .init(.w64, type) }
  static func vorbis(quality: Double) -> Self { .init(.vorbis, nil, quality: quality) }
  static func opus(quality: Double) -> Self { .init(.opus, nil, quality: quality) }
  static func mp3(quality: Double) -> Self { .init(.mp3, nil, quality: quality) }

  /// A file name with a suitable extension.
  var fileName: String { "sound.\(format.extensions[0])" }
}

extension TemporaryFolder {
  /// Writes a sound of one channel at 48 kHz and returns the file's bytes.
  func bytes(of samples: [Float], in name: String) throws -> [UInt8] {
    try AudioFile(channels: [samples], sampleRateHz: 48_000).write(to: path(name))
    return try bytes(name)
  }
}

func rms(_ samples: some Sequence<Float>) -> Double {
  let squares = samples.map { Double($0) * Double($0) }
  return (squares.reduce(0, +) / Double(max(squares.count, 1))).squareRoot()
}
