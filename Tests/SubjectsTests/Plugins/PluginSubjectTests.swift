import AudioFile
import Corpus
import DSP
import EvaluationSupport
import Foundation
import Music
import Platform
import Testing

@testable import Subjects

/// Plugins as subjects: their sound, latency, events and work, rendered and live.
@Suite(.enabled(if: ToyPlugin.compiler != nil, "no C compiler: apt-get install gcc"))
struct PluginSubjectTests {
  private let toy = ToyPlugin()

  /// The toy delays by 64 samples, in blocks of any size.
  @Test(arguments: [1.0, 100, 128, 4096])
  func soundIsLateByTheStatedLatency(blockSize: Double) throws {
    let rendering = try toy.ladspa().render(
      ToyPlugin.noise, score: ToyPlugin.score([0]), settings: ["blockSize": .number(blockSize)])
    #expect(rendering.mix.samples == ToyPlugin.delayed(by: 64))
    #expect(rendering.reportedLatencyMs == 64.0 / 48)
    #expect((rendering.cpuSeconds ?? 0) > 0)
  }

  /// The toy gains 6 dB an octave; powers of two are exact.
  @Test func eachVoiceIsAnInstanceOfItsOwn() throws {
    let rendering = try toy.ladspa().render(
      ToyPlugin.noise, score: ToyPlugin.score([12, -12]), settings: [:])
    #expect(
      rendering.stems.map(\.samples) == [
        ToyPlugin.delayed(by: 64, gain: 2), ToyPlugin.delayed(by: 64, gain: 0.5),
      ])
  }

  /// Returns the answer of a live sound to noise, in blocks of a number of frames.
  private func played(by sound: any LiveSound, frames: Int) -> [Float] {
    let input = ToyPlugin.noise.samples
    var output = [Float](repeating: 0, count: input.count)
    var target = output.mutableSpan
    for start in stride(from: 0, to: input.count, by: frames) {
      var part = target._mutatingExtracting(start..<start + frames)
      sound.process(input.span.extracting(start..<start + frames), into: &part)
    }
    return output
  }

  /// Live, the sum of both voices comes out, and again after a reset.
  @Test func liveSoundEqualsTheRendering() throws {
    let subject = try #require(try toy.ladspa().judged as? any LiveSubject)
    let sound = try subject.start(ToyPlugin.score([12, -12]), settings: [:], sampleRateHz: 48_000)
    #expect(try #require(sound.workElsewhere).cpuSeconds > 0)
    for _ in 0..<2 {
      #expect(played(by: sound, frames: 100) == ToyPlugin.delayed(by: 64, gain: 2.5))
      #expect(sound.latencySamples == 64)
      sound.reset()
    }
    #expect(sound.failure == nil)
  }

  /// A note changes the output at its frame, in the middle of a block. The worker's answer to a block
  /// reaches the plugin before the next one: its second output counts the blocks that are done.
  @Test(arguments: [1, 2])
  func featuresEventsAndWorkReachAnLV2Plugin(channel: Int) throws {
    let subject = try toy.lv2(
      "lv2.c",
      ports: [
        ToyPlugin.input, ToyPlugin.output,
        "a lv2:AudioPort, lv2:OutputPort ; lv2:symbol \"count\"",
        "a atom:AtomPort, lv2:InputPort ; lv2:symbol \"midi\" ; atom:bufferType atom:Sequence ; "
          + "atom:supports <http://lv2plug.in/ns/ext/midi#MidiEvent>",
        ToyPlugin.gain,
      ],
      required: [
        "http://lv2plug.in/ns/ext/urid#map", "http://lv2plug.in/ns/ext/options#options",
        "http://lv2plug.in/ns/ext/worker#schedule",
        "http://lv2plug.in/ns/ext/buf-size#boundedBlockLength",
      ], "channels: \(channel)\nports: {midi: \"{midi}\", gain: 0.25}")
    let note = Score(id: "test", .notes([NoteAction(atSeconds: 0.105, press: [NoteNumber(60)])]))
    let output = try subject.render(
      ToyPlugin.noise, score: ToyPlugin.resolved(note), settings: [:]
    ).mix.samples
    // 0.105 s are 5040 samples: sample 48 of its block. A press without velocity has 100.
    let expected: [Float] = ToyPlugin.noise.samples.indices.map { i in
      channel == 1
        ? (i < 5040 ? 0 : 100) + 0.25 * ToyPlugin.noise.samples[i] : Float(i / 128)
    }
    #expect(output == expected)
  }

  /// The toy gives the number of frames in each block. The noise lasts 187 blocks and a half.
  @Test(arguments: [nil, "fixedBlockLength", "powerOf2BlockLength"])
  func aPluginThatListsBlocksOfOneLengthGetsThem(feature: String?) throws {
    let subject = try toy.lv2(
      "block-lv2.c", ports: [ToyPlugin.input, ToyPlugin.output],
      optional: feature.map { ["http://lv2plug.in/ns/ext/buf-size#\($0)"] } ?? [], "")
    let output = try subject.render(ToyPlugin.noise, score: ToyPlugin.score([]), settings: [:]).mix
    #expect(output.samples.prefix(187 * 128).allSatisfy { $0 == 128 })
    #expect(output.samples.suffix(64).allSatisfy { $0 == (feature == nil ? 64 : 128) })
  }

  private static let lv2apply = ProgramFile.path(
    of: "lv2apply", in: FileManager.default.temporaryDirectory, ChildEnvironment.passedOn)

  /// lv2apply runs one frame at a time.
  @Test(.enabled(if: lv2apply != nil, "lv2apply is not installed: apt-get install lilv-utils"))
  func outputEqualsThatOfLV2apply() throws {
    let subject = try toy.lv2(
      "plain-lv2.c", ports: [ToyPlugin.input, ToyPlugin.output, ToyPlugin.gain],
      "ports: {gain: 0.7}")
    let ours = try subject.render(
      ToyPlugin.noise, score: ToyPlugin.score([]), settings: ["blockSize": .number(1)])
    let (input, output) = (toy.scratch.path("in.wav"), toy.scratch.path("out.wav"))
    _ = try AudioFile(ToyPlugin.noise).write(to: input, encoding: .wav(.float32))
    _ = try ChildProcess(
      arguments: [Self.lv2apply!, "-i", input, "-o", output, "-c", "gain", "0.7", "urn:toy"],
      folder: toy.scratch.url, environment: ["LV2_PATH": toy.scratch.url.path]
    ).run()
    #expect(try AudioFile(reading: output).mono.samples == ours.mix.samples)
  }

  @Test func aLibraryIsASubject() throws {
    let rendering = try toy.library("{gain: \"{ratio}\"}").render(
      ToyPlugin.noise, score: ToyPlugin.score([12]), settings: [:])
    #expect(rendering.mix.samples == ToyPlugin.delayed(by: 0, gain: 2))
    #expect(rendering.reportedLatencyMs == 7.0 / 48)
  }

  /// Controls turn at the first block that begins at their time or later: 0.101 s are 4848 samples, the
  /// block begins at 4864; and back, at 9600 of 0.2 s.
  private static let turned = 4864..<9600

  private func isTurned(
    _ subject: ExternalSubject, singing intervals: [Double] = [], late: Int = 0, by gain: Float
  ) throws -> Bool {
    let (plain, loud) = (ToyPlugin.delayed(by: late), ToyPlugin.delayed(by: late, gain: gain))
    let expected = plain.indices.map { Self.turned.contains($0) ? loud[$0] : plain[$0] }
    let score = ToyPlugin.score(intervals)
    return try subject.render(ToyPlugin.noise, score: score, settings: [:]).mix.samples == expected
  }

  @Test func controlsTurnWhileSoundRuns() throws {
    func automation(_ control: String, _ values: [String]) -> String {
      "automation: {\(control): {0.2: \(values[0]), 0.101: \(values[1])}}"
    }
    #expect(
      try isTurned(
        try toy.ladspa("NONE", automation("semitones", ["0", "12"])), singing: [0], late: 64, by: 2)
    )
    #expect(
      try isTurned(try toy.library("{gain: 1}", automation("gain", ["1", "0.5"])), by: 0.5))
    let lv2 = try toy.lv2(
      "plain-lv2.c", ports: [ToyPlugin.input, ToyPlugin.output, ToyPlugin.gain],
      "ports: {gain: 1}\n" + automation("gain", ["1", "0.25"]))
    // That toy is a one-pole filter.
    var state: Float = 0
    let expected = ToyPlugin.noise.samples.enumerated().map { place, sample in
      state = 0.9 * state + (Self.turned.contains(place) ? 0.25 : 1) * sample
      return state
    }
    let output = try lv2.render(ToyPlugin.noise, score: ToyPlugin.score([]), settings: [:]).mix
    #expect(output.samples == expected)
  }

  /// After a reset the controls begin anew.
  @Test func aResetTurnsControlsBack() throws {
    let toy = try toy.ladspa("NONE", "automation: {semitones: {0.1: 12}}")
    let subject = try #require(toy.judged as? any LiveSubject)
    let sound = try subject.start(ToyPlugin.score([0]), settings: [:], sampleRateHz: 48_000)
    let (plain, loud) = (ToyPlugin.delayed(by: 64), ToyPlugin.delayed(by: 64, gain: 2))
    for _ in 0..<2 {
      #expect(
        played(by: sound, frames: 120) == plain.indices.map { $0 < 4800 ? plain[$0] : loud[$0] })
      sound.reset()
    }
  }

  @Test func automationOfAnUnknownControlIsRefused() throws {
    let subject = try toy.ladspa("NONE", "automation: {pitch: {1: 0}}")
    #expect(subject.absence.contains("has no control 'pitch'; it has semitones (-12 to 12)"))
    let outside = try toy.ladspa("NONE", "automation: {semitones: {1: 13}}")
    #expect {
      _ = try outside.render(ToyPlugin.noise, score: ToyPlugin.score([0]), settings: [:])
    } throws: { "\($0)".contains("port 'semitones' is 13.0, but takes -12 to 12") }
  }

  /// A rebuilt plugin is another version.
  @Test func versionFollowsTheLibrary() throws {
    let version = try toy.ladspa().version
    #expect(try toy.ladspa().version == version)
    #expect(try toy.ladspa("NAN").version != version)
  }
}
