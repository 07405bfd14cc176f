import Corpus
import DSP
import Subjects

/// A live subject with a known additional cost and the same sound, to test cost trials with.
public struct LoadedSubject: LiveSubject, SubjectWrapper {
  private let plain: any LiveSubject
  /// The additional cost as a share of the source's: 0.1 is 10 %.
  public let share: Double

  public init(_ source: any LiveSubject, share: Double) {
    precondition(share >= 0, "nothing costs less by doing more")
    (plain, self.share) = (source, share)
  }

  package var source: any Subject { plain }
  public var version: String { "\(source.version)+\(share)" }

  public func start(
    _ score: ResolvedScore, settings: SubjectSettings, sampleRateHz: Double
  ) throws -> any LiveSound {
    func one() throws -> any LiveSound {
      try plain.start(score, settings: settings, sampleRateHz: sampleRateHz)
    }
    return LoadedSound(
      try one(), twin: try one(), share: share,
      mostSamples: max(settings.blockSize, Int(sampleRateHz)))
  }

  /// Renders with the source, and measures the time of a loaded pass.
  public func render(_ request: RenderRequest) throws -> Rendering {
    var rendering = try source.render(request)
    let (signal, blockSize) = (request.signal, request.settings.blockSize)
    let sound = try start(
      request.score, settings: request.settings, sampleRateHz: signal.sampleRateHz)
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
