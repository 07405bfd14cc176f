import Corpus
import DSP
import Metrics
import Subjects

/// A subject that never does the same twice and is none the worse for it: its voices drift and come
/// early and late as people do, and there is noise at -80 dBFS. Each run has a seed of its own.
struct NondeterministicSubject: Subject {
  let source: any Subject
  let seed: UInt64

  /// How far voices drift and how early or late they come.
  private static let humanized: SubjectSettings = [
    "humanizeCents": .number(5), "humanizeMs": .number(5),
  ]
  private static let noise = 0.000_1

  /// What two of its runs don't have in common, or what makes it one.
  static let restlessSettings = ["seed"]
  /// Kinds of figures that its restlessness may move.
  static let measured = MetricChoice([
    "pitch", "voices", "latency", "timbre.tilt_change", "level.change", "clicks.count",
    "dropouts.count", "dc.offset", "clipping.share",
  ])

  var id: String { source.id }
  var version: String { "\(source.version)+nondeterministic \(seed)" }

  func validate(_ settings: SubjectSettings, for score: Score) throws {
    try source.validate(settings, for: score)
  }

  func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    var nondeterministic = settings.merging(Self.humanized) { $1 }
    nondeterministic["seed"] = .number(Double(seed >> 16))
    var rendering = try source.render(signal, score: score, settings: nondeterministic)
    var random = SeededGenerator(seed: seed)
    for voice in rendering.stems.indices {
      for i in rendering.stems[voice].samples.indices {
        // Uniform, of this standard deviation.
        let noise = Float(Self.noise * 12.0.squareRoot() * (random.uniform() - 0.5))
        rendering.stems[voice].samples[i] += noise
        rendering.mix.samples[i] += noise
      }
    }
    return rendering
  }
}
