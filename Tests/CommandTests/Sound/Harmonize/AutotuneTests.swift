import AudioFile
import DSP
import Foundation
import Testing

/// `autotune`, as a user types it.
@Suite struct AutotuneTests {
  private func type(_ arguments: String, in folder: URL) throws -> Shell.Answer {
    try Shell.run(URL(fileURLWithPath: "/bin/sh"), ["-c", Built.path(arguments)], in: folder)
  }

  /// A second of harmonics 40 cents below A3.
  private static let voice = (0..<48_000).map { i -> Float in
    let turns = 220 * exp2(-0.4 / 12) * Double(i) / 48_000
    return (1...6).reduce(Float(0)) {
      $0 + Float(0.2 / Double($1) * sin(2 * .pi * Double($1) * turns))
    }
  }

  private func scratch() throws -> URL {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("choir-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try Signal(Self.voice, sampleRateHz: 48_000)
      .write(to: url.appendingPathComponent("in.wav").path)
    return url
  }

  /// A preset's tuner is where the options start from, and holds notes of its own.
  @Test func aPresetTunesWhatNoOptionChooses() throws {
    let folder = try scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(
      #"{"name": "half", "autotuner": {"target": {"tones": ["A"]}, "correction": {"amountPercent": 50}}}"#
        .utf8
    ).write(to: folder.appendingPathComponent("half.json"))
    for (options, cents) in [
      ("", "20.0"), ("--key 'A minor'", "20.0"), ("--amount-percent 100", "40.0"),
    ] {
      let answer = try type(
        "autotune in.wav out.wav --force --preset half.json \(options)", in: folder)
      #expect(answer.output.contains("1 note, median correction \(cents) cents"), "\(answer)")
    }
  }

  @Test func aVoiceIsDrawnToAKey() throws {
    let folder = try scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let answer = try type("autotune in.wav out.wav --key 'A minor' --truth t.json", in: folder)
    #expect(answer.status == 0)
    // The truth: one note, 40 cents up.
    #expect(answer.output.contains("1 note, median correction 40.0 cents"), "\(answer.output)")
    let truth = try String(contentsOf: folder.appendingPathComponent("t.json"), encoding: .utf8)
    #expect(truth.contains("\"key\" : 57") || truth.contains("\"key\":57"))
    let heard = try type("analyze out.wav --json", in: folder)
    #expect(heard.status == 0)
  }

  /// The printed latency is that of the window as set: half the sum of window and crossfade, 20 ms,
  /// which is more than the tracker's 13.2.
  @Test func theEngineCanBeSet() throws {
    let folder = try scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let tune = "autotune in.wav out.wav --key 'A minor' --set spliceToPeriods=1"
    let answer = try type(
      tune + " --set windowMs=30 --set crossfadeMs=10 --truth t.json", in: folder)
    #expect(answer.status == 0)
    #expect(answer.output.contains("latency 20.0 ms"), "\(answer.output)")
    #expect(try type(tune + " --set spliceToPeriods=2", in: folder).status == 64)
    #expect(try type(tune + " --set sweepToPeriods=2", in: folder).status == 64)
  }

  /// The output has the stated latency, and its end has the last cycles of a voice that sounds to the
  /// end of its file.
  @Test func theTailIsWritten() throws {
    let folder = try scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let tune = "autotune in.wav out.wav --key 'A minor'"
    func tuned(_ more: String) throws -> [Float] {
      #expect(try type(tune + more, in: folder).status == 0)
      return try AudioFile(reading: folder.appendingPathComponent("out.wav").path).mono.samples
    }
    // The delay line's mean delay is 17.4 ms and varies by at most 11.6.
    let whole = try tuned("")
    #expect(whole.count >= 48_000 + 835 && whole.count <= 48_000 + 835 + 560, "\(whole.count)")
    let last = whole[47_900..<(48_000 + 278)].map { Double($0 * $0) }.reduce(0, +) / 378
    let voice = Self.voice.suffix(4_800).map { Double($0 * $0) }.reduce(0, +) / 4_800
    #expect(last > 0.5 * voice)
    #expect(try tuned(" --cut-tail --force") == Array(whole.prefix(48_000)))
  }

  /// A pipe returns the samples of a file, for any block size.
  @Test func pipesGiveWhatFilesGive() throws {
    let folder = try scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let raw = Self.voice.withUnsafeBytes { Data($0) }
    try raw.write(to: folder.appendingPathComponent("in.f32"))
    let made = try type(
      "autotune --stream --block 100 --scale-notes A,B <in.f32 >out.f32", in: folder)
    #expect(made.status == 0)
    #expect(try type("autotune in.wav out.wav --scale-notes A,B", in: folder).status == 0)
    let piped = try Data(contentsOf: folder.appendingPathComponent("out.f32"))
      .withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let file = try AudioFile(reading: folder.appendingPathComponent("out.wav").path).mono.samples
    // Files hold 24 bits or floats.
    #expect(
      piped.count == 48_000 && file.count > 48_000
        && zip(piped, file).allSatisfy { abs($0 - $1) < 1e-6 })
  }
}
