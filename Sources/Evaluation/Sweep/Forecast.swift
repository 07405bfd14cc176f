import Corpus
import Foundation
import Platform

/// The expected duration and size of a sweep.
public struct Forecast: Codable, Equatable, Sendable {
  public var cells: Int
  public var stored: Int
  public var pending: Int
  /// Wall-clock seconds with the given jobs, without rounds of careful timing.
  public var seconds: Double
  /// Growth of the store, without the sounds to listen to.
  public var bytes: Int
  /// Basis of the forecast, in words.
  public var basis: String
}

extension Sweep {
  /// Forecasts from stored cells of the same recordings and subjects. Without these it measures a
  /// few cells now and discards them.
  public func forecast(jobs: Int) async throws -> Forecast {
    let pending = try pending()
    var forecast = Forecast(
      cells: share.count, stored: share.count - pending.count, pending: pending.count, seconds: 0,
      bytes: 0, basis: "nothing to do")
    guard !pending.isEmpty else { return forecast }
    let known = try store.meanSeconds()
    let subjects = Set(pending.map(\.subjectID))
    let cellSeconds: [Double]
    let cellBytes: Double
    if subjects.isSubset(of: known.keys.map(\.subject)) {
      let bySubject = Dictionary(grouping: known, by: \.key.subject)
        .mapValues { means in means.reduce(0) { $0 + $1.value } / Double(means.count) }
      cellSeconds = pending.map { cell in
        known[ResultStore.CellKind(recording: cell.recording.id, subject: cell.subjectID)]
          ?? bySubject[cell.subjectID]!
      }
      let size = try store.size()
      cellBytes = Double(size.bytes) / Double(max(1, size.cells))
      forecast.basis = "\(counted(size.cells, "cell")) in the store"
    } else {
      let probe = try await probe(pending)
      cellSeconds = pending.map { probe.seconds[$0.subjectID] ?? probe.meanSeconds }
      cellBytes = probe.cellBytes
      forecast.basis = "\(counted(probe.count, "cell")) measured for this forecast"
    }
    // More jobs than cores do not help.
    let workers = min(jobs, ProcessInfo.processInfo.activeProcessorCount)
    forecast.seconds = cellSeconds.reduce(0, +) / Double(workers)
    forecast.bytes = Int(cellBytes * Double(pending.count))
    return forecast
  }

  private struct Probe {
    var count: Int
    /// Mean seconds of a cell by subject.
    var seconds: [String: Double]
    var meanSeconds: Double
    var cellBytes: Double
  }

  /// Measures cells for a few seconds, at least one of each subject, and discards them.
  private func probe(_ pending: [Cell]) async throws -> Probe {
    let folder = try ScratchFolder()
    defer { folder.discard() }
    let scratch = try ResultStore(folder.file("probe.sqlite"))
    let emptyBytes = try scratch.size().bytes
    let work = work()
    let began = Date()
    var taken: [String: [Double]] = [:]
    var count = 0
    let order = CellOrder.spread(pending)
    let firsts = Set(pending.map(\.subjectID)).sorted().compactMap { subject in
      order.first { $0.subjectID == subject }
    }
    for cell in firsts + order.prefix(16) {
      guard count < firsts.count || Date().timeIntervalSince(began) < 3 else { break }
      let start = Date()
      var finished = await work.finish(cell, keepingSound: false)
      let seconds = Date().timeIntervalSince(start)
      // Tables grow by whole pages, so the size of one cell is measured with 32 copies.
      for copy in 0..<32 {
        finished.result.key = "\(cell.key.prefix(60))\(copy)"
        try scratch.save(finished)
      }
      taken[cell.subjectID, default: []].append(seconds)
      count += 1
    }
    let means = taken.mapValues { $0.reduce(0, +) / Double($0.count) }
    let size = try scratch.size()
    return Probe(
      count: count, seconds: means,
      meanSeconds: means.values.reduce(0, +) / Double(max(1, means.count)),
      cellBytes: Double(size.bytes - emptyBytes) / Double(max(1, size.cells)))
  }
}
