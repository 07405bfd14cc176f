import Gate
import Subjects

/// The answers of a subject to sounds that are no voice, as findings of a probe.
enum RobustnessProbe {
  static func findings(_ bench: ProbeBench) -> [ProbeFinding] {
    RobustnessTrial.answers(of: bench).map { answer in
      switch answer.verdict {
      case .undefined: .undefined(.robustness, answer.sound, answer.words)
      case .good, .poor:
        ProbeFinding(
          .robustness, answer.sound, answer.value, answer.unit,
          answer.verdict == .good ? .good : .poor, answer.words)
      }
    }
  }
}
