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

  static let reading = [
    Remark(
      "missing, doesn't apply",
      "Missing: a value was possible, but this subject or this run gave none. Doesn't apply: no "
        + "subject could give a value, because the recording or the score has nothing of the kind. "
        + "The letter refers to the reason below the table."),
    Remark(
      "good, fair, poor",
      "A grade of a headline number by published limits; its sources are named below the headlines. "
        + "The verdict doesn't use it."),
    Remark(
      "recommended, total",
      "The recommended setting has the lowest total of those that serve every register. The total is "
        + "a sum of steps: log2(1 + figure / threshold of hearing) for each fault, in the worst voice "
        + "and register, and a step for each 10 ms of latency and each 5 % of a core."),
    Remark(
      "on the front, dominated",
      "A setting is dominated if another one is at least as good on every axis and better on one. "
        + "The front is all settings that are not dominated."),
    Remark(
      "pitch error",
      "Distance of a voice from its target, the lead's pitch moved by an interval and aligned by the "
        + "measured delay; 100 cents are a semitone. Listeners hear about 25 cents as out of tune."),
    Remark(
      "median, p95",
      "Median and 95th percentile over the frames of a recording; then the median over recordings. "
        + "In headlines, the voices and conditions of one recording count as one number, their "
        + "median. From and to: a 95 % interval from draws of recordings."),
    Remark(
      "second judge",
      "The same error, measured by a harmonic least-squares fit that shares no code with "
        + "the tracker. The difference between the two is the uncertainty of both."),
    Remark(
      "latency",
      "By onsets, sound to sound: the lag at which the loudness of input and output agree, on the "
        + "recordings. By single impulses: the centre of the output, by amplitude. The delay of the "
        + "delay line sweeps, so single impulses differ."),
    Remark(
      "formant ratio",
      "Shift of the spectral envelope: 1 if formants were kept, the "
        + "pitch ratio if they moved with the pitch (chipmunk)."),
    Remark(
      "ESTOI",
      "A measure of intelligibility up to 1, compared with the oracle: the same synthetic singer "
        + "with the same vocal tract at the target pitch. A proxy, not a listener."),
    Remark(
      "left out, uncertain by",
      "A recording without ground truth is judged by two independent trackers. Voiced frames on "
        + "which they differ by more than 50 cents are left out; the median difference on the others "
        + "is the uncertainty of the target."),
    Remark(
      "regression, improvement, within noise, inconclusive",
      "A change counts if it reaches the minimum effect and chance does not explain it, over all "
        + "figures together. Inconclusive: the recordings can't decide."),
    Remark("–", "No value; the reason is below the table, and the cell's page names the cell."),
    Remark(
      "what it does not show",
      "The sound itself. Tracker and second judge agree on a voice that trembles: listen to the "
        + "clips."),
  ]
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
