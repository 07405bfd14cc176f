import Corpus
import Foundation
import Metrics
import Platform
import Subjects
import Sweep
import Tuning

/// The origin of the numbers, and how to read them.
struct ProvenancePart {
  let facts: RunFacts

  func remarks() -> [Remark] {
    let run = facts.run
    let used = Set(run.cells.map(\.recording))
    let recordings = facts.corpus.entries.filter { used.contains($0.id) }
    let measured = ProvenanceSummary(of: run.cells)
    let versions = run.cells.map(\.subject).uniqued().map { id in
      "\(id) "
        + (measured.subjects[id].map { "version " + ProvenanceSummary.line($0) }
          ?? "of unknown version")
    }
    var remarks = [
      Remark(
        "run",
        "\(run.plan.name), started \(run.startedAt) UTC"
          + (run.finishedAt.map { ", finished \($0) UTC" } ?? ", not finished")),
      Remark("subjects, as measured", versions.joined(separator: "; ")),
      Remark("measured by", Self.line(measured.programs)),
      Remark("measured on", Self.line(measured.machines)),
      Remark(
        "plan",
        "\(counted(recordings.count, "recording")), "
          + "conditions \(run.cells.map(\.condition).uniqued().joined(separator: ", ")), "
          + "scores \(run.plan.scores.map(\.id).joined(separator: ", ")), settings "
          + run.plan.axisNames.joined(separator: ", ")),
      Remark("cells", "\(run.cells.count) of \(run.plannedCells) planned"),
      Remark("report made on", Machine.description),
      Remark(
        "seeds",
        "Conditions name their seeds. Draws of recordings: seed 1, \(facts.answer.draws) draws. "
          + "Cells use no other random numbers."),
    ]
    for (subject, note) in notes(run.cells) { remarks.append(Remark("\(subject), note", note)) }
    if let baseline = facts.baseline {
      remarks.append(Remark("baseline", baseline.name))
      let changes = baseline.provenance.changes(to: measured)
      remarks.append(
        Remark(
          "changed since the baseline",
          changes.isEmpty
            ? "nothing: subject, toolkit and machine are the same"
            : changes.joined(separator: "; ")))
    }
    remarks.append(
      Remark("metrics", Metric.all.map { "\($0.id) \($0.version)" }.joined(separator: ", ")))
    return remarks + recordings.map { Remark($0.id, "\($0.licence); \($0.attribution)") }
  }

  private static func line(_ shares: [ProvenanceSummary.Share]) -> String {
    shares.isEmpty ? "unknown" : ProvenanceSummary.line(shares)
  }

  /// Notes of the cells by subject, each once.
  private func notes(_ cells: [CellResult]) -> [(String, String)] {
    cells.map(\.subject).uniqued().flatMap { subject in
      cells.filter { $0.subject == subject }.compactMap(\.note).uniqued().map { (subject, $0) }
    }
  }

  /// The terms of the page and their meaning, a paragraph each, whose first line is the term.
  static let reading = String(decoding: PackageResources.reading_txt, as: UTF8.self)
    .split(separator: "\n\n").map { paragraph in
      let lines = paragraph.split(separator: "\n")
      return Remark(String(lines[0]), lines.dropFirst().joined(separator: " "))
    }
}

/// The computer that makes the report.
enum Machine {
  static var description: String {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let model = (try? GivenFile.text(at: URL(fileURLWithPath: "/proc/cpuinfo"))).flatMap { text in
      text.split(separator: "\n").first { $0.hasPrefix("model name") }?
        .split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
    }
    return [model, "\(cores) cores", ProcessInfo.processInfo.operatingSystemVersionString]
      .compactMap(\.self).joined(separator: ", ")
  }
}
