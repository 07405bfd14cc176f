import Corpus
import DSP
import Subjects

/// A live subject that costs a known share more than another and sounds the same: what a trial of
/// costs is tried on.
public struct LoadedSubject: LiveSubject {
  private let source: any LiveSubject
  /// Of the other's cost, that comes on top: 0.1 is 10 %.
  public let share: Double

  public init(_ source: any LiveSubject, share: Double) {
    precondition(share >= 0, "nothing costs less by doing more")
    (self.source, self.share) = (source, share)
  }

  public var id: String { source.id }
  public var version: String { "\(source.version)+\(share)" }

  public func validate(_ settings: SubjectSettings, for score: Score) throws {
    try source.validate(settings, for: score)
  }

  public func settingNames(beside settings: SubjectSettings) -> [String]? {
    source.settingNames(beside: settings)
  }

  public func start(
    _ score: ResolvedScore, settings: SubjectSettings, sampleRateHz: Double
  ) throws -> any LiveSound {
    func one() throws -> any LiveSound {
      try source.start(score, settings: settings, sampleRateHz: sampleRateHz)
    }
    return LoadedSound(
      try one(), twin: try one(), share: share,
      mostSamples: max(settings.blockSize, Int(sampleRateHz)))
  }

  /// What the other gives; the time is of a pass of its own.
  public func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    var rendering = try source.render(signal, score: score, settings: settings)
    let sound = try start(score, settings: settings, sampleRateHz: signal.sampleRateHz)
    let blockSize = settings.blockSize
    var output = [Float](repeating: 0, count: signal.count)
    let before = ThreadClock.seconds
    var target = output.mutableSpan
    for start in stride(from: 0, to: signal.count, by: blockSize) {
      let range = start..<min(start + blockSize, signal.count)
      var part = target._mutatingExtracting(range)
      sound.process(signal.samples.span.extracting(range), into: &part)
    }
    rendering.cpuSeconds = ThreadClock.seconds - before
    return rendering
  }
}

extension SubjectSettings {
  /// Frames that a subject is given at a time.
  package var blockSize: Int { self["blockSize"]?.number.flatMap { Int(exactly: $0) } ?? 128 }
}
