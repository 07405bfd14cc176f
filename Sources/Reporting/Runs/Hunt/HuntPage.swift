import Analyzer
import DSP
import Foundation
import Metrics
import Platform
import Probes
import Sweep

/// The page of a hunt: each finding with its sound before and after shrinking, a picture and its
/// recipe.
public struct HuntPage {
  private let result: HuntResult
  /// The folder of the page as the user names it, for the commands on it.
  public let folder: String
  private let options: [String]

  /// - Parameters:
  ///   - folder: the folder of the page as the user names it.
  ///   - options: options that a replay needs as well, such as `--corpus mine`.
  public init(_ result: HuntResult, folder: String, options: [String] = []) {
    (self.result, self.folder, self.options) = (result, folder, options)
  }

  /// Writes the page and the recipes, and replaces those of an earlier hunt.
  ///
  /// - Throws: `ReportError` and `PlotError`, and errors of the subject.
  public func write(to place: URL) throws {
    let scratch = try ScratchFolder()
    var page = ReportPage(
      title: "Hunt of \(result.subject)",
      subtitle: "\(result.subject) \(result.version); \(result.sounds) sounds judged, "
        + "\(result.ordinary) of them ordinary singing",
      verdict: PageVerdict(.measured, verdict),
      sections: [overview] + (try result.findings.enumerated().map { try section($0 + 1, $1) })
        + (result.robustness.isEmpty ? [] : [robustness]),
      reading: Self.reading, provenance: provenance, command: result.command)
    page.scratch = scratch
    for (index, finding) in result.findings.enumerated() {
      page.files["recipe-\(index + 1).yaml"] = try finding.recipe.text(command: replay(index + 1))
    }
    for (index, one) in result.robustness.enumerated() {
      page.files["session-\(index + 1).yaml"] = try one.recipe.text(
        command: replay(index + 1, "session"))
    }
    try ReportWriter().write(page, to: place)
  }

  /// Returns the command that plays a finding again.
  public func replay(_ number: Int, _ name: String = "recipe") -> String {
    Self.replay("\(folder)/\(name)-\(number).yaml", options)
  }

  static func replay(_ file: String, _ options: [String]) -> String {
    (["choir-eval", "hunt", "--replay", file] + options).map(\.forShell).joined(separator: " ")
  }

  private var verdict: String {
    guard let worst = result.findings.first else {
      return "Nothing audible was found that two judges agree on."
    }
    let kinds = result.findings.map(\.kind.rawValue).uniqued()
    return "\(kinds.count == 1 ? "One kind" : "\(kinds.count) kinds") of audible faults: "
      + "\(kinds.joined(separator: ", ")). The worst: \(worst.kind.rawValue), up to "
      + "\(NumberStyle.significant(2).text(worst.finding.worstSeverity)) times the threshold of "
      + "hearing."
  }

  private var overview: Section {
    var table = Table(
      id: "findings", title: "What one hears, and how often",
      columns: [
        .text("kind", "kind"), .text("fault", "fault"),
        .number("severity", "severity", style: .decimals(1)), .text("sound", "simplest sound"),
        .number("plain", "plain", style: .decimals(1)),
        .number("share", "in ordinary singing", unit: "%", style: .decimals(1)),
        .text("interval", "95 % interval"),
        .number("per_minute", "per minute", style: .decimals(1)),
      ],
      rows: result.findings.enumerated().map { index, one in
        let range = one.finding.rate?.wilson()
        return [
          .linked(.text(one.kind.rawValue), to: "#finding-\(index + 1)"), .text(one.after.words),
          .amount(Amount(one.after.severity)), .text(one.after.sound),
          .amount(Amount(one.finding.plainSeverity)),
          .amount(Amount(one.finding.rate.map { $0.share * 100 })),
          .text(
            range.map {
              "\(NumberStyle.decimals(1).text($0.lowerBound * 100)) to "
                + "\(NumberStyle.decimals(1).text($0.upperBound * 100)) %"
            } ?? "–"),
          .amount(Amount(one.finding.perMinute)),
        ]
      },
      note:
        "Severity counts thresholds of hearing. 'Plain' is the worst of six plain performances. "
        + "A kind with several causes has a row for each; its share is that of the kind.")
    table.isInSummary = true
    return Section(
      id: "overview", title: "Findings",
      intro: "Two judges agree on each fault, and the ideal rendering of the same sound lacks it.",
      tables: result.findings.isEmpty ? [] : [table])
  }

  private var robustness: Section {
    let table = Table(
      id: "sessions", title: "As hosts treat it",
      columns: [
        .text("fault", "the subject"), .text("found", "found"), .text("session", "session"),
        .number("sessions", "sessions", style: .decimals(0)), .text("replay", "replay"),
      ],
      rows: result.robustness.enumerated().map { index, one in
        [
          .text(one.finding.problem.fault.rawValue), .text(one.finding.problem.words),
          .text(one.finding.session.words), .amount(Amount(Double(one.finding.count))),
          .text(replay(index + 1, "session")),
        ]
      })
    return Section(
      id: "robustness", title: "Robustness",
      intro:
        "Rates, blocks, levels, silence, subnormal numbers and resets; the simplest session that "
        + "shows each fault.", tables: [table])
  }

  // MARK: One finding

  private func section(_ number: Int, _ one: HuntResult.Finding) throws -> Section {
    let id = "finding-\(number)"
    let (after, before) = (one.finding.after.point, one.finding.before.point)
    let observation = try? result.bench.observe(after)
    let intro =
      "One hears: \(one.after.words), "
      + "\(NumberStyle.decimals(1).text(one.after.severity)) times the "
      + "threshold of hearing (\(NumberStyle.setting.text(one.kind.threshold)) \(one.kind.unit)). "
      + "The sound: \(one.after.sound). Before it was shrunk: \(one.before.words), with "
      + "\(one.before.sound). \(one.rateInWords.prefix(1).uppercased())"
      + "\(one.rateInWords.dropFirst()). The second judge: \(one.kind.secondJudge)."
    let title =
      "\(number). \(one.kind.rawValue.prefix(1).uppercased())\(one.kind.rawValue.dropFirst())"
    guard let observation else {
      return Section(id: id, title: title, intro: intro)
    }
    let drawing = try drawing(id, number, one, observation)
    var clips: [Clip] = []
    if after != before, let whole = try? result.bench.observe(before) {
      clips.append(
        clip("\(id)-before", "Before shrinking", one.finding.first.voice, whole))
    }
    return Section(id: id, title: title, intro: intro, drawings: [drawing], clips: clips)
  }

  private func drawing(
    _ id: String, _ number: Int, _ one: HuntResult.Finding, _ observation: Observation
  ) throws -> Drawing {
    let voice = one.finding.fault.voice
    let sound = Self.sound(of: voice, observation)
    let picture = SoundPicture(Spectrogram(of: sound, rows: 60, maxColumns: 120))
    let trace = observation.traces.first { $0.voice == voice ?? 0 }
    let words = one.after.words
    return Drawing(
      id: "\(id)-picture", title: "The simplest sound",
      shows: "\(words.prefix(1).uppercased())\(words.dropFirst()), at the dashed line.",
      omits: "", command: replay(number),
      plot: .instant(
        InstantPlot(
          atS: one.after.atSeconds, windowS: 0...sound.durationSeconds,
          frames: trace?.frames ?? [], picture: .init(picture))),
      clip: clip("\(id)-after", "After shrinking", voice, observation))
  }

  private static func sound(of voice: Int?, _ observation: Observation) -> Signal {
    let stems = observation.rendering.stems
    guard let voice, stems.indices.contains(voice) else { return observation.rendering.mix }
    return stems[voice]
  }

  private func clip(
    _ id: String, _ title: String, _ voice: Int?, _ observation: Observation
  ) -> Clip {
    func sound(_ name: String, _ detail: String, _ signal: Signal) -> Sound {
      Sound(name, detail: detail, path: "\(id)-\(name)", made: signal.withoutClipping)
    }
    var sounds = [sound("output", "of the subject", Self.sound(of: voice, observation))]
    if let ideal = observation.oracle?.stems, ideal.indices.contains(voice ?? 0) {
      sounds.append(sound("ideal", "the same singer at the target", ideal[voice ?? 0].signal))
    }
    sounds.append(sound("input", "of the subject", observation.heard))
    return Clip(
      id: id, title: title, note: "Synthetic singer: CC0-1.0, no attribution needed.",
      sounds: sounds)
  }

  // MARK: Remarks

  private static let reading = [
    Remark(
      "threshold of hearing",
      "the smallest difference that listeners notice; sources: docs/reference/audibility.md"),
    Remark(
      "ordinary singing",
      "random performances of one to four notes by ten voices; docs/reference/hunt.md lists how "
        + "often each property occurs. The share holds for these, not for any one song"),
    Remark(
      "plain", "a vowel in six registers, without vibrato, noise or consonants, up and down"),
  ]

  private var provenance: [Remark] {
    [
      Remark("subject", "\(result.subject) \(result.version)"),
      Remark("settings", result.settings.isEmpty ? "defaults" : result.settings.canonical),
      Remark("seed", "\(result.seed)"),
      Remark(
        "usual",
        "delay \(NumberStyle.decimals(1).text(result.usual.delayMs)) ms, formants "
          + result.usual.formants.rawValue),
    ]
  }
}
