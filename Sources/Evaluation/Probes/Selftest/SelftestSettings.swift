import Corpus
import DSP
import Metrics
import Subjects

extension Selftest {
  /// Settings of the selftest.
  public struct Settings: Codable, Equatable, Sendable {
    public var tier = Tier.standard
    /// Trials of each defect.
    public var trials = 100
    /// Comparisons of the nondeterministic subject with itself.
    public var nullTrialCount = 200
    /// Share of the tier's voices that a trial draws.
    public var drawnShare = 0.8
    /// Inaudible changes of the input under which the right subject is measured too, so that the noise
    /// of each figure is known as in a gate; 0 for none.
    public var perturbations = 0
    /// Renderings of a random defect for each place.
    public var renderings = 2
    /// Runs of the nondeterministic subject; half of them calibrate its noise.
    public var nondeterministicRuns = 8
    /// Settings of the subject `reference`.
    public var subjectSettings: SubjectSettings = ["engine": .text("psola")]
    /// True to judge the voices from an uneven mix alone, false from their stems.
    public var fromMix = false
    public var intervalsSemitones = [-5.0, 4, 7]
    /// Metrics of the right subject; all are judged together.
    public var metrics = MetricChoice.everything
    /// Trials of each cost defect, and of none; each takes three to ten seconds.
    public var costTrials = 0
    /// Settings of each cost trial, with the gate's defaults.
    public var cost = CostTrial.Settings()
    public var seed: UInt64 = 1

    public init() {}

    public func validate() throws(SettingsError) {
      try require("trials", Double(trials), in: 1...10_000)
      try require("nullTrialCount", Double(nullTrialCount), in: 0...10_000)
      try require("costTrials", Double(costTrials), in: 0...10_000)
      try cost.validate()
      try require("drawnShare", drawnShare, in: 0.1...1)
      try require("perturbations", Double(perturbations), in: 0...100)
      try require("renderings", Double(renderings), in: 1...100)
      try require("nondeterministicRuns", Double(nondeterministicRuns), in: 4...100)
      try require("intervals", Double(intervalsSemitones.count), in: 2...16)
    }

    var score: Score { Score(id: "chord", intervalsSemitones: intervalsSemitones) }
  }
}
