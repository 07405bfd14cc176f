import Metrics
import Platform

/// Findings about what can't be compared, and notes about what decided without being a figure.
extension GateJudge {
  /// Returns the cells of recordings or scores whose content has changed.
  func changedContents(
    _ run: MeasuredRun, report: (GateFinding) -> Void = { _ in }
  ) -> Set<CellAddress> {
    func changed(_ was: [String: String], _ now: [String: String], _ what: String) -> Set<String> {
      let ids = was.filter { id, digest in now[id].map { $0 != digest } ?? false }.keys.sorted()
      for id in ids {
        report(
          GateFinding(
            .notComparable, "\(what) \(id)", "differs from the baseline's content; \(acceptance)"))
      }
      return Set(ids)
    }
    let (was, now) = (baseline.provenance, run.provenance)
    let recordings = changed(was.recordings, now.recordings, "recording")
    let scores = changed(was.scores, now.scores, "score")
    return Set(
      (run.cells + baseline.cells).map(\.address).filter {
        recordings.contains($0.recording) || scores.contains($0.score)
      })
  }

  /// Returns findings for cells of the baseline, or of the gate's number of cells, that the run lacks.
  func missing(_ run: MeasuredRun, _ comparison: RunComparison) -> [GateFinding] {
    var findings = comparison.missing.map {
      GateFinding(.missingCell, "\($0)", "is in the baseline, but not in this run")
    }
    if let expected = gate.cells, run.cells.count < expected, comparison.missing.isEmpty {
      findings.append(
        GateFinding(
          .missingCell, counted(expected - run.cells.count, "cell"),
          "the run has \(run.cells.count) of the \(expected) cells that the gate requires"))
    }
    return findings
  }

  /// Returns findings for figures of the baseline whose metric the run did not measure. A metric that
  /// was measured, without a value, is none of them: a figure may come and go from take to take.
  func unmeasured(_ run: MeasuredRun, outdated: Set<String>) -> [GateFinding] {
    /// Returns the key of a metric, whatever its voice, with the score and configuration of another.
    func key(_ metric: String, beside key: FigureKey) -> FigureKey {
      FigureKey(FigureID(metric), score: key.score, configuration: key.configuration)
    }
    let measured = Set(
      run.cells.flatMap { cell in
        cell.figures.keys.map { cell.address.key(of: FigureID($0.metric)) }
      })
    let gated = Set(gate.comparedMetrics)
    // Cells that are missing altogether have findings of their own.
    let places = Set(
      run.cells.filter { $0.failure == nil }.map { $0.address.key(of: FigureID("")) })
    let metrics = baseline.rows.keys.filter {
      gated.contains($0.figure.metric) && !outdated.contains($0.figure.metric)
        && places.contains(key("", beside: $0))
        && !measured.contains(key($0.figure.metric, beside: $0))
    }.map(\.figure.metric)
    return Set(metrics).sorted().map {
      GateFinding(
        .notComparable, $0, "is in the baseline, but not measured in this run; \(acceptance)",
        metric: $0)
    }
  }

  /// Returns findings for the answers to sounds that are no voice.
  func benchFindings(_ now: GateBench, _ accepted: GateBench?) -> [GateFinding] {
    guard let accepted else {
      return [
        GateFinding(
          .notComparable, "bench",
          "the accepted answers to sounds that are no voice are not there: "
            + "\(gate.benchFile.relativeToHere); bring the file back, or accept anew: \(acceptCommand)"
        )
      ]
    }
    return now.findings(against: accepted)
  }

  /// Returns notes about what noise decided.
  func noiseNotes(
    _ run: MeasuredRun, _ comparison: RunComparison, takes: Int
  ) throws -> [GateFinding] {
    guard let noise else { return [] }
    var notes: [GateFinding] = []
    if noise.isRandom {
      notes.append(
        GateFinding(
          .note, "random subject",
          "\(noise.differingFigures) figures differed between two equal runs when the baseline was "
            + "accepted; a change counts beyond that noise"))
    }
    let noisy = comparison.differences.filter(\.isTooNoisy)
    if !noisy.isEmpty {
      let names = Set(noisy.map(\.metric)).sorted().joined(separator: ", ")
      notes.append(
        GateFinding(
          .note, "noisy figures",
          "\(noisy.count) of \(comparison.differences.count) figures are too noisy to show any change: "
            + names))
    }
    guard takes > 0 else { return notes }
    let bare = try self.comparison(of: run, noise: nil, leavingOut: changedContents(run))
    let alarms = Set(bare.differences.filter { $0.verdict == .regression }.map(\.key))
    let cleared = alarms.subtracting(
      comparison.differences.filter { $0.verdict == .regression }.map(\.key))
    if !cleared.isEmpty {
      let names = Set(cleared.map(\.figure.metric)).sorted().joined(separator: ", ")
      notes.append(
        GateFinding(
          .note, "no further than noise",
          "\(counted(cleared.count, "figure")) changed, but no further than inaudible changes of the input move "
            + "them in \(takes + 1) takes: \(names)"))
    }
    return notes
  }

  /// Returns a note for each configuration that gives a mix only, about the metrics that need stems.
  func notCovered(_ run: MeasuredRun) -> [GateFinding] {
    let compared = Set(gate.comparedMetrics)
    var (hidden, known): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
    for cell in run.cells {
      for (figure, outcome) in cell.figures where compared.contains(figure.metric) {
        switch outcome {
        case .value: known[cell.address.configuration, default: []].insert(figure.metric)
        case .undefined(let reason) where reason.code == .noStems:
          hidden[cell.address.configuration, default: []].insert(figure.metric)
        case .undefined: break
        }
      }
    }
    return hidden.sorted { $0.key < $1.key }.compactMap { configuration, metrics in
      let uncovered = metrics.subtracting(known[configuration] ?? []).sorted()
      guard !uncovered.isEmpty else { return nil }
      return GateFinding(
        .note, "not covered",
        "\(configuration.isEmpty ? "the subject" : configuration) gives a mix only; "
          + "\(uncovered.joined(separator: ", ")) \(uncovered.count == 1 ? "needs" : "need") stems")
    }
  }

  /// Returns findings for cells, metrics and machines that the baseline does not know.
  func news(_ run: MeasuredRun, _ comparison: RunComparison) -> [GateFinding] {
    var findings: [GateFinding] = []
    if !comparison.added.isEmpty {
      let names = comparison.added.prefix(3).map { "\($0)" }.joined(separator: "; ")
      findings.append(
        GateFinding(
          .notComparable, "\(comparison.added.count) new cells",
          "are not in the baseline, such as \(names); \(acceptance)"))
    }
    let known = Set(baseline.rows.keys.map(\.figure.metric))
    let new = gate.comparedMetrics.filter { id in
      !known.contains(id)
        && run.cells.contains { cell in
          cell.figures.contains { figure, outcome in
            if figure.metric == id, case .value = outcome { true } else { false }
          }
        }
    }
    if !new.isEmpty {
      findings.append(
        GateFinding(
          .note, "new metrics",
          "the baseline lacks \(new.joined(separator: ", ")); they are not gated until accepted"))
    }
    if run.provenance.machine != baseline.provenance.machine {
      findings.append(
        GateFinding(
          .note, "machine",
          "the baseline was measured on \(baseline.provenance.machine), this run on "
            + run.provenance.machine))
    }
    return findings
  }
}
