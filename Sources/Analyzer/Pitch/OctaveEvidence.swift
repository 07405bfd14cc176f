import Foundation

/// Powers of a voice's harmonics that tell in which octave it sounds.
struct OctaveEvidence {
  /// Pitch of the target's octave by the fit, whether the voice was found there or not.
  let fittedHz: Double
  /// Power of the odd and of the even harmonics of the target, those apart from other voices only.
  var odd = 0.0
  var even = 0.0
  /// Power of the harmonics an octave below that lie between those of the target, and of all.
  var between = 0.0
  var all = 0.0
  /// Energy that the fit leaves, and the part of it that those harmonics between explain.
  var left = 0.0
  var explained = 0.0

  /// - Parameters:
  ///   - model: fit that gave the voice's result.
  ///   - models: fits of windows of several lengths around the same instant, from short to long.
  init(_ model: HarmonicModel, among models: [HarmonicModel], voice: Int) {
    fittedHz = model.paths[voice].f0Hz
    let own = model.apart(ofVoice: voice)
    for partial in own {
      if partial.number % 2 == 1 { odd += partial.power } else { even += partial.power }
    }
    // Hann's main lobe must fit between two harmonics of the lower octave.
    let wide =
      models.first { $0.frame.halfSeconds * 2 >= Self.minPeriods / fittedHz }
      ?? models.last.flatMap {
        $0.frame.halfSeconds * 2 >= Self.shortMinPeriods / fittedHz ? $0 : nil
      }
    guard !own.isEmpty, var wide, let lower = wide.anOctaveLower(voice: voice),
      let before = wide.step(degree: 0)
    else { return }
    (left, explained) = (before.unexplained, before.unexplained - lower.unexplained)
    for partial in lower.model.apart(ofVoice: voice) {
      if partial.number % 2 == 1 { between += partial.power }
      all += partial.power
    }
  }

  /// Length of a window that separates the harmonics of the lower octave, in periods of the target.
  static let minPeriods = 10.0
  /// The same where no window is that long: the lobes of neighbours overlap below half of their height.
  private static let shortMinPeriods = 7.5

  /// Returns the octaves from the target to the voice, by the evidence of neighbouring frames.
  static func octaves(_ frames: [OctaveEvidence]) -> Int {
    func sum(_ power: KeyPath<OctaveEvidence, Double>) -> Double {
      frames.reduce(0) { $0 + $1[keyPath: power] }
    }
    let (odd, even) = (sum(\.odd), sum(\.even))
    if even > 0 && odd < maxOdd * (odd + even) { return 1 }
    if sum(\.between) > minBetween * sum(\.all) && sum(\.explained) > minExplained * sum(\.left) {
      return -1
    }
    return 0
  }

  /// True if the frame alone is no evidence against an octave up.
  var mayBeAnOctaveUp: Bool { even > 0 && odd < Self.maxOddAtEdges * (odd + even) }

  /// Largest share of the odd harmonics of a voice an octave above its target.
  private static let maxOdd = 0.01
  /// The same beside frames that are settled. Half of the window may lie on the other note.
  private static let maxOddAtEdges = 0.2
  /// Smallest share of the harmonics between those of the target of a voice an octave below.
  private static let minBetween = 0.1
  /// Smallest share that they explain of what the target's harmonics leave.
  private static let minExplained = 0.45
}

extension Partial {
  /// Mean power; that of a full-scale sine is 0.5.
  var power: Double { amplitude.power / 2 }
}

extension HarmonicModel {
  /// Returns the partials of a voice that no other voice could replace; none if most could be, since
  /// the rest is then no sample of the voice.
  fileprivate func apart(ofVoice voice: Int) -> [Partial] {
    let all = partials.filter { $0.voice == voice }
    let apart = all.filter { !$0.isCrowded }
    return 2 * apart.count > all.count ? apart : []
  }

  /// Returns the model with one voice an octave lower, its amplitudes fitted again, and the energy
  /// that it leaves; `nil` if the frame is too short for this many harmonics.
  fileprivate func anOctaveLower(voice: Int) -> (model: HarmonicModel, unexplained: Double)? {
    var paths = paths
    paths[voice] = VoicePath(
      coefficients: paths[voice].coefficients(per: frame.halfSeconds) / 2, per: frame.halfSeconds)
    var model = HarmonicModel(frame, paths: paths)
    model.setHarmonics(
      paths.indices.map { each in
        let count = partials.count { $0.voice == each }
        return each == voice ? 2 * count : count
      })
    // Two rounds remove what the first leaves, as products are approximate.
    for _ in 0..<2 { guard model.step(degree: 0) != nil else { return nil } }
    return model.step(degree: 0).map { (model, $0.unexplained) }
  }
}
