extension GradeTable {
  // Written by `choir-eval metrics validate --write`; a test compares it with the page.
  //
  // A line has a metric, a grade, and the classes of recordings on which it was found.
  //
  // Metrics and classes without a line were not tried, or had no value.
  //
  // swift-format-ignore
  static let text = """
    pitch.abs_error decides vowels-low vowels-middle vowels-high words-low words-middle speech-low room-low
    pitch.abs_error describes noisy-low
    pitch.abs_error.p95 decides vowels-low vowels-middle vowels-high words-middle
    pitch.abs_error.p95 describes words-low speech-low room-low
    pitch.abs_error.p95 invalid noisy-low
    pitch.bias decides vowels-low vowels-middle vowels-high words-low words-middle speech-low noisy-low room-low
    pitch.within_5 decides vowels-low vowels-middle vowels-high
    pitch.within_5 describes words-low words-middle speech-low noisy-low room-low
    pitch.within_10 decides vowels-low vowels-middle vowels-high
    pitch.within_10 describes words-low words-middle speech-low noisy-low room-low
    pitch.within_25 decides vowels-low vowels-middle vowels-high words-middle
    pitch.within_25 describes words-low speech-low noisy-low room-low
    pitch.within_50 decides vowels-low vowels-middle vowels-high words-middle
    pitch.within_50 describes words-low speech-low noisy-low room-low
    pitch.gross_errors decides vowels-low vowels-middle vowels-high words-low words-middle room-low
    pitch.gross_errors describes speech-low noisy-low
    pitch.octave_errors decides vowels-low vowels-middle vowels-high words-low words-middle speech-low noisy-low room-low
    pitch.residual decides vowels-low vowels-middle vowels-high words-low words-middle speech-low noisy-low room-low
    pitch.residual.p95 decides vowels-low vowels-middle vowels-high words-middle
    pitch.residual.p95 describes speech-low noisy-low room-low
    pitch.residual.p95 invalid words-low
    pitch.residual.within_25 decides vowels-low vowels-middle vowels-high
    pitch.residual.within_25 describes words-low words-middle speech-low noisy-low room-low
    pitch.lag decides vowels-middle words-middle speech-low noisy-low room-low
    pitch.lag describes vowels-low vowels-high
    pitch.judge_error.median decides vowels-low vowels-middle vowels-high words-low words-middle speech-low room-low
    pitch.judge_error.median describes noisy-low
    voice.missing decides vowels-low vowels-middle vowels-high words-low words-middle speech-low noisy-low
    voice.missing describes room-low
    chord.recall decides vowels-low vowels-middle vowels-high words-middle
    chord.recall describes words-low speech-low noisy-low room-low
    latency.onset decides words-low speech-low noisy-low room-low
    latency.onset describes vowels-middle words-middle
    latency.onset invalid vowels-high
    latency.loudness describes vowels-low vowels-middle vowels-high words-low words-middle speech-low noisy-low room-low
    latency.onset.p5 decides vowels-middle words-low
    latency.onset.p5 describes vowels-low vowels-high words-middle speech-low room-low
    latency.onset.p95 decides vowels-low speech-low
    latency.onset.p95 describes vowels-middle vowels-high words-low words-middle room-low
    formant.f1_shift decides vowels-low words-low
    formant.f1_shift describes speech-low noisy-low room-low
    formant.f2_shift decides vowels-low vowels-middle vowels-high words-low words-middle speech-low
    formant.f2_shift describes noisy-low room-low
    formant.f3_shift decides vowels-low vowels-middle vowels-high words-low words-middle speech-low room-low
    formant.f3_shift describes noisy-low
    formant.ratio decides vowels-low vowels-middle vowels-high words-low words-middle speech-low noisy-low room-low
    envelope.lsd decides vowels-low vowels-middle vowels-high words-low
    envelope.lsd describes words-middle speech-low noisy-low room-low
    timbre.mcd decides vowels-low vowels-middle vowels-high words-low words-middle speech-low noisy-low room-low
    timbre.tilt_change decides vowels-low vowels-middle vowels-high words-low words-middle speech-low noisy-low room-low
    harmonicity.change decides vowels-low vowels-middle vowels-high words-low words-middle speech-low noisy-low room-low
    intelligibility.stoi decides words-low words-middle speech-low noisy-low room-low
    intelligibility.estoi decides words-low speech-low noisy-low room-low
    intelligibility.estoi describes words-middle
    intelligibility.ncm decides words-low words-middle speech-low noisy-low room-low
    intelligibility.stoi.vocoded decides words-low words-middle speech-low noisy-low room-low
    intelligibility.estoi.vocoded decides words-low words-middle speech-low room-low
    intelligibility.estoi.vocoded describes noisy-low
    intelligibility.modulation decides words-low words-middle speech-low room-low
    intelligibility.modulation describes noisy-low
    consonant.kept decides words-low words-middle noisy-low
    consonant.kept describes speech-low room-low
    consonant.smeared invalid words-low words-middle speech-low noisy-low room-low
    consonant.lost decides words-low words-middle speech-low noisy-low room-low
    clicks.count decides vowels-low vowels-middle vowels-high words-low words-middle speech-low noisy-low room-low
    modulation.added decides vowels-low vowels-middle vowels-high words-low words-middle speech-low
    modulation.added describes noisy-low room-low
    tremolo.depth decides vowels-low vowels-middle vowels-high words-low words-middle speech-low noisy-low
    tremolo.depth describes room-low
    roughness.change describes vowels-low vowels-middle vowels-high speech-low noisy-low room-low
    roughness.change invalid words-low words-middle
    doubling.level describes vowels-low vowels-middle vowels-high words-low words-middle speech-low noisy-low room-low
    transient.smear describes vowels-high words-low
    transient.smear invalid vowels-low vowels-middle words-middle speech-low room-low
    level.change decides words-middle room-low
    level.change describes vowels-low vowels-middle vowels-high words-low speech-low noisy-low
    """
}
