/// The page that says what every metric is, in Markdown, made from the table of metrics.
public enum MetricPage {
  public static var markdown: String {
    ([intro] + MetricFamily.all.map(section) + [sounds]).joined(separator: "\n\n") + "\n"
  }

  private static var sounds: String {
    let rows = PairMetric.ofSoundsOnly.map { metric, figure, inRuns in
      "| `\(figure.id)` | \(figure.unit) | \(figure.direction.rawValue) | `\(inRuns)` | "
        + "\(escaped(figure.summary)). *\(escaped(metric.domain)).* |"
    }
    return """
      ## Of two sounds alone (`compare`)

      What a run measures in another way, since it knows the engine's law and what was moved has no
      waveform in common with what was heard: a method of its own, so an id of its own.

      | id | unit | better | in runs | what it is, and *when it is defined* |
      | --- | --- | --- | --- | --- |
      \(rows.joined(separator: "\n"))
      """
  }

  private static func section(_ family: MetricFamily) -> String {
    let rows = family.metrics.map { metric in
      "| `\(metric.id)` | \(metric.version) | \(metric.unit) | \(metric.direction.rawValue) | "
        + "\(escaped(metric.summary)). *\(escaped(metric.domain)).* |"
    }
    return """
      ## \(family.title) (`\(family.id)`)

      | id | version | unit | better | what it is, and *when it is defined* |
      | --- | --- | --- | --- | --- |
      \(rows.joined(separator: "\n"))
      """
  }

  private static func escaped(_ text: String) -> String { text.replacing("|", with: "\\|") }

  private static let intro = """
    # Metrics

    Written by `choir-eval metrics page > docs/reference/metrics.md`; a test refuses a page that is not up to
    date. `choir-eval metrics list` and `choir-eval metrics show ID` say the same in a terminal, with
    `--json` for programs.

    A measurement is a number with its count of observations, or a reason why there is none; it is
    never NaN and never a default. The version of a metric is raised whenever known inputs score
    differently. Better is `lower`, `higher`, or `target`: the nearer to what is wanted.

    **Against what.** The pitch of a voice is held against the *target*: what the score wants of it, by
    the lead's pitch, which is exact for synthetic recordings and agreed on by two trackers otherwise,
    as late as the output is measured to be. Sounds are held against a *reference*: the *oracle*, which
    is the same synthetic singer at the target pitch without a delay, or what the subject heard.
    Measures of sounds of one pitch (STOI, NCM, mel cepstra) are undefined without an oracle. A
    condition such as noise is in what the subject heard and not in the oracle, so against the oracle
    it has its share. `choir-eval compare` gives figures of the same names for two files, where the
    file given first is the reference and, moved by `--semitones`, the target; the last table has
    what it measures in a way of its own.

    **Which.** A plan measures everything, or what it lists under `metrics:` by family or id:

    ```yaml
    metrics: [pitch, latency, cost, formant.ratio]
    ```

    What is measured is part of a cell's key: another list computes the cells anew.

    **How true.** Doses of known defects (`swift test --filter "MetricDose|PairMetric"`): detuning of 1
    to 10 cents within 0.1 cents and 2 %; delays within a sample; tremolo within 2 %; slopes of -6 to 3
    dB/octave within 0.2; formants of a tenor 1 to 5 % higher within 0.5 points, 10 % within 0.6; clicks down to 50 dB
    under the voice counted exactly where the reference is the same waveform; voices that are lost,
    swapped or in the wrong octave, and consonants that are cut, as the share they were made with.

    **What falls short.** Without a reference of the same waveform, which no transposed voice has, the
    voice hides clicks softer than its own pulses. A bass's first formant, 5 % higher, is found 4.4 %
    higher; a tenor's a major third above his vowels, 10 % higher, up to 1.9 points off. `formant.ratio` reads up to 0.8 points too little of shifts up to 5 % at an unchanged pitch.
    Formants moved down by 15 % are off by up to 4 points and the third, moved up by half, by 23: what
    moves that far is `formant.ratio`'s to tell. Voiced stops have so little noise that one that is cut
    may pass as kept. Regular swings of the level other than a delay line's are found from 1 to 40 Hz.

    **What it costs.** Seconds of one core for each second of a voice: timbre 0.06 (envelopes most of
    it), words 0.04, artefacts 0.03 (roughness, clicks), everything else together 0.02. What belongs to
    a reference alone is worked out once for all cells that share it.
    """
}
