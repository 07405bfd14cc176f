import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Gate
import Platform
import Subjects
import Sweep

/// One of two runs to compare, read from its store.
struct RunSide: Sendable {
  let store: ResultStore
  let run: StoredRun
  /// Settings that choose its cells.
  let choice: SubjectSettings
  /// The run as the user named it.
  let name: String

  /// - Parameter metrics: ids of the metrics to read.
  init(
    _ file: URL, named: String?, choice: SubjectSettings, called name: String, metrics: [String]
  ) throws {
    Terminal.stage("reading \(name)")
    store = try ResultStore(reading: file)
    let whole: StoredRun
    do {
      whole = try store.run(named: named, metrics: metrics)
    } catch StoreError.unknownRun(
      let name?, let known) where (try? PresetChoice.preset(named: name)) != nil
    {
      throw ValidationError(
        "\(StoreError.unknownRun(name: name, known: known)); for the preset write preset:\(name).")
    }
    do { run = try whole.choosing(choice) } catch { throw ValidationError("\(error)") }
    (self.choice, self.name) = (choice, name)
  }
}

extension Compare {
  func compareRuns(_ before: RunSide, _ after: RunSide) throws {
    Terminal.stage(
      "comparing \(counted(before.run.cells.count, "cell")) with \(after.run.cells.count)")
    let ignored = ignoredSettings.union(before.choice.keys).union(after.choice.keys)
    let (baseline, candidate) = (
      before.run.comparedCells(ignoring: ignored), after.run.comparedCells(ignoring: ignored)
    )
    var settings = RunComparison.Settings()
    let changed = after.run.plan.metrics?.changed(from: before.run.plan.metrics) ?? []
    settings.metrics =
      changed.isEmpty ? chosenMetrics : readMetrics.filter { !changed.contains($0) }
    let comparison = try RunComparison(baseline: baseline, candidate: candidate, settings)
    let places = DifferingInstants.all(
      of: comparison, baseline: (before.store, baseline),
      candidate: (after.store, candidate))
    let provenance = [before, after].map { ProvenanceSummary(of: $0.run.cells) }
    let changes = provenance[0].changes(to: provenance[1])
    var answer = AnswerText()
    answer.figures("baseline   \(before.name)\ncandidate  \(after.name)\n")
    answer.remark(
      changes.isEmpty
        ? ["Subject, toolkit and machine are the same on both sides."]
        : ["Differences in subject, toolkit or machine:"] + changes.map { "  \($0)" })
    if !changed.isEmpty {
      answer.remark(
        "Not compared, because the programs of the two runs differ: "
          + "\(changed.joined(separator: ", ")). Run both plans again with one.")
    }
    let random = [before, after].lazy.flatMap(\.run.cells).first { $0.isRandom == true }
    if let subject = random?.subject {
      answer.remark(
        "The output of \(subject) differs from one rendering to the next, so only changes beyond chance count. "
          + "choir-eval gate measures it several times and finds smaller ones.")
    }
    var other = self.places
    other.store = after.store.url.relativePath
    let options = ["--run", after.run.plan.name] + other.words
    answer.remark("")
    ComparisonTable(comparison, explainOptions: ShellWords.line(options)).write(to: &answer)
    for place in places { answer.figures("\n\(place.text)") }
    print(
      json
        ? try JSON.text(
          [
            "schema": "choir-eval.compare-runs/1", "baseline": before.name,
            "candidate": after.name, "comparison": comparison, "instants": places,
            "provenance": provenance, "changes": changes,
          ] as JSONObject, of: answer)
        : answer.description)
    try Self.requireMeasured(before.run.cells + after.run.cells)
    if comparison.verdict == .regression { throw ExitCode(1) }
  }

  /// Ends with 2 if cells failed, now or before, since the comparison lacks their figures or rests on
  /// chance.
  private static func requireMeasured(_ cells: [CellResult]) throws {
    let reasons = cells.compactMap(\.failure)
    guard let first = reasons.first else { return }
    Terminal.printError(
      "\(reasons.count) of \(cells.count) cells failed and could not be compared: \(first)")
    throw ExitCode(2)
  }

  /// Runs both presets on the recordings of the plan, each with its own voices, and compares them.
  func comparePresets(_ before: String, _ after: String) async throws {
    let corpus = try places.place.read()
    let plan = try places.place.plan(plan)
    try requireVerdicts()
    let store = try ResultStore(places.storeFile)
    var sides: [RunSide] = []
    // Checks both presets before either is run.
    let plans = try [before, after].map { ($0, try plan.playing(PresetSubject(id: $0))) }
    for (id, plan) in plans {
      let sweep = try Sweep(plan, corpus: corpus, store: store)
      Terminal.progress("\(id): \(SweepText.size(of: sweep))\n")
      let outcome = try await sweep.completed(jobs: Bounds.defaultJobs)
      Terminal.printFailures(outcome.failed)
      sides.append(
        try RunSide(
          places.storeFile, named: plan.name,
          choice: [SettingSummary.subjectAxis: .text(id)], called: id, metrics: readMetrics))
    }
    try compareRuns(sides[0], sides[1])
  }
}
