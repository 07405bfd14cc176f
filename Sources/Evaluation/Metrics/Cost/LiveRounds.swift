import Corpus
import DSP
import Platform
import Subjects

/// Rounds of a live subject that processes one phrase in blocks, in this process.
public final class LiveRounds: CostRounds {
  private let subject: any LiveSubject
  private let settings: SubjectSettings
  private let score: ResolvedScore
  private let phrase: Signal
  private var sound: any LiveSound

  /// Duration of the phrase of a synthetic voice.
  static let phraseSeconds = 0.5

  /// Creates rounds of the bench's subject, settings and default score.
  public convenience init(of bench: ProbeBench) throws {
    guard let live = bench.live else {
      throw Refusal(
        bench.subject.id,
        "runs in a process of its own and has no blocks to time; choose a live subject")
    }
    try self.init(
      live, singing: bench.defaultScore, of: ProbeSounds.phrase(seconds: Self.phraseSeconds),
      settings: bench.settings)
  }

  /// Creates rounds.
  ///
  /// - Parameter phrase: the sound, at least one block long.
  public init(
    _ subject: any LiveSubject, singing score: ResolvedScore, of phrase: Signal,
    settings: SubjectSettings
  ) throws {
    (self.subject, self.settings, self.score, self.phrase) = (subject, settings, score, phrase)
    sound = try subject.start(score, settings: settings, sampleRateHz: phrase.sampleRateHz)
  }

  public func renew() throws {
    sound = try subject.start(score, settings: settings, sampleRateHz: phrase.sampleRateHz)
  }

  public func seconds(times: Int) -> Double {
    let (samples, size) = (phrase.samples, settings.blockSize)
    var output = [Float](repeating: 0, count: size)
    let before = ThreadClock.seconds
    var elsewhere: Double?
    for _ in 0..<times {
      sound.reset()
      for start in stride(from: 0, through: samples.count - size, by: size) {
        var target = output.mutableSpan
        sound.process(samples.span.extracting(start..<start + size), into: &target)
        if let work = sound.workElsewhere { elsewhere = (elsewhere ?? 0) + work.cpuSeconds }
      }
    }
    return elsewhere ?? ThreadClock.seconds - before
  }
}
