import Corpus
import Foundation
import Gate
import Metrics
import Platform
import Subjects
import Sweep

/// Measures the cells that trials draw from: those of the right subject and of defective ones, for
/// each recording.
struct SelftestBench: Sendable {
  let subject: any LiveSubject
  let settings: Selftest.Settings
  let recordings: [ManifestEntry]
  private let work: CellWork
  private let corpus: Corpus

  init(_ settings: Selftest.Settings, corpus: Corpus) throws {
    try settings.validate()
    self.settings = settings
    self.corpus = corpus
    let reference = try Subjects.subject(id: ReferenceSubject().id)
    guard let live = reference as? any LiveSubject else {
      throw Refusal(reference.id, "can't run live; choose a live subject")
    }
    subject = live
    try subject.validate(settings.subjectSettings, for: settings.score)
    guard !corpus.entries.isEmpty else {
      throw Refusal.emptyCorpus(path: corpus.folder.path)
    }
    recordings = try corpus.choice(of: settings.tier)
    work = CellWork(
      corpus: corpus, subjects: [:],
      sounds: RenderedAudioStore(folder: try Scratch.folder()))
  }

  /// Returns why a defect can't be applied to this subject; `nil` if it can.
  func obstacle(to defect: Defect) -> String? {
    guard defect.damage.kind == .formants,
      let names = subject.settingNames(beside: settings.subjectSettings),
      !names.contains(DamagedSubject.formantSetting)
    else { return nil }
    return "the subject has no formant setting with these settings"
  }

  /// All cells of one recording.
  struct Measured: Sendable {
    var recording: ManifestEntry
    var right: ComparedCell
    /// The right subject under perturbations of the input.
    var takes: [ComparedCell] = []
    /// The right subject measured a second time.
    var again: ComparedCell?
    /// Defective cells, indexed as the list of defects.
    var wrong: [MeasuredDefect.Renderings]
    /// Cells of the nondeterministic subject, one for each run.
    var nondeterministic: [ComparedCell]
  }

  /// Returns the number of cells to measure, for progress.
  func cellCount(_ defects: [MeasuredDefect], withNullTrials: Bool) -> Int {
    recordings.reduce(0) { sum, recording in
      sum + 1 + settings.perturbations + (withNullTrials ? 1 + settings.nondeterministicRuns : 0)
        + defects.reduce(0) { $0 + ($1.concerns(recording) ? $1.variants.count : 0) }
    }
  }

  func measure(
    _ recording: ManifestEntry, _ defects: [MeasuredDefect], withNullTrials: Bool,
    report: @Sendable (String) -> Void
  ) async throws -> Measured {
    func cell(
      _ subject: any Subject, _ metrics: MetricChoice, _ label: String,
      settings: SubjectSettings? = nil, judging voices: Set<Int>? = nil
    ) async throws -> ComparedCell {
      let subject = judged(subject, on: recording)
      let cell = Cell(
        recording, recordingDigest: try corpus.digest(of: recording), score: self.settings.score,
        settings: settings ?? self.settings.subjectSettings, subject: subject, metrics: metrics)
      let measured = await work.with(subject).finish(cell, keepingSound: false, judging: voices)
      report("\(recording.id) · \(label)")
      return ComparedCell(measured.result, ignoring: Set(NondeterministicSubject.restlessSettings))
    }
    let right = try await cell(subject, settings.metrics, "right")
    if let failure = right.failure {
      throw Refusal(subject.id, "can't be measured on \(recording.id): \(failure)")
    }
    var measured = Measured(recording: recording, right: right, wrong: [], nondeterministic: [])
    for number in 0..<settings.perturbations {
      guard let perturbed = PerturbedSubject(subject, Perturbation(number + 1)) else { break }
      measured.takes.append(try await cell(perturbed, settings.metrics, "right, perturbed"))
    }
    for one in defects {
      var renderings = MeasuredDefect.Renderings()
      for variant in one.concerns(recording) ? one.variants : [] {
        let wrong = DamagedSubject(
          source: subject, damage: one.defect.damage, place: variant.place,
          seed: seed(recording.id, variant.rendering))
        renderings.cells[variant] = right.replaced(
          by: try await cell(
            wrong, one.defect.measured, one.defect.id, judging: variant.place.voices))
        if wrong.isIntact { renderings.intact.insert(variant) }
      }
      measured.wrong.append(renderings)
    }
    guard withNullTrials else { return measured }
    measured.again = try await cell(subject, settings.metrics, "right, again")
    for run in 0..<settings.nondeterministicRuns {
      let nondeterministic = NondeterministicSubject(
        source: subject, seed: seed(recording.id, 1000 + run))
      measured.nondeterministic.append(
        try await cell(nondeterministic, NondeterministicSubject.measured, "nondeterministic"))
    }
    return measured
  }

  /// Returns a subject with the output that is judged. A probe has no voices to be read from a mix.
  private func judged(_ subject: any Subject, on recording: ManifestEntry) -> any Subject {
    settings.fromMix && !recording.isProbe ? UnevenMix(source: subject) : subject
  }

  /// Returns a seed that depends on the recording and rendering only.
  private func seed(_ recording: String, _ rendering: Int) -> UInt64 {
    let digest = Digest.sha256("\(settings.seed) \(recording) \(rendering)")
    return UInt64(digest.prefix(15), radix: 16)!
  }
}
