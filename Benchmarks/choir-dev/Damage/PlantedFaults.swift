import Corpus

extension PlantedFault {
  /// All faults that the tools plant.
  static let all = pitch + voices + time + timbre + clicks + level + noise + contract + cost

  private static let pitch = [
    PlantedFault(
      kind: .detuned, name: "detuned, cents",
      trials: [1.0, 2, 3, 5, 10].map { cents in
        Trial(
          id: "detune-\(number(cents))", title: "one voice \(number(cents)) cents sharp",
          dose: cents, requiredPower: cents == 3 ? 0.99 : nil)
      },
      seenBy: ["pitch.abs_error", "pitch.bias", "pitch.within_5", "pitch.within_10"],
      measuring: ["pitch", "voices"], ladder: [3, 10, 30],
      about: [
        "pitch.abs_error", "pitch.abs_error.p95", "pitch.bias", "pitch.within_5",
        "pitch.within_10", "pitch.within_25", "pitch.residual*", "pitch.judge_error.median",
      ],
      // The tracker's own 0.1 cents plus 2 %.
      meter: Meter(name: "detuning", metric: "pitch.bias") { 0.1 + 0.02 * $0 }),
    PlantedFault(
      kind: .bursts(semitones: 12, ms: 50), name: "octave up for 50 ms, share",
      trials: [Trial(id: "octave", title: "one voice an octave up in 1 % of its time", dose: 0.01)],
      seenBy: ["pitch.octave_errors", "pitch.gross_errors"], measuring: ["pitch", "voices"]),
    PlantedFault(
      kind: .bursts(semitones: 12, ms: 300), name: "octave up for 300 ms, share",
      trials: [
        Trial(
          id: "octave-note", title: "one voice an octave up for one note of 300 ms in thirty",
          dose: 1.0 / 30)
      ],
      // A soft voice an octave up may fall below the others; then it is missing from its place.
      seenBy: ["pitch.octave_errors", "pitch.gross_errors", "voice.missing"],
      measuring: ["pitch", "voices"]),
    // The tracker takes an octave up of less than 500 ms within a held note for a change of timbre:
    // going there and back costs it as much as 100 frames of the better octave.
    PlantedFault(
      kind: .bursts(semitones: 12, ms: 800), name: "octave up for 800 ms, share",
      ladder: [0.2, 0.4, 0.8], about: ["pitch.octave_errors", "pitch.gross_errors"]),
    PlantedFault(
      kind: .bursts(semitones: -12, ms: 200), name: "octave down for 200 ms, share",
      ladder: [0.05, 0.15, 0.45], about: ["pitch.octave_errors", "pitch.gross_errors"]),
    PlantedFault(
      kind: .bursts(semitones: 0.7, ms: 200), name: "70 cents sharp for 200 ms, share",
      ladder: [0.05, 0.15, 0.45], about: ["pitch.within_*", "pitch.residual.within_25"]),
  ]

  private static let voices = [
    PlantedFault(
      kind: .missing, name: "missing",
      trials: [
        Trial(id: "missing", title: "one voice silent throughout", dose: 0, requiredPower: 0.99)
      ],
      seenBy: ["voice.missing", "chord.recall"], measuring: ["pitch", "voices"]),
    PlantedFault(
      kind: .dropped, name: "silent, ms",
      trials: [
        Trial(id: "drop", title: "one voice silent for 200 ms", dose: 200, requiredPower: 0.99)
      ],
      seenBy: ["voice.missing", "dropouts.count"],
      measuring: ["pitch", "voices", "dropouts.count"], ladder: [100, 300, 900],
      about: ["voice.missing", "chord.recall"]),
    PlantedFault(
      kind: .swapped, name: "swapped",
      trials: [Trial(id: "swap", title: "two voices sing each other's part", dose: 0)],
      seenBy: ["voice.swapped", "pitch.gross_errors", "voice.level"],
      measuring: ["pitch", "voices"]),
  ]

  private static let time = [
    PlantedFault(
      kind: .late, name: "late, ms",
      trials: [0.25, 0.5, 1, 2].map { ms in
        Trial(
          id: "delay-\(number(ms))", title: "\(number(ms)) ms later than stated", dose: ms,
          requiredPower: ms == 0.5 ? 0.99 : nil)
      },
      seenBy: ["latency.impulse", "latency.onset", "latency.report_error"], measuring: ["latency"],
      ladder: [3, 9, 27],
      about: ["latency.onset", "latency.alignment", "latency.onset.p5", "latency.onset.p95"],
      // Half a sample at 48 kHz.
      meter: Meter(name: "delay", metric: "latency.impulse") { _ in 0.5 / 48 }),
    PlantedFault(
      kind: .jittered, name: "jittered, ms",
      trials: [
        Trial(id: "jitter", title: "delay that wanders by 1 ms", dose: 1, requiredPower: 0.99)
      ],
      seenBy: ["latency.impulse.p95", "latency.onset.p95"], measuring: ["latency"]),
    PlantedFault(
      kind: .misreported, name: "misreported, samples",
      trials: [
        Trial(
          id: "misreport", title: "stated latency 64 samples too long", dose: 64,
          requiredPower: 0.99)
      ],
      seenBy: ["latency.report_error"], measuring: ["latency"]),
    PlantedFault(
      kind: .lagging, name: "contour late, ms", ladder: [5, 10, 20], about: ["pitch.lag"]),
  ]

  private static let timbre = [
    PlantedFault(
      kind: .formants, name: "formants higher, %",
      trials: [2.0, 5, 10].map { percent in
        Trial(
          id: "formants-\(number(percent))",
          title: "one voice's formants \(number(percent)) % higher", dose: percent,
          requiredPower: percent == 5 ? 0.99 : nil)
      },
      seenBy: ["formant.ratio", "formant.f1_shift", "formant.f2_shift", "formant.f3_shift"],
      measuring: [
        "formant.ratio", "formant.f1_shift", "formant.f2_shift", "formant.f3_shift", "envelope.lsd",
      ], ladder: [3, 6, 12], about: ["formant.*", "envelope.lsd", "timbre.mcd"],
      // A third of the just noticeable difference.
      meter: Meter(name: "formants", metric: "formant.f2_shift") { _ in 0.5 }),
    PlantedFault(
      kind: .tilted, name: "duller, dB",
      trials: [Trial(id: "tilt", title: "one voice duller by 3 dB from 100 Hz to 5 kHz", dose: 3)],
      seenBy: ["timbre.tilt_change"], measuring: ["timbre.tilt_change"], ladder: [3, 6, 12],
      about: ["timbre.tilt_change", "envelope.lsd", "timbre.mcd"],
      // Less than half of the just noticeable difference.
      meter: Meter(name: "tilt", metric: "timbre.tilt_change") { _ in 0.2 }),
  ]

  private static let clicks = [
    PlantedFault(
      kind: .clickEachSecond, name: "a click a second, dBFS",
      trials: [Trial(id: "clicks", title: "a click a second at -40 dBFS in one voice", dose: -40)],
      seenBy: ["clicks.count"], measuring: ["clicks.count"]),
    PlantedFault(
      kind: .clicks(areEven: false), name: "clicks", ladder: [1, 3, 9], about: ["clicks.count"]),
    PlantedFault(
      kind: .clicks(areEven: true), name: "clicks at even distances",
      meter: Meter(name: "clicks", metric: "clicks.count") { _ in 0 }),
  ]

  private static let level = [
    PlantedFault(
      kind: .trembling, name: "tremolo, dB",
      trials: [Trial(id: "tremolo", title: "tremolo of 1 dB in one voice", dose: 1)],
      seenBy: ["tremolo.depth"], measuring: ["tremolo.depth"], ladder: [1, 3, 9],
      about: ["modulation.added", "tremolo.depth"],
      // Less than half of the just noticeable difference.
      meter: Meter(name: "tremolo", metric: "tremolo.depth") { _ in 0.2 })
  ]

  private static let noise = [
    PlantedFault(
      kind: .noisy, name: "noise, dB below", ladder: [30, 20, 10],
      about: ["harmonicity.change", "intelligibility.*"]),
    PlantedFault(
      kind: .consonantsDulled, name: "consonants dulled, dB",
      trials: [
        Trial(
          id: "consonants-dull", title: "one voice's consonants 12 dB softer above 2 kHz", dose: 12)
      ],
      seenBy: ["consonant.lost", "consonant.kept"], measuring: ["consonants"],
      ladder: [6, 12, 24], about: ["consonant.lost", "consonant.kept", "consonant.level"]),
    PlantedFault(
      kind: .consonantsDoubled, name: "consonants twice, ms apart",
      trials: [
        Trial(id: "consonants-double", title: "one voice's consonants twice, 30 ms apart", dose: 30)
      ],
      seenBy: ["consonant.doubled", "consonant.kept"], measuring: ["consonants"]),
    PlantedFault(
      kind: .smeared, name: "smeared, ms", ladder: [30, 90, 270],
      about: ["consonant.smeared"]),
    PlantedFault(
      kind: .doubled, name: "doubled, dB", ladder: [-20, -12, -4],
      about: ["doubling.level"]),
    PlantedFault(kind: .softer, name: "softer, dB", ladder: [1, 3, 9], about: ["level.change"]),
  ]

  private static let contract = [
    PlantedFault(
      kind: .notANumber, name: "NaN after silence, s",
      trials: [Trial(id: "nan", title: "NaN after 2 s of silence", dose: 2, requiredPower: 0.99)],
      seenBy: ["contract.non_finite"], measuring: ["contract"]),
    PlantedFault(
      kind: .stale, name: "stale",
      trials: [Trial(id: "stale", title: "state that outlives a reset", dose: 0)],
      seenBy: ["contract.stale"], measuring: ["contract"]),
    PlantedFault(
      kind: .allocating, name: "allocating",
      trials: [
        Trial(id: "allocation", title: "an allocation per block", dose: 0, requiredPower: 0.99)
      ],
      seenBy: ["contract.allocations"], measuring: ["contract"]),
  ]

  private static let cost = [
    PlantedFault(
      kind: .slower, name: "slower, %",
      trials: [5.0, 10, 25].map { percent in
        Trial(
          id: "cpu-\(number(percent))", title: "\(number(percent)) % more time on a core",
          dose: percent, requiredPower: percent == 10 ? 0.95 : nil)
      },
      // No metric of a cell shows it; trials of cost do.
      seenBy: ["cost"])
  ]

  private static func number(_ value: Double) -> String { SettingValue.number(value).description }
}
