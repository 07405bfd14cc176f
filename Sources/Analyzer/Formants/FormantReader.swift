import DSP
import Foundation

/// Finds the formants of a voice at any pitch, offline.
///
/// Where there is a pitch, a model of glottis and mouth is fitted to the levels of the harmonics
/// (`VoiceModelFit`). Harmonics of a high voice are few, so each answer is made from as much of the
/// sound around its instant as sounds alike: up to a quarter of a second to either side in a held
/// vowel, where the pitch's own movement samples the spectrum more densely, and little more than the
/// instant itself where the mouth moves. Where there is none, as in whisper, the formants are those of
/// `FormantTracker`.
///
/// - Input: mono, and its pitch. A sample that is not finite counts as 0.
/// - Output: one frame for each of the pitch's.
/// - Cost: about 0.05 of real time on one core. Allocates.
public struct FormantReader: Sendable {
  public struct Settings: Codable, Equatable, Sendable {
    /// How far to either side of an instant a steady sound is heard.
    public var reachMs = 250.0
    /// From one measurement of the harmonics to the next.
    public var stepMs = 20.0
    /// From one fit to the next; frames between lie on a line between the logarithms.
    public var hopMs = 40.0
    /// Instants whose spectra differ by more do not sound alike.
    public var likenessDb = 6.0
    /// A low voice whose sound stays alike for less than this moves: there linear prediction, which
    /// hears less at a time, follows better.
    public var steadyMs = 150.0
    /// From this pitch on harmonics mislead linear prediction more than movement misleads the fit.
    public var highHz = 250.0
    /// Harmonics above are not measured.
    public var ceilingHz = 8_000.0
    /// Settings of linear prediction, which reads sound without pitch.
    public var tracker = FormantTracker.Settings()

    public init() {}

    public func validate() throws(SettingsError) {
      try require("reachMs", reachMs, in: 10...1000)
      try require("stepMs", stepMs, in: 1...100)
      try require("hopMs", hopMs, in: stepMs...1000)
      try require("likenessDb", likenessDb, in: 0.1...100)
      try require("steadyMs", steadyMs, in: 0...2000)
      try require("highHz", highHz, in: 60...2000)
      try require("ceilingHz", ceilingHz, in: 3000...20_000)
      try tracker.validate()
    }
  }

  public let settings: Settings

  public init(_ settings: Settings = Settings()) throws(SettingsError) {
    try settings.validate()
    self.settings = settings
  }

  /// The formants of a sound at each frame of its pitch.
  public func track(_ signal: Signal, following pitch: PitchTrack) throws(SettingsError)
    -> FormantTrack
  {
    var trackerSettings = settings.tracker
    trackerSettings.hopMs = pitch.hopSeconds * 1000
    let tracked = try FormantTracker(trackerSettings).track(signal.withoutInfrasound()).frames
    var frames = (0..<pitch.count).map { tracked.indices.contains($0) ? tracked[$0] : .init() }
    let sampler = HarmonicSampler(of: signal, ceilingHz: settings.ceilingHz * 1.1)
    for run in pitch.voicedRuns {
      let (from, to) = (
        Double(run.lowerBound) * pitch.hopSeconds, Double(run.upperBound - 1) * pitch.hopSeconds
      )
      let levels = sampler.levels(
        along: pitch, from: from, to: to, hopSeconds: settings.stepMs / 1000)
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

  /// What one fit says.
  private struct Answer {
    var seconds: Double
    /// F1 to F4.
    var formants: [Formant]
  }

  /// Along one run of voice.
  private func answers(_ levels: [HarmonicLevels]) -> [Answer] {
    let curves = levels.map { LevelCurve($0) }
    let reach = Int(settings.reachMs / settings.stepMs)
    let every = max(1, Int((settings.hopMs / settings.stepMs).rounded()))
    var (answers, before): ([Answer], (model: VoiceModel, heard: Range<Int>)?) = ([], nil)
    for place in stride(from: levels.count % every / 2, to: levels.count, by: every) {
      func isAlike(_ other: Int) -> Bool {
        curves.indices.contains(other) && abs(other - place) <= reach
          && curves[other].distanceDb(to: curves[place]) <= settings.likenessDb
      }
      var heard = place..<place + 1
      while isAlike(heard.lowerBound - 1) { heard = heard.lowerBound - 1..<heard.upperBound }
      while isAlike(heard.upperBound) { heard = heard.lowerBound..<heard.upperBound + 1 }
      let fit = VoiceModelFit(EnvelopePoints(Array(levels[heard])))
      let isSteady = Double(heard.count) * settings.stepMs >= settings.steadyMs
      guard isSteady || levels[place].f0Hz >= settings.highHz else { continue }
      // The search begins where the last one ended while the sound is the same.
      let known = before.flatMap { $0.heard.overlaps(heard) ? $0.model : nil }
      guard let model = fit.best(near: known)?.model else { continue }
      before = (model, heard)
      answers.append(Answer(seconds: levels[place].timeSeconds, formants: model.formants))
    }
    return answers
  }

  /// On the line between the answers before and after an instant, or the nearest one; `nil` where
  /// none is near.
  private func fitted(at seconds: Double, between answers: [Answer]) -> FormantTrack.Frame? {
    let near = 1.5 * settings.hopMs / 1000
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

/// The levels of one instant's harmonics at fixed frequencies, to compare instants by.
private struct LevelCurve {
  /// Levels at equal steps in Bark; `nil` beyond the harmonics, or where they are lost in noise.
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

  /// The root mean square difference, loudness aside; infinite where there is too little in common.
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
