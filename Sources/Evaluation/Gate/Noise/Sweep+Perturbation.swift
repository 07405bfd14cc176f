import Subjects
import Sweep

extension Sweep {
  /// Gives every subject an input with an inaudible change.
  ///
  /// The cells keep their keys, so the store must hold no others.
  ///
  /// - Throws: `GateError.renderedElsewhere` if a subject's sounds can't be rendered again.
  public mutating func perturb(by perturbation: Perturbation) throws {
    try replaceSubjects { subject in
      guard let perturbed = PerturbedSubject(subject, perturbation) else {
        throw GateError.renderedElsewhere(subject: subject.id)
      }
      return perturbed
    }
  }
}
