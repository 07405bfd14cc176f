import Analyzer
import DSP
import Foundation

/// A subject that hears a perturbed input and whose output is put back in place.
///
/// It is no `LiveSubject`, so metrics of the live contract have no value.
public struct PerturbedSubject: SubjectWrapper {
  package let source: any Subject
  private let perturbation: Perturbation

  /// - Returns: `nil` if the subject's sounds were rendered elsewhere and can't be rendered again.
  public init?(_ source: any Subject, _ perturbation: Perturbation) {
    guard !source.wasRenderedElsewhere else { return nil }
    (self.source, self.perturbation) = (source, perturbation)
  }

  public var version: String { "\(source.version), perturbation \(perturbation.number)" }

  public func render(_ request: RenderRequest) throws -> Rendering {
    var perturbed = LeadIn(request, seconds: perturbation.delaySeconds)
    perturb(&perturbed.request.signal.samples)
    var rendering = try perturbed.rendering(by: source)
    rendering.changeSounds { $0.map { $0 / perturbation.factor } }
    return rendering
  }

  private func perturb(_ samples: inout [Float]) {
    var random = SeededGenerator(seed: UInt64(perturbation.number))
    let (factor, width) = (perturbation.factor, Perturbation.dither * 12.0.squareRoot())
    for index in samples.indices {
      samples[index] = samples[index] * factor + Float(width * (random.uniform() - 0.5))
    }
  }
}

/// A change of a subject's input that nobody can hear: a later start, a hundredth of a decibel, other
/// dither and, for every second one, inverted polarity.
///
/// Delay, gain and polarity are taken back from the output. What then still differs is noise: the
/// place where a grain falls, the phase of a sweep, a decision that was close.
public struct Perturbation: Hashable, Sendable {
  /// Number of the perturbation, from 1.
  public let number: Int

  public init(_ number: Int) {
    precondition(number >= 1, "perturbation 0 would be none")
    self.number = number
  }

  /// Delay from 1 to 300 ms, longer than a period of any voice and than most sweeps of a delay line,
  /// which take 40 ms of window about 0.15 s at a third. Numbers that follow each other lie far apart,
  /// and no number repeats another.
  ///
  /// Delays up to 12 ms moved such a sweep by a twelfth of its round, and a gate took another starting
  /// phase for a regression.
  var delaySeconds: Double {
    let goldenRatio = 0.618_033_988_749_895
    return 0.001 + 0.299 * (Double(number) * goldenRatio).truncatingRemainder(dividingBy: 1)
  }

  /// Inaudible on any material, by a factor of more than ten.
  var gainDb: Double { number % 4 < 2 ? 0.01 : -0.01 }

  var invertsPolarity: Bool { number.isMultiple(of: 2) }

  /// Root mean square of the dither: that of 16-bit sound, -96 dBFS.
  static let dither = pow(10, -96.0 / 20)

  /// Factor from the input to the perturbed input.
  var factor: Float { Float(pow(10, gainDb / 20)) * (invertsPolarity ? -1 : 1) }
}
