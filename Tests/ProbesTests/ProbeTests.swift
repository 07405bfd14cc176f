import Analyzer
import DSP
import Foundation
import Platform
import TestSupport
import Testing

@testable import Corpus
@testable import Probes
@testable import Subjects

/// The reference with its second voice 40 cents sharp.
private struct Detuned: Subject {
  let id = "detuned"
  let version = "1"
  private let source = ReferenceSubject()

  func validate(_ settings: SubjectSettings, for score: Score) throws {
    try source.validate(settings, for: score)
  }

  func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    guard case .intervals(var intervals) = score.score.form else {
      return try source.render(signal, score: score, settings: settings)
    }
    intervals[1] += 0.4
    return try source.render(
      signal,
      score: ResolvedScore(Score(id: "detuned", intervalsSemitones: intervals), lead: score.lead),
      settings: settings)
  }
}

/// A subject with known defects: it delays the sound and states any latency.
private struct Defective: Subject {
  let id = "defective"
  let version = "1"
  var delaySamples = 480
  var statedMs: Double? = 10
  var emitsNaN = false
  var failsAfterSilence = false

  func validate(_ settings: SubjectSettings, for score: Score) throws {
    guard case .intervals = score.form else {
      throw Refusal(id, "sings intervals only")
    }
  }

  func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    let late = Int(Double(delaySamples) * signal.sampleRateHz / 48_000)
    var mix = signal.late(samples: late)
    for i in mix.samples.indices where !emitsNaN && !mix.samples[i].isFinite { mix.samples[i] = 0 }
    if emitsNaN, mix.count > 100 { mix.samples[100] = .nan }
    if failsAfterSilence, let start = Self.startAfterSilence(signal.samples) {
      mix.samples[start] = .nan
    }
    return Rendering(mix: mix, stems: [mix], reportedLatencyMs: statedMs, cpuSeconds: 0)
  }

  /// The first sound after 0.2 s of silence at 48 kHz that other sound comes before.
  private static func startAfterSilence(_ samples: [Float]) -> Int? {
    guard let first = samples.firstIndex(where: { $0 != 0 }) else { return nil }
    var silent = 0
    for n in first..<samples.count {
      if samples[n] != 0, silent >= 9_600 { return n }
      silent = samples[n] == 0 ? silent + 1 : 0
    }
    return nil
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
    #expect(probe.findings.first { $0.name == LatencyProbe.statement }?.verdict == .good)
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
    let stated = try #require(probe.findings.first { $0.name == LatencyProbe.statement })
    #expect(stated.verdict == .poor)
    #expect(abs((stated.value ?? 0) - 4) < 0.2)  // 10 ms late, 6 stated
  }

  @Test func aMissingStatementIsUndefined() throws {
    let probe = LatencyProbe(of: try ProbeBench(Defective(statedMs: nil)), grid: few)
    #expect(probe.findings.first { $0.name == LatencyProbe.statement }?.verdict == .undefined)
  }

  private func robustness(_ subject: any Subject) throws -> [ProbeFinding] {
    try SubjectProbe(of: ProbeBench(subject), aspects: [.robustness]).findings
  }

  @Test func nonFiniteSamplesAreNamed() throws {
    let findings = try robustness(Defective(emitsNaN: true))
    let noise = try #require(findings.first { $0.name == "noise" })
    #expect(noise.verdict == .poor)
    #expect(noise.words == "returned nan at sample 100")
    let later = try robustness(Defective(failsAfterSilence: true)).filter { $0.verdict == .poor }
    #expect(later.map(\.name) == ["silence, then voice"])
    #expect(later.first?.words.hasPrefix("returned nan at sample 72") == true, "\(later)")
    let healthy = try robustness(Defective())
    #expect(healthy.allSatisfy { $0.verdict == .good }, "\(healthy.filter { $0.verdict != .good })")
  }

  /// A voice 40 cents off reads 40 cents, from its stem and from the mix; the others are in tune.
  @Test(arguments: [false, true])
  func aVoiceOutOfTuneIsFound(inTheMix: Bool) throws {
    let wrong = Detuned()
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
    let finding = IdentityProbe.finding(voice.late(samples: 123), from: voice, statedMs: 123 / 48.0)
    #expect(finding.verdict == .good)
    #expect(finding.words == "transparent, bit-identical, 123 samples late, as stated")
  }

  /// Harmonics of a note that glides from 220 Hz, up to 9 kHz, computed at the instants of a delay of any size.
  private func tones(lateSamples: Double, gain: Double = 1) -> Signal {
    let samples = (0..<24_000).map { n -> Float in
      let seconds = (Double(n) - lateSamples) / 48_000
      let fade = min(1, max(0, seconds / 0.05)) * min(1, max(0, (0.45 - seconds) / 0.05))
      var sum = 0.0
      for harmonic in 1...36 {
        let number = Double(harmonic)
        let turns = number * (220 + 30 * seconds) * seconds
        sum += 0.1 / number * cos(2 * Double.pi * turns + number * number)
      }
      return Float(gain * fade * sum)
    }
    return Signal(samples, sampleRateHz: 48_000)
  }

  /// A linear-phase filter of even length is late by half a sample.
  @Test(arguments: [(0.5, 1.0), (10.5, 0.99), (-3.25, 1), (240.71, 1)])
  func aFractionalDelayIsTransparent(lateSamples: Double, gain: Double) throws {
    let finding = IdentityProbe.finding(
      tones(lateSamples: lateSamples, gain: gain), from: tones(lateSamples: 0),
      statedMs: lateSamples / 48)
    #expect(finding.verdict == .good, "\(finding.words)")
    #expect(finding.words.hasSuffix(", as stated"))
    // The fades are no band-limited sound; a 64-tap sinc leaves less than -70 dB of the rest.
    #expect(try #require(finding.value) < -70)
  }

  /// A filter that turns the phase of what it passes is no delay.
  @Test func aPhaseThatTurnsIsNotTransparent() throws {
    let voice = tones(lateSamples: 0)
    var (x, y) = (Float(0), Float(0))
    // An all-pass of the first order at 2 kHz.
    let tangent = tan(Double.pi * 2000 / 48_000)
    let c = Float((tangent - 1) / (tangent + 1))
    let turned = voice.samples.map { sample -> Float in
      y = c * sample + x - c * y
      x = sample
      return y
    }
    let finding = IdentityProbe.finding(
      Signal(turned, sampleRateHz: 48_000), from: voice, statedMs: nil)
    #expect(finding.verdict == .poor)
    #expect(try #require(finding.value) > -60)
  }

  @Test func aSampleThatIsNoNumberIsNamed() throws {
    var bad = tones(lateSamples: 0)
    bad.samples[100] = .nan
    let finding = IdentityProbe.finding(bad, from: tones(lateSamples: 0), statedMs: nil)
    #expect(finding.verdict == .poor)
    #expect(finding.words == "not transparent: returned nan at sample 100")
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
