import DSP
import Foundation
import Subjects

/// A subject that gives the mix of its voices without their stems, as most programs do.
///
/// Each voice is softer than the one before it, as in a choir that somebody has mixed. Two voices of
/// one level and one timbre could sing each other's lines without changing the mix.
struct UnevenMix: SubjectWrapper {
  let source: any Subject

  /// Level of each voice below the one before it.
  private static let stepDb = 3.0

  var id: String { MixSubject.prefix + source.id }
  var version: String { "\(source.version)+uneven mix" }

  func render(_ request: RenderRequest) throws -> Rendering {
    var rendering = try source.render(request)
    var mix = [Float](repeating: 0, count: rendering.mix.count)
    for (voice, stem) in rendering.stems.enumerated() {
      let gain = Float(pow(10, -Self.stepDb * Double(voice) / 20))
      for i in mix.indices { mix[i] += gain * stem.samples[i] }
    }
    rendering.mix = Signal(mix, sampleRateHz: rendering.mix.sampleRateHz)
    rendering.stems = []
    return rendering
  }
}
