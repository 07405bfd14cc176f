import Analyzer
import DSP
import Foundation
import Metrics
import Platform
import Probes
import Sweep

/// The page of a hunt: each finding with its sound before and after shrinking, a picture and its
/// recipe.
package struct HuntPage {
  private let result: HuntResult
  /// The folder of the page as the user names it, for the commands on it.
  package let folder: String
  private let options: [String]

  /// - Parameters:
  ///   - folder: the folder of the page as the user names it.
  ///   - options: options that a replay needs as well, such as `--corpus mine`.
  package init(_ result: HuntResult, folder: String, options: [String] = []) {
    (self.result, self.folder, self.options) = (result, folder, options)
  }

  /// Returns the page with its recipes.
  ///
  /// - Throws: errors of the subject.
  package func page() throws -> ReportPage {
    let scratch = try ScratchFolder()
    var page = ReportPage(
      title: "Audible faults of \(result.subject)",
      subtitle: "A hunt for sounds that it does badly: \(result.sounds) judged, "
        + "\(result.ordinary) of them ordinary singing",
      verdict: PageVerdict(outcome, verdict),
      sections: [overview] + (try result.findings.enumerated().map { try section($0 + 1, $1) }),
      reading: Self.reading, provenance: provenance, command: result.command)
    page.scratch = scratch
    // The worst comes first.
    page.lead = page.sections.lazy.flatMap(\.drawings).first.map { worst in
      .init(
        drawing: worst.id,
        sounds: (worst.clip?.sounds ?? []).enumerated().filter { $0.element.name != "input" }.map {
          (
            $0.element.name == "ideal" ? "Play the ideal" : "Play the worst fault",
            AudioLink(clip: worst.clip!.id, sound: $0.offset)
          )
        })
    }
    if !result.findings.isEmpty { page.next = [Remark("To render and judge it again", replay(1))] }
    for (index, finding) in result.findings.enumerated() {
      page.files["recipe-\(index + 1).yaml"] = try finding.recipe.text(command: replay(index + 1))
    }
    return page
  }

  /// Returns the command that plays a finding again.
  package func replay(_ number: Int) -> String {
    Self.replay("\(folder)/recipe-\(number).yaml", options)
  }

  static func replay(_ file: String, _ options: [String]) -> String {
    (["choir-eval", "hunt", "--replay", file] + options).map(\.forShell).joined(separator: " ")
  }

  /// A fault of less than twice what is just heard is fair: headlines are fair up to 1.4 times what is just
  /// heard (tremolo) to 2.5 times (pitch).
  private var outcome: PageVerdict.Outcome {
    guard result.lapses.isEmpty else { return .poor }
    guard let worst = result.findings.map(\.finding.worstSeverity).max() else { return .good }
    return worst < 2 ? .fair : .poor
  }

  private var verdict: String {
    let remarks = [result.lapsesInWords, result.plain.formantsInWords].compactMap(\.self)
    return ([faults] + remarks.map { "\($0)." }).joined(separator: " ")
  }

  private var faults: String {
    guard let worst = result.findings.first else {
      return "Nothing audible was found that two judges agree on."
    }
    let kinds = result.findings.map(\.kind.rawValue).uniqued()
    let heard =
      "\(worst.after.words) (\(NumberStyle.setting.text(worst.kind.threshold)) \(worst.kind.unit) "
      + "is just heard"
      + (worst.finding.rate.map { "; met in \($0.successes) of \($0.trials) ordinary performances" }
        ?? "")
      + ")"
    return kinds.count == 1
      ? "An audible fault: \(heard)."
      : "\(kinds.count) kinds of audible faults: \(listed(kinds)). The worst: \(heard)."
  }

  private var overview: Section {
    let fields: [Table.Field<(place: Int, one: HuntResult.Finding)>] = [
      .cell("kind", "kind") {
        .linked(.text($0.one.kind.rawValue), to: "#finding-\($0.place)")
      },
      .text("fault", "fault") { $0.one.after.words },
      .number("severity", "severity", style: .decimals(1)) { $0.one.after.severity },
      .text("sound", "simplest sound") { $0.one.after.sound },
      .number("plain", "plain", style: .decimals(1)) { $0.one.finding.plainSeverity },
      .number("share", "in ordinary singing", unit: "%", style: .decimals(1)) {
        $0.one.finding.rate.map { $0.share * 100 }
      },
      .text("interval", "95 % interval") { row in
        guard let range = row.one.finding.rate?.wilson() else { return "–" }
        let decimals = NumberStyle.decimals(1)
        return
          "\(decimals.text(range.lowerBound * 100)) to \(decimals.text(range.upperBound * 100)) %"
      },
      .number("per_minute", "per minute", style: .decimals(1)) { $0.one.finding.perMinute },
    ]
    let table = Table(
      id: "findings", title: "What one hears, and how often",
      of: result.findings.enumerated().map { ($0 + 1, $1) }, fields,
      note:
        "Severity counts thresholds of hearing. 'Plain' is the worst of six plain performances. "
        + "A kind with several causes has a row for each; its share is that of the kind.",
      isInSummary: true)
    return Section(
      id: "overview", title: "Findings",
      intro: "Two judges agree on each fault, and the ideal rendering of the same sound lacks it.",
      tables: result.findings.isEmpty ? [] : [table])
  }

  private func section(_ number: Int, _ one: HuntResult.Finding) throws -> Section {
    let id = "finding-\(number)"
    let (after, before) = (one.finding.after.point, one.finding.before.point)
    let observation = try? result.bench.observe(after)
    let intro =
      "One hears: \(one.after.words), "
      + "\(NumberStyle.decimals(1).text(one.after.severity)) times the "
      + "threshold of hearing (\(NumberStyle.setting.text(one.kind.threshold)) \(one.kind.unit)). "
      + "The sound: \(one.after.sound). Before it was shrunk: \(one.before.words), with "
      + "\(one.before.sound). \(one.rateInWords.capitalizedFirst). The second judge: \(one.kind.secondJudge)."
    let title = "\(number). \(one.kind.rawValue.capitalizedFirst)"
    guard let observation else {
      return Section(id: id, title: title, intro: intro)
    }
    let drawing = try drawing(id, number, one, observation)
    var clips: [Clip] = []
    if after != before, let whole = try? result.bench.observe(before) {
      clips.append(clip("\(id)-before", "Before shrinking", one.finding.first.voice, whole))
    }
    return Section(id: id, title: title, intro: intro, drawings: [drawing], clips: clips)
  }

  private func drawing(
    _ id: String, _ number: Int, _ one: HuntResult.Finding, _ observation: Observation
  ) throws -> Drawing {
    let voice = one.finding.fault.voice
    let sound = Self.sound(of: voice, observation)
    func picture(_ sound: Signal) -> Spectrogram {
      Spectrogram(of: sound, rows: 60, maxColumns: 120)
    }
    let trace = observation.traces.first { $0.voice == voice ?? 0 }
    let ideal = one.kind.isOfPitch ? nil : Self.ideal(of: voice, observation)
    let words = one.after.words
    return Drawing(
      id: "\(id)-picture", title: "The simplest sound that shows it",
      shows: "\(words.capitalizedFirst), "
        + (one.after.stretch == nil ? "at the dotted line." : "between the dotted lines."),
      omits: "", command: replay(number),
      plot: InstantPlot(
        marksS: one.after.stretch.map { [$0.lowerBound, $0.upperBound] } ?? [one.after.atSeconds],
        windowS: 0...sound.durationSeconds,
        frames: trace?.frames ?? [], picture: picture(sound), ideal: ideal.map(picture)),
      clip: clip("\(id)-after", "After shrinking", voice, observation))
  }

  private static func sound(of voice: Int?, _ observation: Observation) -> Signal {
    let stems = observation.rendering.stems
    guard let voice, stems.indices.contains(voice) else { return observation.rendering.mix }
    return stems[voice]
  }

  /// The same singer at the voice's target; `nil` without truth.
  private static func ideal(of voice: Int?, _ observation: Observation) -> Signal? {
    let stems = observation.oracle?.stems ?? []
    return stems.indices.contains(voice ?? 0) ? stems[voice ?? 0].signal : nil
  }

  private func clip(
    _ id: String, _ title: String, _ voice: Int?, _ observation: Observation
  ) -> Clip {
    func sound(_ name: String, _ detail: String, _ signal: Signal) -> Sound {
      Sound(name, detail: detail, path: "\(id)-\(name)", made: signal.withoutClipping)
    }
    var sounds = [sound("output", "of the subject", Self.sound(of: voice, observation))]
    if let ideal = Self.ideal(of: voice, observation) {
      sounds.append(sound("ideal", "the same singer at the target", ideal))
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
      "the smallest difference that listeners notice; sources: docs/reference/metrics.md#audibility"
    ),
    Remark(
      "ordinary singing",
      "random performances of one to four notes by ten voices; docs/reference/hunt.md lists how "
        + "often each property occurs. The share holds for these, not for any one song"),
    Remark("plain", "a vowel in six registers, without vibrato, noise or consonants, up and down"),
  ]

  private var provenance: [Remark] {
    [
      Remark("subject", "\(result.subject) \(result.version)"),
      Remark("settings", result.settings.isEmpty ? "defaults" : result.settings.canonical),
      Remark("seed", "\(result.seed)"),
      Remark(
        "plain voice",
        "delay \(NumberStyle.decimals(1).text(result.plain.delayMs)) ms"
          + (result.plain.formants.map { ", formants \($0.rawValue)" } ?? "")),
    ]
  }
}
