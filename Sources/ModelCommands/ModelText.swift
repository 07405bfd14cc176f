import CommandSupport
import Files
import Foundation
import Identification
import Statistics

/// An identified model for a terminal.
package enum ModelText {
  package static func text(_ model: IdentifiedModel) -> String {
    let chosen = model.settings.isEmpty ? "" : " with \(model.settings.canonical)"
    let parts = [
      ("delay", words(model.delay, delay)),
      ("pitch", pitch(model.tones)),
      ("steps", words(model.following, following)),
      ("formants", words(model.formants, formants)),
      ("level", level(model.tones)),
      ("cost", words(model.cost, cost)),
      ("band", words(model.band, band)),
    ]
    let lines = parts.map { name, words in
      name.padding(toLength: 10, withPad: " ", startingAt: 0) + words
    }
    return """
      \(model.subject) \(model.version)\(chosen), identified from \(fixed(model.soundSeconds, 0)) s \
      of sound

      \(lines.joined(separator: "\n"))

      \(tones(model.tones))
      """
  }

  private static func words<Value>(
    _ part: Identified<Value>, _ known: (Value) -> String
  ) -> String {
    switch part {
    case .known(let value): known(value)
    case .unknown(let reason): "undefined: \(reason)"
    }
  }

  private static func delay(_ law: DelayLaw) -> String {
    var terms = ["\(fixed(law.fixedMs, 2)) ms"]
    func add(_ count: Double, _ unit: String) {
      guard abs(count) >= 0.005 else { return }
      terms.append("\(count < 0 ? "−" : "+") \(fixed(abs(count), 2)) \(unit)")
    }
    if abs(law.perShiftMs) >= 0.05 {
      add(law.perShiftMs, "ms × (1 − output period / input period)")
    }
    add(law.inputPeriods, "input periods")
    add(law.outputPeriods, "output periods")
    add(law.blocks ?? 0, "blocks")
    return terms.joined(separator: " ")
      + "; \(law.trials) tones lie within \(fixed(law.largestResidualMs, 2)) ms of this"
  }

  private static func pitch(_ tones: [ToneTrial]) -> String {
    let shifts = Set(tones.map(\.semitones)).sorted()
    let errors = shifts.compactMap { shift -> String? in
      let own = tones.filter { $0.semitones == shift }.compactMap(\.errorCents.value)
      return Statistics.median(own).map { "\(signed($0)) cents at \(signed(shift, 0))" }
    }
    guard !errors.isEmpty else {
      return tones.compactMap(\.errorCents.reason).first.map { "undefined: \($0)" } ?? "undefined"
    }
    let swing = Statistics.median(tones.compactMap(\.swingCents.value)) ?? 0
    return errors.joined(separator: ", ") + "; a steady tone swings by \(fixed(swing)) cents (SD)"
  }

  private static func following(_ found: PitchFollowing) -> String {
    let gain = found.vibratoGain.map { "; a vibrato of 5.5 Hz keeps \(fixed(100 * $0, 0)) %" } ?? ""
    return "half of a step after \(fixed(found.stepDelayMs)) ms, settled after "
      + "\(fixed(found.settleMs)) ms, overshoot \(fixed(found.overshootCents)) cents\(gain)"
  }

  private static func formants(_ found: FormantBehaviour) -> String {
    "\(found.kind.rawValue): they make \(fixed(found.movedShare, 2)) of the pitch's shift"
  }

  private static func level(_ tones: [ToneTrial]) -> String {
    let known = tones.filter { $0.levelSwingDb.value != nil }
    guard let most = known.max(by: { $0.levelSwingDb.value! < $1.levelSwingDb.value! }) else {
      return tones.compactMap(\.levelSwingDb.reason).first.map { "undefined: \($0)" } ?? "undefined"
    }
    guard most.levelSwingDb.value! >= 0.1 else { return "no regular swing of 0.1 dB or more" }
    return "swings by up to \(fixed(most.levelSwingDb.value!)) dB at "
      + "\(fixed(most.levelSwingHz)) Hz (\(fixed(most.noteHz, 0)) Hz by \(signed(most.semitones, 0)))"
  }

  private static func cost(_ law: CostLaw) -> String {
    var parts = ["\(fixed(100 * law.perSecond, 2)) % of a core for one voice"]
    if let more = law.perVoice { parts.append("\(fixed(100 * more, 2)) % for each further voice") }
    if let block = law.perBlockMicroseconds { parts.append("\(fixed(block)) µs for each block") }
    if law.startSeconds > 0 { parts.append("\(fixed(1000 * law.startSeconds)) ms to start") }
    return parts.joined(separator: ", ")
  }

  private static func band(_ band: WorkingBand) -> String {
    guard let low = band.lowestHz, let high = band.highestHz else {
      return
        "no note of \(fixed(band.notes[0].hz, 0)) to \(fixed(band.notes.last!.hz, 0)) Hz comes "
        + "out in tune"
    }
    return "input of \(fixed(low, 0))\(band.reachesLowest ? " or lower" : "") to "
      + "\(fixed(high, 0)) Hz\(band.reachesHighest ? " or higher" : "")"
  }

  private static func tones(_ tones: [ToneTrial]) -> String {
    var table = TextTable(header: [
      "note Hz", "semitones", "block", "delay ms", "error cents", "swing cents", "level dB",
      "at Hz", "gain dB", "varied",
    ])
    for tone in tones {
      table.rows.append([
        format(tone.noteHz, 0), format(tone.semitones, 0), tone.blockSize.map { "\($0)" } ?? "",
        format(tone.delayMs.value, 2), format(tone.errorCents.value, 2),
        format(tone.swingCents.value, 2), format(tone.levelSwingDb.value, 2),
        format(tone.levelSwingHz, 1), format(tone.gainDb, 1), tone.varied ?? "",
      ])
    }
    return table.text()
  }

  private static func signed(_ value: Double, _ decimals: Int = 1) -> String {
    let text = fixed(abs(value), decimals)
    return Double(text) == 0 ? text : (value < 0 ? "-" : "+") + text
  }
}
