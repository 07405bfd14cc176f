import DSP
import Foundation

/// Finds the formants of a voice at any pitch, offline.
///
/// Voiced sound is analyzed by fitting a model of glottis and vocal tract to the levels of the
/// harmonics (`VoiceModelFit`). A high voice has few harmonics, so each fit uses as much of the
/// surrounding sound as stays similar: up to a quarter of a second to either side in a held vowel,
/// where the moving pitch samples the spectrum more densely, and little more than the instant
/// itself during articulation. Unvoiced sound, such as whisper, is analyzed by `FormantTracker`.
///
/// - Input: mono, and its pitch. Samples that are not finite count as 0.
/// - Output: one frame for each frame of the pitch track.
/// - Cost: about 0.05 of real time on one core. Allocates.
public struct FormantReader: Sendable {
  /// Maximum reach of a fit to either side of its instant.
  private static let reachMs = 250.0
  /// Time between measurements of the harmonics.
  private static let stepMs = 20.0
  /// Time between fits; frames in between are interpolated on the logarithms.
  private static let hopMs = 40.0
  /// Maximum spectral distance of instants that share a fit.
  private static let maxDistanceDb = 6.0
  /// Minimum length of similar sound for a fit of a low voice. Shorter stretches are left to
  /// linear prediction, whose frames are shorter and follow articulation better.
  private static let steadyMs = 150.0
  /// Pitch above which every voice is fitted: there harmonics mislead linear prediction more than
  /// articulation misleads the fit.
  private static let highHz = 250.0
  /// Maximum frequency of a measured harmonic.
  private static let ceilingHz = 8_000.0

  public init() {}

  /// Returns the formants of a sound at each frame of its pitch.
  public func track(_ signal: Signal, following pitch: PitchTrack) -> FormantTrack {
    let tracked = FormantTracker(hopMs: pitch.hopSeconds * 1000).track(signal.withoutInfrasound())
      .frames
    var frames = (0..<pitch.count).map { tracked.indices.contains($0) ? tracked[$0] : .init() }
    let sampler = HarmonicSampler(of: signal, ceilingHz: Self.ceilingHz * 1.1)
    for run in pitch.voicedRuns {
      let (from, to) = (
        Double(run.lowerBound) * pitch.hopSeconds, Double(run.upperBound - 1) * pitch.hopSeconds
      )
      let levels = sampler.levels(
        along: pitch, from: from, to: to, hopSeconds: Self.stepMs / 1000)
      let answers = answers(levels)
      guard !answers.isEmpty else { continue }
      for frame in run {
        if let found = fitted(at: Double(frame) * pitch.hopSeconds, between: answers) {
          frames[frame] = found
        }
      }
    }
    return FormantTrack(hopSeconds: pitch.hopSeconds, frames: frames)
  }

  /// The result of one fit.
  private struct Answer {
    var seconds: Double
    /// Formants F1 to F4.
    var formants: [Formant]
  }

  /// The fits along one voiced run.
  private func answers(_ levels: [HarmonicLevels]) -> [Answer] {
    let curves = levels.map { LevelCurve($0) }
    let reach = Int(Self.reachMs / Self.stepMs)
    let every = max(1, Int((Self.hopMs / Self.stepMs).rounded()))
    var (answers, before): ([Answer], (model: VoiceModel, heard: Range<Int>)?) = ([], nil)
    for place in stride(from: levels.count % every / 2, to: levels.count, by: every) {
      func isAlike(_ other: Int) -> Bool {
        curves.indices.contains(other) && abs(other - place) <= reach
          && curves[other].distanceDb(to: curves[place]) <= Self.maxDistanceDb
      }
      var heard = place..<place + 1
      while isAlike(heard.lowerBound - 1) { heard = heard.lowerBound - 1..<heard.upperBound }
      while isAlike(heard.upperBound) { heard = heard.lowerBound..<heard.upperBound + 1 }
      let fit = VoiceModelFit(EnvelopePoints(Array(levels[heard])))
      let isSteady = Double(heard.count) * Self.stepMs >= Self.steadyMs
      guard isSteady || levels[place].f0Hz >= Self.highHz else { continue }
      // Continue from the last fit while its sound overlaps this one's.
      let known = before.flatMap { $0.heard.overlaps(heard) ? $0.model : nil }
      guard let model = fit.best(near: known)?.model else { continue }
      before = (model, heard)
      answers.append(Answer(seconds: levels[place].timeSeconds, formants: model.formants))
    }
    return answers
  }

  /// Interpolates between the fits before and after an instant, or takes the nearer one; `nil` if
  /// none is near.
  private func fitted(at seconds: Double, between answers: [Answer]) -> FormantTrack.Frame? {
    let near = 1.5 * Self.hopMs / 1000
    let later = answers.firstIndex { $0.seconds >= seconds } ?? answers.count
    let around = [later - 1, later].filter {
      answers.indices.contains($0) && abs(answers[$0].seconds - seconds) <= near
    }
    guard let first = around.first, let last = around.last else { return nil }
    let (a, b) = (answers[first], answers[last])
    let span = b.seconds - a.seconds
    let share = span > 0 ? (seconds - a.seconds) / span : 0
    let formants = zip(a.formants, b.formants).map { a, b in
      Formant(
        frequencyHz: a.frequencyHz * pow(b.frequencyHz / a.frequencyHz, share),
        bandwidthHz: a.bandwidthHz * pow(b.bandwidthHz / a.bandwidthHz, share))
    }
    return .init(f1: formants[0], f2: formants[1], f3: formants[2], f4: formants[3])
  }
}

/// The harmonic levels of one instant at fixed frequencies, for comparing instants.
private struct LevelCurve {
  /// Levels at equal steps in Bark; `nil` beyond the harmonics, or if noise covers them.
  private let levelsDb: [Double?]

  private static let hz = stride(from: 2.0, through: 17.0, by: 0.5).map { bark in
    600 * sinh(bark / 6)
  }

  init(_ levels: HarmonicLevels) {
    levelsDb = Self.hz.map { hz in
      let place = hz / levels.f0Hz - 1
      let below = Int(place.rounded(.down))
      guard below >= 0, below + 1 < levels.levelsDb.count,
        (below...below + 1).allSatisfy({ levels.levelsDb[$0] > levels.noiseDb[$0] + 6 })
      else { return nil }
      let share = place - Double(below)
      return levels.levelsDb[below]
        + share * (levels.levelsDb[below + 1] - levels.levelsDb[below])
    }
  }

  /// The root mean square difference without the mean; infinite if too few frequencies are shared.
  func distanceDb(to other: LevelCurve) -> Double {
    let differences = zip(levelsDb, other.levelsDb).compactMap { a, b in
      a.flatMap { a in b.map { a - $0 } }
    }
    guard differences.count >= 5 else { return .infinity }
    let mean = differences.reduce(0, +) / Double(differences.count)
    let square = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (square / Double(differences.count)).squareRoot()
  }
}
