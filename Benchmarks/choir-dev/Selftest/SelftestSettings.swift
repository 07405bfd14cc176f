import Corpus
import DSP
import Metrics
import Subjects

extension Selftest {
  /// Settings of the selftest.
  struct Settings: Codable, Equatable, Sendable {
    var tier = Tier.standard
    /// Trials of each defect.
    var trials = 100
    /// Comparisons of the nondeterministic subject with itself.
    var nullTrialCount = 200
    /// Share of the tier's voices that a trial draws.
    var drawnShare = 0.8
    /// Inaudible changes of the input under which the right subject is measured too, so that the noise
    /// of each figure is known as in a gate; 0 for none.
    var perturbations = 0
    /// Renderings of a random defect for each place.
    var renderings = 2
    /// Runs of the nondeterministic subject; half of them calibrate its noise.
    var nondeterministicRuns = 8
    /// Settings of the subject `reference`.
    var subjectSettings: SubjectSettings = ["engine": .text("psola")]
    /// True to judge the voices from an uneven mix alone, false from their stems.
    var fromMix = false
    var intervalsSemitones = [-5.0, 4, 7]
    /// Metrics of the right subject; all are judged together.
    var metrics = MetricChoice.everything
    /// Trials of each cost defect, and of none; each takes three to ten seconds.
    var costTrials = 0
    /// Settings of each cost trial, with the gate's defaults.
    var cost = CostTrial.Settings()
    var seed: UInt64 = 1

    init() {}

    func validate() throws(SettingsError) {
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
