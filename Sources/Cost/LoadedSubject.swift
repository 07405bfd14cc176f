import Corpus
import DSP
import Subjects

/// A live subject with a known additional cost and the same sound, to test cost trials with.
public struct LoadedSubject: LiveSubject {
  private let source: any LiveSubject
  /// The additional cost as a share of the source's: 0.1 is 10 %.
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

  /// Renders with the source, and measures the time of a loaded pass.
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
  /// Frames of a block: the setting `blockSize`, or 128.
  package var blockSize: Int { self["blockSize"]?.number.flatMap { Int(exactly: $0) } ?? 128 }
}
