import Corpus
import DSP
import Metrics
import Subjects

/// A subject whose runs differ without getting worse: its voices drift in pitch and time as people
/// do, and it adds noise at -80 dBFS. Each run has its own seed.
struct NondeterministicSubject: SubjectWrapper {
  let source: any Subject
  let seed: UInt64

  /// Drift of the voices in pitch and time.
  private static let humanized: SubjectSettings = [
    "humanizeCents": .number(5), "humanizeMs": .number(5),
  ]
  private static let noise = 0.000_1

  /// Settings that differ between its runs.
  static let restlessSettings = ["seed"]
  /// Metrics that the variation between runs can change.
  static let measured = MetricChoice([
    "pitch", "voices", "latency", "timbre.tilt_change", "level.change", "clicks.count",
    "dropouts.count", "dc.offset", "clipping.share",
  ])

  var version: String { "\(source.version)+nondeterministic \(seed)" }

  func render(_ request: RenderRequest) throws -> Rendering {
    var humanized = request
    humanized.settings.merge(Self.humanized) { $1 }
    humanized.settings["seed"] = .number(Double(seed >> 16))
    var rendering = try source.render(humanized)
    var random = SeededGenerator(seed: seed)
    for voice in rendering.stems.indices {
      for i in rendering.stems[voice].samples.indices {
        // Uniform, with this standard deviation.
        let noise = Float(Self.noise * 12.0.squareRoot() * (random.uniform() - 0.5))
        rendering.stems[voice].samples[i] += noise
        rendering.mix.samples[i] += noise
      }
    }
    return rendering
  }
}
