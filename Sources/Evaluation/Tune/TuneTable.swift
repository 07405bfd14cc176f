import Analyzer

/// The numbers of a run as `tune` weighs them: one for each setting, axis and recording.
///
/// All that was measured of one setting on one recording (voices, conditions, scores) is one number,
/// its median: the recording is what was sampled.
struct TuneTable: Sendable {
  /// One way to set one subject.
  struct Candidate: Hashable, Sendable {
    var subject: String
    var settings: SubjectSettings

    init(_ cell: CellResult) { (subject, settings) = (cell.subject, cell.settings) }
    init(subject: String, settings: SubjectSettings) {
      (self.subject, self.settings) = (subject, settings)
    }
  }

  let candidates: [Candidate]
  /// Those with a voice; probes are none.
  let recordings: [String]
  /// What each axis was measured by; axes that nothing in the run defines are missing.
  let metrics: [TuneAxis: String]
  /// By axis, candidate and recording.
  private(set) var values: [TuneAxis: [[Double?]]] = [:]
  /// By axis and candidate, where only probes define the metric: they are no sample of voices.
  private(set) var constants: [TuneAxis: [Double?]] = [:]
  /// Of lone impulses, median over voices; by candidate.
  let impulseLatencyMs: [Double?]
  /// The most frequent reason why a candidate has no value on an axis.
  private(set) var reasons: [TuneAxis: [String?]] = [:]
  /// Why an axis has no value at all.
  private(set) var missing: [TuneAxis: String] = [:]

  /// - Parameter keeping: the recordings to look at; all unless given.
  init(_ cells: [CellResult], axes: [TuneAxis], keeping: Set<String>? = nil) {
    let kept = cells.filter { keeping?.contains($0.recording) ?? true }
    let candidates = cells.map(Candidate.init).uniqued()
    let voices = kept.filter { $0.kind != "probe" }
    let probes = kept.filter { $0.kind == "probe" }
    let recordings = voices.map(\.recording).uniqued()
    self.candidates = candidates
    self.recordings = recordings
    metrics = Dictionary(
      uniqueKeysWithValues: axes.uniqued().compactMap { axis in
        axis.metrics.first { id in kept.contains { $0.hasValue(id) } }.map { (axis, $0) }
      })
    let rows = Dictionary(uniqueKeysWithValues: zip(candidates, candidates.indices))
    let columns = Dictionary(uniqueKeysWithValues: zip(recordings, recordings.indices))
    func ofProbes(_ ids: [String], _ change: (Double) -> Double) -> [Double?] {
      var found = [[Double]](repeating: [], count: candidates.count)
      for cell in probes {
        found[rows[Candidate(cell)]!] += cell.values(ids).map(change)
      }
      return found.map { Statistics.median($0) }
    }
    impulseLatencyMs = ofProbes(["latency.impulse"]) { $0 }
    for axis in axes {
      let ids = metrics[axis].map { [$0] } ?? axis.metrics
      let isOfVoices = voices.contains { cell in ids.contains { cell.hasValue($0) } }
      var found = [[[Double]]](
        repeating: Array(repeating: [], count: recordings.count), count: candidates.count)
      var why = [[String: Int]](repeating: [:], count: candidates.count)
      for cell in voices {
        let (row, column) = (rows[Candidate(cell)]!, columns[cell.recording]!)
        found[row][column] += cell.values(ids).map(axis.value)
        for reason in cell.reasons(ids) { why[row][reason, default: 0] += 1 }
      }
      let most = why.map { $0.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key }
      reasons[axis] = most
      if metrics[axis] == nil {
        missing[axis] =
          most.compactMap(\.self).first
          ?? "no cell measured " + axis.metrics.joined(separator: " or ")
      } else if isOfVoices {
        values[axis] = found.map { $0.map { Statistics.median($0) } }
      } else {
        constants[axis] = ofProbes(ids, axis.value)
      }
    }
  }

  /// Over recordings.
  func median(_ axis: TuneAxis, _ candidate: Int) -> Double? {
    if let constants = constants[axis] { return constants[candidate] }
    return values[axis].flatMap { Statistics.median($0[candidate].compactMap(\.self)) }
  }

  /// What a candidate has on every axis that it has a value on.
  func medians(_ candidate: Int) -> [TuneAxis: Double] {
    Dictionary(
      uniqueKeysWithValues: metrics.keys.compactMap { axis in
        median(axis, candidate).map { (axis, $0) }
      })
  }
}

extension CellResult {
  fileprivate func values(_ metrics: [String]) -> [Double] {
    metrics.flatMap { measurements(of: $0) }.compactMap {
      if case .value(let value) = $0.outcome { value } else { nil }
    }
  }

  fileprivate func hasValue(_ metric: String) -> Bool { !values([metric]).isEmpty }

  /// Why metrics have no value, or the cell failed.
  fileprivate func reasons(_ metrics: [String]) -> [String] {
    if case .failed(let reason) = outcome { return [reason] }
    return metrics.flatMap { measurements(of: $0) }.compactMap {
      if case .undefined(let reason) = $0.outcome { reason } else { nil }
    }
  }
}
