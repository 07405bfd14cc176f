import Analyzer
import DSP
import Foundation
import TestSupport
import Testing

@testable import Corpus
@testable import Probes
@testable import Subjects

/// A subject with known defects: it delays the sound and states any latency.
private struct Defective: Subject {
  let id = "defective"
  let version = "1"
  var delaySamples = 480
  var statedMs: Double? = 10
  var emitsNaN = false

  func validate(_ settings: SubjectSettings, for score: Score) throws {
    guard case .intervals = score.form else {
      throw SubjectError.settings(subject: id, problem: "sings intervals only")
    }
  }

  func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    let late = Int(Double(delaySamples) * signal.sampleRateHz / 48_000)
    var mix = Signal(
      Array(([Float](repeating: 0, count: late) + signal.samples).prefix(signal.count)),
      sampleRateHz: signal.sampleRateHz)
    if emitsNaN, mix.count > 100 { mix.samples[100] = .nan }
    for i in mix.samples.indices where !emitsNaN && !mix.samples[i].isFinite { mix.samples[i] = 0 }
    return Rendering(mix: mix, stems: [mix], reportedLatencyMs: statedMs, cpuSeconds: 0)
  }
}

@Suite struct ProbeTests {
  /// The fewest points that each axis needs.
  private let few: LatencyProbe.Grid = {
    var grid = LatencyProbe.Grid()
    (grid.notesHz, grid.shiftsSemitones) = ([220], [4])
    (grid.blockSizes, grid.sampleRatesHz) = ([256], [16_000])
    return grid
  }()

  @Test func aDelayIsMeasuredAndATrueStatementIsGood() throws {
    let probe = LatencyProbe(of: try ProbeBench(Defective()), grid: few)
    // A pure delay keeps the outline except at its end, where the late note is cut off.
    #expect(probe.rows.allSatisfy { abs(($0.sustainedMs ?? 0) - 10) < 0.2 })
    #expect(probe.rows.allSatisfy { abs(($0.onset?.medianMs ?? 0) - 10) < 0.3 })
    #expect(probe.findings.first { $0.name == "stated" }?.verdict == .good)
    let impulses = try #require(probe.findings.first { $0.name == "impulses" }?.value)
    #expect(abs(impulses - 10) < 1e-6)
  }

  /// A copy as it comes, and one that reads its whole input first, both without a measured delay.
  @Test(arguments: [
    ("dd bs=512 status=none", true), ("x=$(base64 -w0); echo $x | base64 -d", false),
  ])
  func aStreamThatReadsAheadIsNamed(line: String, isLive: Bool) throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.write(
      "id: x\nkind: stream\ncommand: [sh, -c, '\(line)', sh, \"{semitones}\"]", to: "x.yaml")
    let probe = LatencyProbe(of: try ProbeBench(try ExternalSubject(reading: file)), grid: few)
    let lag = try #require(probe.findings.first { $0.name == "lag" })
    #expect(lag.verdict == (isLive ? .good : .poor), "\(lag.words)")
    #expect(lag.value == (isLive ? 0 : 2000))
  }

  /// The block of 256 frames is the grid's; the others have that of the file.
  @Test func blocksAreThoseOfTheSubjectsFile() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.write(
      """
      id: x
      kind: command
      command: [sh, -c, 'cp "$1" "$2"', sh, "{input}", "{output}", "{semitones}", "{block}"]
      settings: {blockSize: 512}
      """, to: "x.yaml")
    let subject = try ExternalSubject(reading: file)
    #expect(
      LatencyProbe(of: try ProbeBench(subject), grid: few).rows.map(\.blockSize)
        == [512, 256, 512])
    let chosen = try ProbeBench(subject, settings: ["blockSize": .number(64)])
    #expect(LatencyProbe(of: chosen, grid: few).rows.map(\.blockSize) == [64, 256, 64])
  }

  @Test func aFalseStatementIsPoor() throws {
    let probe = LatencyProbe(of: try ProbeBench(Defective(statedMs: 6)), grid: few)
    let stated = try #require(probe.findings.first { $0.name == "stated" })
    #expect(stated.verdict == .poor)
    #expect(abs((stated.value ?? 0) - 4) < 0.2)  // 10 ms late, 6 stated
  }

  @Test func aMissingStatementIsUndefined() throws {
    let probe = LatencyProbe(of: try ProbeBench(Defective(statedMs: nil)), grid: few)
    #expect(probe.findings.first { $0.name == "stated" }?.verdict == .undefined)
  }

  @Test func nonFiniteSamplesAreNamed() throws {
    let findings = RobustnessProbe.findings(try ProbeBench(Defective(emitsNaN: true)))
    let noise = try #require(findings.first { $0.name == "noise" })
    #expect(noise.verdict == .poor)
    #expect(noise.words == "returned nan at sample 100")
    let healthy = RobustnessProbe.findings(try ProbeBench(Defective()))
    #expect(healthy.allSatisfy { $0.verdict == .good }, "\(healthy.filter { $0.verdict != .good })")
  }

  /// A voice 40 cents off reads 40 cents, from its stem and from the mix; the others are in tune.
  @Test(arguments: [false, true])
  func aVoiceOutOfTuneIsFound(inTheMix: Bool) throws {
    let wrong = DefectiveSubject(
      source: ReferenceSubject(), defect: .detuned(cents: 40), place: .voice(1), seed: 1)
    let findings = VoicesProbe.findings(try ProbeBench(inTheMix ? MixSubject(wrong) : wrong))
    let pitches = findings.filter { $0.name.hasPrefix("pitch") }
    #expect(pitches.map(\.verdict) == [.good, .poor, .good], "\(pitches)")
    #expect(abs(try #require(pitches[1].value) - 40) < 3)
    #expect(pitches[1].words.contains(inTheMix ? "from the mix" : "from the stem"))
    let missing = findings.filter { $0.name.hasPrefix("missing") }
    #expect(missing.map(\.verdict) == [.good, .good, .good], "\(missing)")
  }

  @Test func aPureDelayIsTransparent() throws {
    let voice = ProbeSounds.noise(seconds: 0.5, sampleRateHz: 48_000)
    let late = Signal(
      [Float](repeating: 0, count: 123) + voice.samples.dropLast(123), sampleRateHz: 48_000)
    let finding = IdentityProbe.finding(late, from: voice, statedMs: 123 / 48.0)
    #expect(finding.verdict == .good)
    #expect(finding.words == "transparent, bit-identical, 123 samples late, as stated")
  }

  /// Noise of a known level is added to the voice; it is the residual.
  @Test(arguments: [-20.0, -40, -80])
  func addedNoiseIsTheResidual(levelDb: Double) throws {
    let voice = ProbeSounds.noise(seconds: 0.5, sampleRateHz: 48_000)
    var random = SeededGenerator(seed: 7)
    let gain = Float(pow(10, levelDb / 20))
    let output = Signal(
      voice.samples.map { $0 + gain * Float(0.5 * (random.uniform() - 0.5)) },
      sampleRateHz: 48_000)
    let finding = IdentityProbe.finding(output, from: voice, statedMs: nil)
    // The level of 24,000 samples is known within 0.1 dB; at -20 dB the sum is 0.04 dB louder.
    #expect(abs((finding.value ?? 0) - levelDb) < 0.2)
    #expect(finding.verdict == (levelDb < -60 ? .good : .poor))
  }

  /// The live sound, which is timed, equals the rendering.
  @Test func aLiveSoundIsTheRendering() throws {
    let subject = ThroughEffects(ReferenceSubject())
    let bench = try ProbeBench(subject, settings: ["effects": .text("tremolo")])
    let sound = ProbeSounds.steady(hz: 220, seconds: 0.2, sampleRateHz: 48_000)
    let score = bench.score(noteHz: 220, semitones: 4)
    let rendered = try bench.render(sound, score).mix
    let live = try subject.start(score, settings: bench.settings, sampleRateHz: 48_000)
    for _ in 0..<2 {
      var output: [Float] = []
      for start in stride(from: 0, to: sound.count - 127, by: 128) {
        var block = [Float](repeating: 0, count: 128)
        var target = block.mutableSpan
        live.process(sound.samples.span.extracting(start..<start + 128), into: &target)
        output += block
      }
      let isSame = output == Array(rendered.samples.prefix(output.count))
      #expect(isSame)  // a Bool, so that a failure doesn't print every sample
      live.reset()  // the second round starts afresh
    }
  }
}
