import Metrics

/// Metrics that show a cause directly.
struct CauseEvidence: Sendable {
  let cause: ChangeCause
  /// The most direct first; a star stands for any ending.
  let metrics: [String]
  /// Minimum effects from which a change is strong evidence; `nil` if none is. Weak evidence names the
  /// cause only of what no strong evidence explains.
  var least: Double? = 0
  /// A metric that explains the evidence if it moved by more minimum effects, in the median recording.
  var rival: String?
  /// True if only a smaller value is strong evidence, whichever is worse.
  var isFall = false

  /// All evidence, in the order in which one change explains another: a late voice is also off pitch
  /// for a moment, but a voice off pitch is not late; a duller voice is also softer, but a softer one
  /// is not duller.
  ///
  /// The limits come from thirty defects that were planted in another program
  /// (docs/notes/gate.md#planted-defects).
  static let ordered = [
    Self(
      cause: .brokenSound,
      metrics: ["samples.non_finite", "contract.non_finite", "contract.stale"]),
    // A voice on the wrong octave is missing from its own, but one that is silent has no octave.
    Self(cause: .octaves, metrics: ["pitch.octave_errors"], least: 5, rival: "voice.missing"),
    // Other faults cost a voice some of its frames.
    Self(cause: .missingVoice, metrics: ["voice.missing"], least: 5),
    Self(cause: .swappedVoices, metrics: ["voice.swapped"], least: 5),
    // Sound that was dropped or repeated moves all that follows, and figures that need one delay are lost.
    Self(cause: .jitter, metrics: ["latency.change"]),
    // Only a fault of the signal clips it or moves its mean.
    Self(cause: .artefacts, metrics: ["clipping.share", "dc.offset"]),
    Self(cause: .delay, metrics: ["latency.impulse", "latency.onset"]),
    // Clicks of grains add impulses of their own.
    Self(cause: .jitter, metrics: ["latency.impulse.p95"], rival: "noise.floor"),
    Self(cause: .octaves, metrics: ["pitch.octave_errors"]),
    // A voice that lasts longer leaves less silence.
    Self(cause: .artefacts, metrics: ["noise.floor"], least: 2, rival: "pitch.abs_error"),
    Self(cause: .artefacts, metrics: ["dropouts.count"], least: 2),
    // Sound between the partials. A wide vibrato also takes power from them, and a filter that takes
    // breath away makes a voice more harmonic.
    Self(
      cause: .artefacts, metrics: ["harmonicity.change"], least: 2, rival: "pitch.abs_error",
      isFall: true),
    // Loudness errs by a millisecond behind reverbs and choruses.
    Self(cause: .delay, metrics: ["latency.voice"], least: 8),
    Self(cause: .delay, metrics: ["pitch.lag"], least: 2),
    Self(cause: .pitch, metrics: ["pitch.abs_error", "pitch.bias", "pitch.residual"], least: 1),
    // A new pitch or another place of the grains may click now and then.
    Self(cause: .artefacts, metrics: ["clicks.count"], least: 5),
    // A shift moves the formants by one ratio; a filter with peaks and notches moves single ones.
    Self(cause: .formants, metrics: ["formant.ratio"], least: 1),
    Self(cause: .timbre, metrics: ["timbre.tilt_change", "envelope.lsd", "timbre.mcd"], least: 1),
    Self(
      cause: .formants, metrics: ["formant.f1_shift", "formant.f2_shift", "formant.f3_shift"],
      least: 1),
    Self(
      cause: .pitch,
      metrics: [
        "pitch.within_5", "pitch.within_10", "pitch.judge_error.median", "pitch.within_25",
        "pitch.within_50",
      ]),
    Self(
      cause: .consonants,
      metrics: [
        "consonant.lost*", "consonant.doubled*", "consonant.smeared*", "consonant.kept*",
        "consonant.level",
      ]),
    Self(cause: .level, metrics: ["level.change", "voice.level"]),
    Self(cause: .artefacts, metrics: ["tremolo.depth", "doubling.level", "modulation.added"]),
    // Few sounds have onsets that can be told, and any change of the sound may move one. A constant delay moves the
    // median too; another pitch moves grains, and with them the first impulses.
    Self(cause: .delay, metrics: ["latency.impulse.p5", "latency.onset.p5", "latency.voice"]),
    Self(cause: .jitter, metrics: ["latency.onset.p95", "latency.onset.deviation"]),
    Self(
      cause: .vibrato, metrics: ["pitch.vibrato_extent_ratio", "pitch.vibrato_rate_error"],
      least: nil),
    Self(cause: .words, metrics: ["intelligibility*"], least: nil),
    Self(cause: .stereo, metrics: ["stereo*"], least: nil),
    Self(cause: .other, metrics: ["*"], least: nil),
  ]

  /// Returns the place of a metric in the list; `nil` if it is not in it.
  func place(of metric: String) -> Int? {
    metrics.firstIndex { name in
      name.hasSuffix("*") ? metric.hasPrefix(name.dropLast()) : metric == name
    }
  }

  /// Returns true if a regression is evidence, among all regressions of the same voice.
  func isShown(
    by figure: MetricDifference, among figures: [MetricDifference], isStrong: Bool
  ) -> Bool {
    guard place(of: figure.metric) != nil else { return false }
    guard isStrong else { return true }
    guard let least, figure.size > 0, figure.size >= least else { return false }
    if isFall, let difference = figure.difference, difference >= 0 { return false }
    return !isRivalled(figure, among: figures)
  }

  private func isRivalled(_ figure: MetricDifference, among figures: [MetricDifference]) -> Bool {
    figures.contains { $0.metric == rival && $0.typicalSize > figure.typicalSize }
  }
}

extension MetricDifference {
  /// Worsening in minimum effects. A lost value is no evidence of what changed, unless nothing else is.
  var size: Double { effects ?? 0 }

  /// The same of the median recording.
  fileprivate var typicalSize: Double { (medianWorsening ?? 0) / minimumEffect }
}
