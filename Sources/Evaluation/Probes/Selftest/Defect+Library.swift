import Corpus

extension Defect {
  /// Defects that the project's own gate must detect.
  ///
  /// The detecting metrics were fixed before any measurement, except for the shares of frames
  /// within 5 and 10 cents. One of the named metrics is enough.
  public static let library: [Defect] =
    [1.0, 2, 3, 5, 10].map(detuned) + voices + [0.25, 0.5, 1, 2].map(delayed) + timing
    + [2.0, 5, 10].map(formants) + sound + contract

  private static func detuned(cents: Double) -> Defect {
    Defect(
      "detune-\(number(cents))", "one voice \(number(cents)) cents sharp", .detuned(cents: cents),
      seenBy: ["pitch.abs_error", "pitch.bias", "pitch.within_5", "pitch.within_10"],
      measuring: ["pitch", "voices"],
      requiredPower: cents == 3 ? 0.99 : nil)
  }

  private static let voices = [
    Defect(
      "octave", "one voice an octave up in 1 % of its time",
      .octaveErrors(share: 0.01, burstMs: 50),
      seenBy: ["pitch.octave_errors", "pitch.gross_errors"], measuring: ["pitch", "voices"]),
    Defect(
      "octave-note", "one voice an octave up for one note of 300 ms in thirty",
      .octaveErrors(share: 1.0 / 30, burstMs: 300),
      // A soft voice an octave up may fall below the others; then it is missing from its place.
      seenBy: ["pitch.octave_errors", "pitch.gross_errors", "voice.missing"],
      measuring: ["pitch", "voices"]),
    Defect(
      "missing", "one voice silent throughout", .missing,
      seenBy: ["voice.missing", "chord.recall"], measuring: ["pitch", "voices"],
      requiredPower: 0.99),
    Defect(
      "drop", "one voice silent for 200 ms", .dropped(ms: 200),
      seenBy: ["voice.missing", "dropouts.count"],
      measuring: ["pitch", "voices", "dropouts.count"], requiredPower: 0.99),
    Defect(
      "swap", "two voices sing each other's part", .swapped,
      seenBy: ["voice.swapped", "pitch.gross_errors", "voice.level"],
      measuring: ["pitch", "voices"]),
  ]

  private static func delayed(ms: Double) -> Defect {
    Defect(
      "delay-\(number(ms))", "\(number(ms)) ms later than stated", .delayed(ms: ms),
      seenBy: ["latency.impulse", "latency.onset", "latency.report_error"], measuring: ["latency"],
      requiredPower: ms == 0.5 ? 0.99 : nil)
  }

  private static let timing = [
    Defect(
      "jitter", "delay that wanders by 1 ms", .jittered(ms: 1),
      seenBy: ["latency.impulse.p95", "latency.onset.p95"], measuring: ["latency"],
      requiredPower: 0.99),
    Defect(
      "misreport", "stated latency 64 samples too long", .misreported(samples: 64),
      seenBy: ["latency.report_error"], measuring: ["latency"], requiredPower: 0.99),
  ]

  private static func formants(percent: Double) -> Defect {
    Defect(
      "formants-\(number(percent))", "one voice's formants \(number(percent)) % higher",
      .formantsMoved(percent: percent),
      seenBy: ["formant.ratio", "formant.f1_shift", "formant.f2_shift", "formant.f3_shift"],
      measuring: [
        "formant.ratio", "formant.f1_shift", "formant.f2_shift", "formant.f3_shift", "envelope.lsd",
      ], requiredPower: percent == 5 ? 0.99 : nil)
  }

  private static let sound = [
    Defect(
      "tilt", "one voice duller by 3 dB from 100 Hz to 5 kHz", .tilted(db: -3),
      seenBy: ["timbre.tilt_change"], measuring: ["timbre.tilt_change"]),
    Defect(
      "clicks", "a click a second at -40 dBFS in one voice", .clicking(dbfs: -40),
      seenBy: ["clicks.count"], measuring: ["clicks.count"]),
    Defect(
      "tremolo", "tremolo of 1 dB in one voice", .trembling(db: 1), seenBy: ["tremolo.depth"],
      measuring: ["tremolo.depth"]),
    Defect(
      "consonants-dull", "one voice's consonants 12 dB softer above 2 kHz",
      .consonantsDulled(db: -12), seenBy: ["consonant.lost", "consonant.kept"],
      measuring: ["consonants"]),
    Defect(
      "consonants-double", "one voice's consonants twice, 30 ms apart", .consonantsDoubled(ms: 30),
      seenBy: ["consonant.doubled", "consonant.kept"], measuring: ["consonants"]),
  ]

  private static let contract = [
    Defect(
      "nan", "NaN after 2 s of silence", .notANumber(afterSilenceSeconds: 2),
      seenBy: ["contract.non_finite"], measuring: ["contract"], requiredPower: 0.99),
    Defect(
      "stale", "state that outlives a reset", .stale, seenBy: ["contract.stale"],
      measuring: ["contract"]),
    Defect(
      "allocation", "an allocation per block", .allocating, seenBy: ["contract.allocations"],
      measuring: ["contract"], requiredPower: 0.99),
  ]

  private static func number(_ value: Double) -> String { SettingValue.number(value).description }
}
