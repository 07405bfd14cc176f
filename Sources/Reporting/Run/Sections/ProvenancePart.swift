import Evaluation
import Foundation

/// Where the numbers come from, and how to read them.
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
        "\(run.plan.name), begun \(run.startedAt) UTC"
          + (run.finishedAt.map { ", finished \($0) UTC" } ?? ", not finished")),
      Remark("subjects, as measured", versions.joined(separator: "; ")),
      Remark("measured by", Self.line(measured.programs)),
      Remark("measured on", Self.line(measured.machines)),
      Remark(
        "plan",
        "\(count(recordings.count, "recording")), "
          + "conditions \(run.cells.map(\.condition).uniqued().joined(separator: ", ")), "
          + "scores \(run.plan.scores.map(\.id).joined(separator: ", ")), settings "
          + run.plan.axisNames.joined(separator: ", ")),
      Remark("cells", "\(run.cells.count) of \(run.plannedCells) planned"),
      Remark("machine, of the report", Machine.description),
      Remark(
        "seeds",
        "Conditions name theirs. Draws of recordings: seed 1, \(facts.answer.draws) draws. Cells "
          + "themselves draw nothing at random."),
    ]
    for (subject, note) in notes(run.cells) { remarks.append(Remark("\(subject), note", note)) }
    if let baseline = facts.baseline {
      remarks.append(Remark("baseline", baseline.name))
      let changes = baseline.provenance.changes(to: measured)
      remarks.append(
        Remark(
          "changed since the baseline",
          changes.isEmpty
            ? "neither subject, toolkit nor machine" : changes.joined(separator: "; ")))
    }
    remarks.append(
      Remark("metrics", Metric.all.map { "\($0.id) \($0.version)" }.joined(separator: ", ")))
    return remarks + recordings.map { Remark($0.id, "\($0.licence); \($0.attribution)") }
  }

  private static func line(_ shares: [ProvenanceSummary.Share]) -> String {
    shares.isEmpty ? "unknown" : ProvenanceSummary.line(shares)
  }

  /// What is to be known beside the numbers, by subject, each once.
  private func notes(_ cells: [CellResult]) -> [(String, String)] {
    cells.map(\.subject).uniqued().flatMap { subject in
      cells.filter { $0.subject == subject }.compactMap(\.note).uniqued().map { (subject, $0) }
    }
  }

  static let reading = [
    Remark(
      "missing, doesn't apply",
      "Missing: there might be a number, but this subject or this run gave none. Doesn't apply: no "
        + "subject could give one, since the recording or the score has nothing of the kind. The "
        + "letter leads to the reason below the table."),
    Remark(
      "good, fair, poor",
      "What listeners, singers or the clock make of a headline's number, by the sources named below "
        + "the headlines. The verdict doesn't use them."),
    Remark(
      "setting to ship",
      "The one that lacks least, summed over latency, pitch error, cost and words, each in units of "
        + "what a user begins to mind: 10 ms, 10 cents, 5 % of a core, 0.1 of ESTOI."),
    Remark(
      "pitch error",
      "Distance of a voice from the lead's pitch moved by its interval, aligned by the measured "
        + "delay; 100 cents are a semitone. Listeners hear about 25 cents as out of tune."),
    Remark(
      "median, p95",
      "Over the frames of a recording; then the median over recordings. Of headlines, voices and "
        + "conditions of one recording are one number, their median. From and to: 95 %, recordings "
        + "being what is drawn."),
    Remark(
      "second judge",
      "The same error by a harmonic least squares fit, which shares no code with "
        + "the tracker. Where the two differ, trust neither to less than the difference."),
    Remark(
      "latency",
      "Of onsets, sound to sound: the lag at which loudness in and out run together, on the "
        + "recordings. Of lone impulses: the centre of what comes out, by amplitude; the delay of the "
        + "delay line sweeps, so single impulses differ."),
    Remark(
      "formant ratio",
      "How far the spectral envelope moved: 1 where formants were kept, the "
        + "pitch ratio where they moved along (chipmunk)."),
    Remark(
      "ESTOI",
      "How much of the words survived, up to 1, against the oracle: the same synthetic singer with "
        + "the same mouth at the target pitch. A proxy, not a listener."),
    Remark(
      "left out, uncertain by",
      "A recording without truth is judged by two trackers that share nothing. Voiced frames on "
        + "which they differ by more than 50 cents don't count; the median difference on the others "
        + "is how well the target itself is known."),
    Remark(
      "regression, improvement, within noise, inconclusive",
      "A change counts if it is more than a listener minds and more than chance explains, over all "
        + "figures together. Inconclusive: perhaps it is, and the recordings can't tell."),
    Remark("–", "No value; the reason stands below the table, and the cell's page names the cell."),
    Remark(
      "what it does not show",
      "How it sounds. The second judge and the tracker agree on a voice "
        + "that trembles; listen to the clips."),
  ]
}

/// The computer at hand, in words.
enum Machine {
  static var description: String {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let model = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)).flatMap { text in
      text.split(separator: "\n").first { $0.hasPrefix("model name") }?
        .split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
    }
    return [model, "\(cores) cores", ProcessInfo.processInfo.operatingSystemVersionString]
      .compactMap(\.self).joined(separator: ", ")
  }
}
