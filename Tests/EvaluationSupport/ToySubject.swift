import Corpus
import DSP
import Subjects

/// A subject that takes every score and setting, and changes the samples as a closure says.
package struct ToySubject: Subject {
  package let id = "toy", version = "1"
  private let change: @Sendable ([Float]) -> [Float]

  package init(_ change: @escaping @Sendable ([Float]) -> [Float]) { self.change = change }

  package func validate(_ settings: SubjectSettings, for score: Score) {}

  package func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) -> Rendering {
    let sound = Signal(change(signal.samples), sampleRateHz: signal.sampleRateHz)
    return Rendering(mix: sound, stems: [sound])
  }
}
