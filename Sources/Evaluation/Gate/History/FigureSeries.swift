import Metrics
import Platform

/// One figure over the commits that measured it alike, the oldest first.
public struct FigureSeries: Sendable {
  public var plan: String
  public var key: FigureKey
  /// Version of the metric: values of other versions can't be compared.
  public var version: Int
  /// Class of the machine of a cost; `nil` for figures that do not depend on it.
  public var machine: String?
  /// One record for each commit.
  public var records: [HistoryRecord]

  public var values: [Double] { records.map(\.value) }
  public var unit: String { Metric.metric(id: key.figure.metric)?.unit ?? "" }

  /// Smallest change that matters, in the metric's unit.
  public var minimumEffect: Double { Metric.metric(id: key.figure.metric)?.minimumEffect ?? 0 }

  /// Text such as `pitch.abs_error · +7 · chord`.
  public var name: String { "\(key)" }
}

extension History {
  /// Returns the records of one figure with one for each commit: the mean of all machines.
  private static func merged(_ records: [HistoryRecord]) -> [HistoryRecord] {
    var merged: [HistoryRecord] = []
    for (_, same) in Dictionary(grouping: records, by: \.commit) {
      var one = same[0]
      one.value = same.reduce(0) { $0 + $1.value } / Double(same.count)
      merged.append(one)
    }
    return merged.sorted(by: HistoryRecord.isBefore)
  }

  /// Returns all figures in alphabetical order, or those of one metric, family or name.
  ///
  /// - Throws: a `Refusal` if there is none of that name.
  public func series(of name: String? = nil) throws(Refusal) -> [FigureSeries] {
    struct Kind: Hashable {
      var plan: String
      var key: FigureKey
      var version: Int
      var machine: String?
    }
    let costs = Set(MetricFamily.all.filter { $0.id == "cost" }.flatMap(\.metrics).map(\.id))
    let groups = Dictionary(grouping: records) { record in
      Kind(
        plan: record.plan, key: record.key, version: record.version,
        machine: costs.contains(record.key.figure.metric) ? record.machine : nil)
    }
    let all = groups.map { kind, records in
      FigureSeries(
        plan: kind.plan, key: kind.key, version: kind.version, machine: kind.machine,
        records: Self.merged(records))
    }.sorted {
      ($0.key, $0.plan, $0.version, $0.machine ?? "")
        < ($1.key, $1.plan, $1.version, $1.machine ?? "")
    }
    guard let name else { return all }
    let chosen = all.filter { one in
      let metric = one.key.figure.metric
      return metric == name || one.name == name || metric.hasPrefix(name + ".")
    }
    guard !chosen.isEmpty else {
      throw Refusal(
        "the history has no figure '\(name)'; it has "
          + "\(all.map(\.key.figure.metric).uniqued().prefix(12).joined(separator: ", "))"
      )
    }
    return chosen
  }
}
