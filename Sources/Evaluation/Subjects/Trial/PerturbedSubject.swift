import Analyzer
import DSP

/// A subject that hears a perturbed input and whose output is put back in place.
///
/// It is no `LiveSubject`, so metrics of the live contract have no value.
public struct PerturbedSubject: SubjectWrapper {
  package let source: any Subject
  private let perturbation: Perturbation

  /// - Returns: `nil` if the subject's sounds were rendered elsewhere and can't be rendered again.
  public init?(_ source: any Subject, _ perturbation: Perturbation) {
    guard source.external?.file.kind != .folder else { return nil }
    (self.source, self.perturbation) = (source, perturbation)
  }

  public var version: String { "\(source.version), perturbation \(perturbation.number)" }

  public func render(_ request: RenderRequest) throws -> Rendering {
    // Scores that follow the clock would be played early, so their lead is not delayed.
    let seconds = request.score.followsLead ? perturbation.delaySeconds : 0
    let delay = Int(seconds * request.signal.sampleRateHz)
    var perturbed = request
    perturbed.signal = self.perturbed(request.signal, delay: delay)
    if delay > 0 {
      perturbed.score = ResolvedScore(
        request.score.score,
        lead: request.score.lead.preceded(
          bySilenceOf: Double(delay) / request.signal.sampleRateHz))
    }
    return restored(try source.render(perturbed), delay: delay)
  }

  private func perturbed(_ signal: Signal, delay: Int) -> Signal {
    var random = SeededGenerator(seed: UInt64(perturbation.number))
    let (factor, width) = (perturbation.factor, Perturbation.dither * 12.0.squareRoot())
    var samples = [Float](repeating: 0, count: delay) + signal.samples.map { $0 * factor }
    for index in samples.indices { samples[index] += Float(width * (random.uniform() - 0.5)) }
    return Signal(samples, sampleRateHz: signal.sampleRateHz)
  }

  private func restored(_ rendering: Rendering, delay: Int) -> Rendering {
    func restored(_ signal: Signal) -> Signal {
      // A wrong length stays wrong, so that it is found.
      Signal(
        signal.samples.dropFirst(delay).map { $0 / perturbation.factor },
        sampleRateHz: signal.sampleRateHz)
    }
    var rendering = rendering
    rendering.mix = restored(rendering.mix)
    rendering.stems = rendering.stems.map(restored)
    rendering.stereo = rendering.stereo.map {
      StereoSound(left: restored($0.left), right: restored($0.right))
    }
    // Their times are those of the delayed sound.
    (rendering.truthLog, rendering.tuningLog) = (nil, nil)
    return rendering
  }
}
