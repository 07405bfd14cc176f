import Corpus
import DSP
import Metrics
import Platform
import Subjects

/// A live subject with a known additional cost and the same sound, to test cost trials with.
struct LoadedSubject: LiveSubject, SubjectWrapper {
  private let plain: any LiveSubject
  /// The additional cost as a share of the source's: 0.1 is 10 %.
  let share: Double

  init(_ source: any LiveSubject, share: Double) {
    precondition(share >= 0, "nothing costs less by doing more")
    (plain, self.share) = (source, share)
  }

  var source: any Subject { plain }
  var version: String { "\(source.version)+\(share)" }

  func start(
    _ score: ResolvedScore, settings: SubjectSettings, sampleRateHz: Double
  ) throws -> any LiveSound {
    func one() throws -> any LiveSound {
      try plain.start(score, settings: settings, sampleRateHz: sampleRateHz)
    }
    return LoadedSound(
      try one(), twin: try one(), share: share,
      maxSamples: max(settings.blockSize, Int(sampleRateHz)))
  }

  /// Renders with the source, and measures the time of a loaded pass.
  func render(_ request: RenderRequest) throws -> Rendering {
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
