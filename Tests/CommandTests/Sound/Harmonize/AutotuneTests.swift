import AudioFile
import DSP
import Foundation
import TestSupport
import Testing

/// `autotune`, as a user types it.
@Suite struct AutotuneTests {
  /// A second of harmonics 40 cents below A3.
  private static let voice = Signal.harmonics(sawtooth(6, first: 0.2), of: 220 * exp2(-0.4 / 12))

  /// A shell whose in.wav is the voice.
  private func shell() throws -> Shell {
    let shell = try Shell()
    try Self.voice.write(to: shell.path("in.wav"))
    return shell
  }

  /// A preset's tuner is where the options start from, and holds notes of its own.
  @Test func aPresetTunesWhatNoOptionChooses() throws {
    let shell = try shell()
    try shell.write(
      #"{"name": "half", "autotuner": {"target": {"tones": ["A"]}, "correction": {"amountPercent": 50}}}"#,
      "half.json")
    for (options, cents) in [
      ("", "20.0"), ("--key 'A minor'", "20.0"), ("--amount-percent 100", "40.0"),
    ] {
      let answer = try shell.type(
        "choir autotune in.wav out.wav --force --preset half.json \(options)")
      #expect(answer.output.contains("1 note, median correction \(cents) cents"), "\(answer)")
    }
  }

  @Test func aVoiceIsDrawnToAKey() throws {
    let shell = try shell()
    let answer = try shell.type("choir autotune in.wav out.wav --key 'A minor' --truth t.json")
    #expect(answer.status == 0)
    // The truth: one note, 40 cents up.
    #expect(answer.output.contains("1 note, median correction 40.0 cents"), "\(answer.output)")
    let truth = String(decoding: try shell.bytes("t.json"), as: UTF8.self)
    #expect(truth.contains("\"key\" : 57") || truth.contains("\"key\":57"))
    #expect(try shell.type("choir-eval analyze out.wav --json").status == 0)
  }

  /// The printed latency is that of the window as set: half the sum of window and crossfade, 20 ms,
  /// which is more than the tracker's 13.2.
  @Test func theEngineCanBeSet() throws {
    let shell = try shell()
    let tune = "choir autotune in.wav out.wav --key 'A minor' --set spliceToPeriods=1"
    let answer = try shell.type(tune + " --set windowMs=30 --set crossfadeMs=10 --truth t.json")
    #expect(answer.status == 0)
    #expect(answer.output.contains("latency 20.0 ms"), "\(answer.output)")
    #expect(try shell.type(tune + " --set spliceToPeriods=2").status == 64)
    #expect(try shell.type(tune + " --set sweepToPeriods=2").status == 64)
  }

  /// The output has the stated latency, and its end has the last cycles of a voice that sounds to the
  /// end of its file.
  @Test func theTailIsWritten() throws {
    let shell = try shell()
    let tune = "choir autotune in.wav out.wav --key 'A minor'"
    func tuned(_ more: String) throws -> [Float] {
      #expect(try shell.type(tune + more).status == 0)
      return try AudioFile(reading: shell.path("out.wav")).mono.samples
    }
    // The delay line's mean delay is 17.4 ms and varies by at most 11.6.
    let whole = try tuned("")
    #expect(whole.count >= 48_000 + 835 && whole.count <= 48_000 + 835 + 560, "\(whole.count)")
    let last = whole[47_900..<(48_000 + 278)].map { Double($0 * $0) }.reduce(0, +) / 378
    let voice = Self.voice.samples.suffix(4_800).map { Double($0 * $0) }.reduce(0, +) / 4_800
    #expect(last > 0.5 * voice)
    #expect(try tuned(" --cut-tail --force") == Array(whole.prefix(48_000)))
  }

  /// A pipe returns the samples of a file, for any block size.
  @Test func pipesGiveWhatFilesGive() throws {
    let shell = try shell()
    try HarmonizeTests.bytes(Self.voice.samples).write(
      to: shell.folder.appendingPathComponent("in.f32"))
    let made = try shell.type(
      "choir autotune --stream --block 100 --scale-notes A,B <in.f32 >out.f32")
    #expect(made.status == 0)
    #expect(try shell.type("choir autotune in.wav out.wav --scale-notes A,B").status == 0)
    let piped = HarmonizeTests.samples(try shell.bytes("out.f32"))
    let file = try AudioFile(reading: shell.path("out.wav")).mono.samples
    // Files hold 24 bits or floats.
    #expect(
      piped.count == 48_000 && file.count > 48_000
        && zip(piped, file).allSatisfy { abs($0 - $1) < 1e-6 })
  }
}
