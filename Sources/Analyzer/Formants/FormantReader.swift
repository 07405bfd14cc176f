import DSP
import Foundation

/// Finds the formants of a voice at any pitch, offline.
///
/// Voiced sound is analyzed by fitting a model of glottis and vocal tract to the levels of the
/// harmonics (`VoiceModelFit`). A high voice has few harmonics, so each fit uses as much of the
/// surrounding sound as stays similar: up to a quarter of a second to either side in a held vowel,
/// where the moving pitch samples the spectrum more densely, and little more than the instant
/// itself during articulation. `FormantTracker` tells where the mouth moves (`FormantMotion`). There
/// its formants are returned, but not F1 above 250 Hz and none above 350 Hz; so they are of unvoiced
/// sound, such as whisper.
///
/// - Input: mono, and its pitch. Samples that are not finite count as 0.
/// - Output: one frame for each frame of the pitch track.
/// - Cost: about 0.02 of real time on one core. Allocates.
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
  /// Pitch above which every voice is fitted: there harmonics mislead the F1 of linear prediction
  /// more than articulation misleads the fit.
  private static let highHz = 250.0
  /// Pitch from which linear prediction finds harmonics in place of all formants and is not used.
  private static let guidedHz = 350.0
  /// Maximum frequency of a measured harmonic.
  private static let ceilingHz = 8_000.0

  public init() {}

  /// Returns the formants of a sound at each frame of its pitch.
  public func track(_ signal: Signal, following pitch: PitchTrack) -> FormantTrack {
    let tracked = FormantTracker(hopMs: pitch.hopSeconds * 1000).track(signal.withoutInfrasound())
      .frames
    var frames = (0..<pitch.count).map { tracked.indices.contains($0) ? tracked[$0] : .init() }
    let motion = FormantMotion(
      of: FormantTrack(hopSeconds: pitch.hopSeconds, frames: frames), pitch)
    let sampler = HarmonicSampler(of: signal, ceilingHz: Self.ceilingHz * 1.1)
    for run in pitch.voicedRuns {
      let (from, to) = (
        Double(run.lowerBound) * pitch.hopSeconds, Double(run.upperBound - 1) * pitch.hopSeconds
      )
      let levels = sampler.levels(along: pitch, from: from, to: to, hopSeconds: Self.stepMs / 1000)
      let answers = answers(levels, motion)
      guard !answers.isEmpty else { continue }
      for frame in run {
        let seconds = Double(frame) * pitch.hopSeconds
        let found = fitted(at: seconds, between: answers, motion, frames[frame])
        if let found { frames[frame] = found }
      }
    }
    return FormantTrack(hopSeconds: pitch.hopSeconds, frames: frames)
  }

  /// The result of one fit.
  private struct Answer {
    var seconds: Double
    var f0Hz: Double
    /// Formants F1 to F4.
    var formants: [Formant]
  }

  /// The fits along one voiced run.
  private func answers(_ levels: [HarmonicLevels], _ motion: FormantMotion) -> [Answer] {
    let curves = levels.map { LevelCurve($0) }
    let reach = Int(Self.reachMs / Self.stepMs)
    let every = max(1, Int((Self.hopMs / Self.stepMs).rounded()))
    var (answers, before): ([Answer], (model: VoiceModel, heard: Range<Int>)?) = ([], nil)
    for place in stride(from: levels.count % every / 2, to: levels.count, by: every) {
      let (seconds, f0Hz) = (levels[place].timeSeconds, levels[place].f0Hz)
      let isGuided = f0Hz < Self.guidedHz
      func isAlike(_ other: Int) -> Bool {
        curves.indices.contains(other) && abs(other - place) <= reach
          && curves[other].distanceDb(to: curves[place]) <= Self.maxDistanceDb
          && (!isGuided || motion.isStill(from: levels[other].timeSeconds, to: seconds))
      }
      var heard = place..<place + 1
      while isAlike(heard.lowerBound - 1) { heard = heard.lowerBound - 1..<heard.upperBound }
      while isAlike(heard.upperBound) { heard = heard.lowerBound..<heard.upperBound + 1 }
      let isSteady = Double(heard.count) * Self.stepMs >= Self.steadyMs
      let isHigh = f0Hz >= Self.highHz
      let near = Array(levels[heard])
      let still = isHigh ? [] : near.filter { motion.isStill(within: $0.windowSeconds) }
      let fit = VoiceModelFit(EnvelopePoints(still.isEmpty ? near : still))
      guard isSteady || isHigh else { continue }
      // Continue from the last fit while its sound overlaps this one's, unless the resonances of
      // linear prediction lead to a better one: a fit that was led astray would never return.
      let known = before.flatMap { $0.heard.overlaps(heard) ? $0.model : nil }
      let formantsHz = motion.formantsHz(
        from: levels[heard.lowerBound].timeSeconds, to: levels[heard.upperBound - 1].timeSeconds)
      let guess =
        isGuided && formantsHz.count == 4
        ? VoiceModel(formantsHz: formantsHz, scale: VoicePrior.meanScale, f0Hz: f0Hz) : nil
      guard let model = fit.best(near: known, or: guess)?.model else { continue }
      before = (model, heard)
      answers.append(Answer(seconds: seconds, f0Hz: f0Hz, formants: model.formants))
    }
    return answers
  }

  /// Interpolates between the fits before and after an instant, or takes the nearer one; `nil` if
  /// none is near with the mouth held as it is at the instant.
  ///
  /// - Parameter tracked: formants of linear prediction at the instant. Those of a high voice whose
  ///   mouth moves are returned in place of F2 to F4.
  private func fitted(
    at seconds: Double, between answers: [Answer], _ motion: FormantMotion,
    _ tracked: FormantTrack.Frame
  ) -> FormantTrack.Frame? {
    let near = 1.5 * Self.hopMs / 1000
    func isStill(_ answer: Answer) -> Bool { motion.isStill(from: answer.seconds, to: seconds) }
    let later = answers.firstIndex { $0.seconds >= seconds } ?? answers.count
    let around = [later - 1, later].filter {
      answers.indices.contains($0) && abs(answers[$0].seconds - seconds) <= near
        && (answers[$0].f0Hz >= Self.highHz || isStill(answers[$0]))
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
    let isGuided = [a, b].contains { $0.f0Hz < Self.guidedHz && !isStill($0) }
    if isGuided, let f2 = tracked.f2, let f3 = tracked.f3, f2.frequencyHz > formants[0].frequencyHz
    {
      return .init(f1: formants[0], f2: f2, f3: f3, f4: tracked.f4)
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
