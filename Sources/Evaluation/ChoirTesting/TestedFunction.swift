import Corpus
import DSP
import Subjects

/// A function under test as a subject: it transposes a voice by a number of semitones.
struct TestedFunction: Subject {
  static let id = "tested"

  let semitones: [Double]
  let transpose: @Sendable (Signal, Double) throws -> Signal

  var id: String { Self.id }
  /// Nothing is kept from one test to the next, so all builds may share a version.
  var version: String { "this build" }

  func validate(_ settings: SubjectSettings, for score: Score) {}

  func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    let stems = try semitones.map { try transpose(signal, $0) }
    var mix = stems[0]
    for stem in stems.dropFirst() {
      for index in mix.samples.indices where index < stem.count {
        mix.samples[index] += stem.samples[index]
      }
    }
    return Rendering(mix: mix, stems: stems)
  }
}
