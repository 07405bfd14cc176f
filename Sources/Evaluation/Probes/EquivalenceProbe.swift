import Corpus
import DSP
import Foundation
import Platform
import Subjects

/// Tests that what differs between hosts, and leaves a file as it is, leaves the sound as it is: the lengths
/// of blocks, a reset, a second instance, a control turned there and back.
///
/// A subject that is random differs from itself; then each difference is held against that.
struct EquivalenceProbe {
  private let live: any LiveSubject
  let score: ResolvedScore
  private let settings: SubjectSettings
  let voice: Signal
  /// The sound to which all others are compared, in blocks of `usualLength`.
  private let expected: [Float]
  /// Level of the difference between two equal runs; `nil` if there is none.
  private let ownDb: Double?

  var isDeterministic: Bool { ownDb == nil }

  private static let usualLength = 128
  /// The lengths that hosts choose: small, no power of two, large, and one after the other.
  private static let lengths = [[32], [441], [1024], [1, 7, 64, 480, 33, 512]]
  /// A difference of twice the amplitude that two equal runs of a random subject have is not chance.
  static let slackDb = 6.0
  static let rateHz = 48_000.0

  /// Returns the findings of all tests.
  ///
  /// - Cost: that of processing about 25 s of sound.
  static func findings(_ bench: ProbeBench) -> [ProbeFinding] {
    guard bench.live != nil else {
      return [
        .undefined(
          .equivalence, "blocks", "runs in a process of its own: its blocks can't be chosen")
      ]
    }
    do {
      let probe = try EquivalenceProbe(bench)
      let reset = try probe.reset()
      return try [
        probe.repeated, probe.blocks(), probe.offline(bench), reset, probe.instances(),
      ]
        + probe.turned(bench)
        + PluginEquivalence.findings(bench, probe, isFreshAfterReset: reset.verdict == .good)
    } catch { return [.undefined(.equivalence, "blocks", error)] }
  }

  /// Compares two subjects that are to be the same, such as a plugin in two formats: their sounds and the delays
  /// that they state.
  static func findings(_ bench: ProbeBench, against other: ProbeBench) -> [ProbeFinding] {
    func rendered(_ sound: Signal, by bench: ProbeBench) throws -> Rendering {
      try bench.render(sound, bench.followingScore(noteHz: 220, semitones: 4))
    }
    do {
      let sounds = try [
        ("voice", ProbeSounds.phrase(seconds: 2, sampleRateHz: rateHz)),
        ("noise", ProbeSounds.noise(seconds: 2, sampleRateHz: rateHz)),
      ]
      return try sounds.map { name, sound in
        let (one, twin) = try (rendered(sound, by: bench), rendered(sound, by: other))
        let own = differenceDb(try rendered(sound, by: bench).mix.samples, one.mix.samples)?.db
        guard one.mix.rms > 0 else {
          return .undefined(.equivalence, name, "\(bench.subject.id) is silent")
        }
        guard let found = differenceDb(one.mix.samples, twin.mix.samples) else {
          return ProbeFinding(
            .equivalence, name, .good, "the same sound as \(other.subject.id), to the bit")
        }
        if let own, found.db <= own + slackDb {
          return ProbeFinding(
            .equivalence, name, found.db, "dB", .good,
            "the sound of \(other.subject.id), within the difference of two equal runs")
        }
        return ProbeFinding(
          .equivalence, name, found.db, "dB", .poor,
          "another sound than \(other.subject.id), from \(fixed(found.atSeconds, 3)) s on: a "
            + "difference of \(fixed(found.db)) dB of the sound")
      } + [statedDelay(rendered(sounds[0].1, by: bench), rendered(sounds[0].1, by: other))]
    } catch { return [.undefined(.equivalence, "voice", error)] }
  }

  private static func statedDelay(_ one: Rendering, _ twin: Rendering) -> ProbeFinding {
    let (ms, other) = (one.reportedLatencyMs, twin.reportedLatencyMs)
    func text(_ ms: Double?) -> String { ms.map { "\(fixed($0, 2)) ms" } ?? "none" }
    return ProbeFinding(
      .equivalence, "stated", ms, "ms", ms == other ? .good : .poor,
      ms == other ? "states the same delay" : "states \(text(ms)), the other \(text(other))")
  }

  init(_ bench: ProbeBench) throws {
    live = bench.live!
    score = bench.followingScore(noteHz: 220, semitones: 4)
    settings = bench.settings
    voice = try ProbeSounds.phrase(seconds: 2, sampleRateHz: Self.rateHz)
    expected = try Self.played(voice, through: Self.started(live, score, settings))
    let again = try Self.played(voice, through: Self.started(live, score, settings))
    ownDb = Self.differenceDb(again, expected)?.db
  }

  // MARK: Tests

  /// Tells a subject that is random.
  private var repeated: ProbeFinding {
    ownDb.map {
      ProbeFinding(
        .equivalence, "repeat", $0, "dB", .measured,
        "random: two equal runs differ by \(fixed($0)) dB of the sound")
    }
      ?? ProbeFinding(
        .equivalence, "repeat", .good, "two equal runs give the same sound, to the bit")
  }

  private func blocks() throws -> ProbeFinding {
    if try (live as? PluginSubject)?.description.needsFullBlocks == true {
      return .undefined(.equivalence, "blocks", "it requires blocks of one length")
    }
    var worst: (difference: Difference, words: String)?
    for lengths in Self.lengths {
      // The host of a plugin divides what is longer than its setting.
      let isLong = lengths.contains { $0 > Self.usualLength }
      let sound = try Self.played(
        voice, through: started(isLong ? ["blockSize": .number(1024)] : [:]), lengths: lengths)
      let text = lengths.count > 1 ? "of changing lengths" : "of \(lengths[0]) frames"
      if let problem = problem(sound), problem.db > worst?.difference.db ?? -.infinity {
        worst = (problem, "another sound in blocks \(text)")
      }
    }
    if let worst { return finding("blocks", worst.difference, worst.words) }
    return good(
      "blocks", "the same sound in blocks of 32, 441 and 1024 frames and of changing lengths")
  }

  /// Compares the rendering of a whole file.
  private func offline(_ bench: ProbeBench) throws -> ProbeFinding {
    let whole = try bench.render(voice, score).mix.samples
    guard let problem = problem(Array(whole.prefix(expected.count))) else {
      return good("offline", "a rendering is the live sound")
    }
    return finding("offline", problem, "a rendering differs from the live sound")
  }

  private func reset() throws -> ProbeFinding {
    let sound = try started()
    _ = try Self.played(voice, through: sound)
    sound.reset()
    guard let problem = problem(try Self.played(voice, through: sound)) else {
      return good("reset", "a reset leaves nothing of the past")
    }
    return finding("reset", problem, "a reset leaves something of the past")
  }

  /// Plays a second instance beside, with another sound.
  private func instances() throws -> ProbeFinding {
    let (one, other) = (try started(), try started())
    let noise = ProbeSounds.noise(seconds: 2, sampleRateHz: Self.rateHz).samples
    let output = try one.played(voice.samples) { start in
      let block = Self.usualLength
      _ = try? other.played(Array(noise.dropFirst(start).prefix(block)))
      return block
    }
    if let failure = other.failure { throw failure }
    guard let problem = problem(output) else {
      return good("instances", "a second instance beside it changes nothing")
    }
    return finding("instances", problem, "a second instance beside it changes its sound")
  }

  /// Turns the pitch of a plugin up and back in the first half second; the last second is to be untouched.
  private func turned(_ bench: ProbeBench) throws -> [ProbeFinding] {
    guard bench.takesIntervals, bench.subject is PluginSubject else { return [] }
    let scores = [4.0, 7].map { bench.score(noteHz: 220, semitones: $0) }
    let plain = try bench.render(voice, scores[0]).mix.samples
    let turned = try bench.render(
      voice, scores[0],
      turningTo: [(atSeconds: 0.2, score: scores[1]), (atSeconds: 0.5, score: scores[0])]
    ).mix.samples
    let second = Int(Self.rateHz)
    guard let problem = problem(Array(turned.suffix(second)), besides: Array(plain.suffix(second)))
    else {
      return [
        good("turned", "0.5 s after the pitch was turned up and back, the sound is untouched")
      ]
    }
    // A shifter may go on from another phase, which nobody hears: it is no fault, but it is no equality.
    return [
      ProbeFinding(
        .equivalence, "turned", problem.db, "dB", .measured,
        "0.5 s after the pitch was turned up and back, the waveform is another, by "
          + "\(fixed(problem.db)) dB of the sound")
    ]
  }

  // MARK: Sound

  private func started(_ others: SubjectSettings = [:]) throws -> any LiveSound {
    try Self.started(live, score, settings.merging(others) { $1 })
  }

  private static func started(
    _ live: any LiveSubject, _ score: ResolvedScore, _ settings: SubjectSettings
  ) throws -> any LiveSound {
    try live.start(score, settings: settings, sampleRateHz: rateHz)
  }

  /// Returns the answer of a sound to the voice.
  func played(through sound: any LiveSound) throws -> [Float] {
    try Self.played(voice, through: sound)
  }

  static func played(
    _ voice: Signal, through sound: any LiveSound, lengths: [Int] = [usualLength]
  ) throws -> [Float] {
    var block = 0
    return try sound.played(voice.samples) { _ in
      block += 1
      return lengths[(block - 1) % lengths.count]
    }
  }

  // MARK: Differences

  struct Difference {
    /// Level of the difference relative to the sound.
    var db: Double
    var atSeconds: Double
  }

  /// Returns the difference from the expected sound, if it is more than two equal runs have.
  func problem(_ sound: [Float], besides other: [Float]? = nil) -> Difference? {
    guard let found = Self.differenceDb(sound, other ?? expected) else { return nil }
    if let ownDb, found.db <= ownDb + Self.slackDb { return nil }
    return found
  }

  /// Returns how far two sounds differ; `nil` if they are the same to the bit.
  static func differenceDb(
    _ a: some Collection<Float>, _ b: some Collection<Float>
  ) -> Difference? {
    guard let first = firstDifference(a, b) else { return nil }
    let (error, power) = zip(a, b).reduce(into: (0.0, 0.0)) {
      let distance = Double($1.0) - Double($1.1)
      $0 = ($0.0 + distance * distance, $0.1 + Double($1.1) * Double($1.1))
    }
    let db = 10 * log10(max(error, 1e-30) / max(power, 1e-30))
    // A sample that is no number is as far away as can be.
    return Difference(db: db.isNaN ? .infinity : db, atSeconds: Double(first) / rateHz)
  }

  /// Returns the first sample at which two sounds differ; 0 and -0 are the same.
  static func firstDifference(_ a: some Collection<Float>, _ b: some Collection<Float>) -> Int? {
    zip(a, b).enumerated().first { $1.0.bitPattern != $1.1.bitPattern && $1.0 != $1.1 }?.offset
  }

  func good(_ name: String, _ words: String) -> ProbeFinding {
    ProbeFinding(
      .equivalence, name, .good, words + (ownDb == nil ? ", to the bit" : ", within its own noise"))
  }

  func finding(_ name: String, _ difference: Difference, _ words: String) -> ProbeFinding {
    let isRounding = difference.db <= Self.roundingDb
    return ProbeFinding(
      .equivalence, name, difference.db, "dB", isRounding ? .measured : .poor,
      "\(words), from \(fixed(difference.atSeconds, 3)) s on: a difference of "
        + "\(fixed(difference.db)) dB of the sound" + (isRounding ? ", as by rounding" : ""))
  }

  /// A float rounds to half of 2⁻²³, -150 dB; a sum in another order, as a vector and its rest, to 30 dB more.
  private static let roundingDb = -120.0
}
