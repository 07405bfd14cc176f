/// A defect in three doses that metrics must follow.
struct ValidityDefect: Sendable {
  enum Kind: Sendable {
    /// Cents sharp.
    case detuned
    /// Share of the time an octave too high, in bursts of 800 ms. The tracker takes an octave up of less
    /// than 500 ms within a held note for a change of timbre: going there and back costs it as much as
    /// 100 frames of the better octave.
    case octavesUp
    /// Share of the time an octave too low, in bursts of 200 ms.
    case octavesDown
    /// Share of the time 70 cents sharp, in bursts of 200 ms.
    case straying
    /// Milliseconds of silence.
    case dropped
    /// Milliseconds that the whole sound is late.
    case late
    /// Milliseconds that the pitch contour is late, and nothing else.
    case lagging
    /// Percent that formants are higher.
    case formants
    /// Decibels lost from 100 Hz to 5 kHz.
    case tilted
    /// Clicks at -20 dBFS, spread over the sound.
    case clicking
    /// Decibels of level swing, six times a second.
    case trembling
    /// Ratio of the voice to white noise in decibels.
    case noisy
    /// Decibels that consonants lose above 2 kHz.
    case consonantsDulled
    /// Milliseconds over which a tail of noise decays by 60 dB.
    case smeared
    /// Level in decibels of a copy 30 ms later.
    case doubled
    /// Decibels softer.
    case softer
  }

  let kind: Kind
  /// Short name with the unit of the doses.
  let name: String
  /// Doses, the smallest defect first.
  let doses: [Double]
  /// Ids of the metrics that are about it, or beginnings of ids with a `*`.
  let about: [String]

  func isAbout(_ metric: String) -> Bool {
    about.contains { pattern in
      pattern.hasSuffix("*") ? metric.hasPrefix(pattern.dropLast()) : metric == pattern
    }
  }

  /// All defects. The metrics that are about each were written down before any measurement.
  static let all = [
    ValidityDefect(
      kind: .detuned, name: "detuned, cents", doses: [3, 10, 30],
      about: [
        "pitch.abs_error", "pitch.abs_error.p95", "pitch.bias", "pitch.within_5",
        "pitch.within_10", "pitch.within_25", "pitch.residual*", "pitch.judge_error.median",
      ]),
    ValidityDefect(
      kind: .octavesUp, name: "octave up for 800 ms, share", doses: [0.2, 0.4, 0.8],
      about: ["pitch.octave_errors", "pitch.gross_errors"]),
    ValidityDefect(
      kind: .octavesDown, name: "octave down for 200 ms, share", doses: [0.05, 0.15, 0.45],
      about: ["pitch.octave_errors", "pitch.gross_errors"]),
    ValidityDefect(
      kind: .straying, name: "70 cents sharp for 200 ms, share", doses: [0.05, 0.15, 0.45],
      about: ["pitch.within_*", "pitch.residual.within_25"]),
    ValidityDefect(
      kind: .dropped, name: "silent, ms", doses: [100, 300, 900],
      about: ["voice.missing", "chord.recall"]),
    ValidityDefect(
      kind: .late, name: "late, ms", doses: [3, 9, 27],
      about: ["latency.onset", "latency.loudness", "latency.onset.p5", "latency.onset.p95"]),
    ValidityDefect(
      kind: .lagging, name: "contour late, ms", doses: [5, 10, 20], about: ["pitch.lag"]),
    ValidityDefect(
      kind: .formants, name: "formants higher, %", doses: [3, 6, 12],
      about: ["formant.*", "envelope.lsd", "timbre.mcd"]),
    ValidityDefect(
      kind: .tilted, name: "duller, dB", doses: [3, 6, 12],
      about: ["timbre.tilt_change", "envelope.lsd", "timbre.mcd"]),
    ValidityDefect(
      kind: .clicking, name: "clicks", doses: [1, 3, 9], about: ["clicks.count"]),
    ValidityDefect(
      kind: .trembling, name: "tremolo, dB", doses: [1, 3, 9],
      about: ["modulation.added", "tremolo.depth"]),
    ValidityDefect(
      kind: .noisy, name: "noise, dB below", doses: [30, 20, 10],
      about: ["harmonicity.change", "intelligibility.*"]),
    ValidityDefect(
      kind: .consonantsDulled, name: "consonants dulled, dB", doses: [6, 12, 24],
      about: ["consonant.lost", "consonant.kept"]),
    ValidityDefect(
      kind: .smeared, name: "smeared, ms", doses: [30, 90, 270],
      about: ["transient.smear", "consonant.smeared"]),
    ValidityDefect(
      kind: .doubled, name: "doubled, dB", doses: [-20, -12, -4],
      about: ["doubling.level", "roughness.change"]),
    ValidityDefect(
      kind: .softer, name: "softer, dB", doses: [1, 3, 9], about: ["level.change"]),
  ]
}
