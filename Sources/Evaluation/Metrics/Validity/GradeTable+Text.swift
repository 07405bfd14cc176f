extension GradeTable {
  // Written by `choir-eval metrics validate --write`; a test compares it with the page.
  //
  // A line has a metric, a grade, and the classes of recordings on which it was found.
  //
  // Metrics and classes without a line were not tried, or had no value.
  //
  // swift-format-ignore
  static let text = """
    pitch.abs_error decides vowels-low vowels-middle vowels-high words-low words-middle words-high speech-low speech-middle noisy-middle noisy-high room-low room-middle room-high
    pitch.abs_error describes noisy-low
    pitch.abs_error.p95 decides vowels-low vowels-middle vowels-high words-middle words-high noisy-high room-high
    pitch.abs_error.p95 describes words-low speech-low speech-middle noisy-middle room-low room-middle
    pitch.abs_error.p95 invalid noisy-low
    pitch.bias decides vowels-low vowels-middle vowels-high words-low words-middle words-high speech-low speech-middle noisy-low noisy-middle noisy-high room-low room-middle room-high
    pitch.within_5 decides vowels-low vowels-middle vowels-high
    pitch.within_5 describes words-low words-middle words-high speech-low speech-middle noisy-low noisy-middle noisy-high room-low room-middle room-high
    pitch.within_10 decides vowels-low vowels-middle vowels-high
    pitch.within_10 describes words-low words-middle words-high speech-low speech-middle noisy-low noisy-middle noisy-high room-low room-middle room-high
    pitch.within_25 decides vowels-low vowels-middle vowels-high words-middle words-high noisy-high room-high
    pitch.within_25 describes words-low speech-low speech-middle noisy-low noisy-middle room-low room-middle
    pitch.within_50 decides vowels-low vowels-middle vowels-high words-middle words-high room-middle room-high
    pitch.within_50 describes words-low speech-low speech-middle noisy-low noisy-middle noisy-high room-low
    pitch.gross_errors decides vowels-low vowels-middle vowels-high words-low words-middle words-high speech-middle noisy-middle noisy-high room-low room-middle room-high
    pitch.gross_errors describes speech-low noisy-low
    pitch.octave_errors decides vowels-low vowels-middle vowels-high words-low words-middle words-high speech-low speech-middle noisy-low noisy-middle noisy-high room-low room-middle room-high
    pitch.residual decides vowels-low vowels-middle vowels-high words-low words-middle words-high speech-low speech-middle noisy-low noisy-middle noisy-high room-low room-middle room-high
    pitch.residual.p95 decides vowels-low vowels-middle vowels-high words-middle words-high noisy-high room-high
    pitch.residual.p95 describes speech-low speech-middle noisy-low noisy-middle room-low room-middle
    pitch.residual.p95 invalid words-low
    pitch.residual.within_25 decides vowels-low vowels-middle vowels-high words-high noisy-high room-middle room-high
    pitch.residual.within_25 describes words-low words-middle speech-low speech-middle noisy-low noisy-middle room-low
    pitch.lag decides vowels-middle words-middle words-high speech-low speech-middle noisy-low noisy-middle room-low
    pitch.lag describes vowels-low vowels-high noisy-high room-middle room-high
    pitch.judge_error.median decides vowels-low vowels-middle vowels-high words-low words-middle words-high speech-low speech-middle noisy-middle noisy-high room-low room-high
    pitch.judge_error.median describes noisy-low room-middle
    voice.missing decides vowels-low vowels-middle vowels-high words-low words-middle words-high speech-low speech-middle noisy-low noisy-middle noisy-high room-low room-middle room-high
    chord.recall decides vowels-low vowels-middle vowels-high words-middle noisy-middle room-middle
    chord.recall describes words-low words-high speech-low speech-middle noisy-low noisy-high room-low room-high
    latency.onset decides words-low speech-low speech-middle noisy-low room-low
    latency.onset describes vowels-middle words-middle words-high noisy-middle noisy-high room-middle room-high
    latency.onset invalid vowels-high
    latency.loudness describes vowels-low vowels-middle vowels-high words-low words-middle words-high speech-low speech-middle noisy-low noisy-middle noisy-high room-low room-middle room-high
    latency.onset.p5 decides vowels-middle words-low words-high
    latency.onset.p5 describes vowels-low vowels-high words-middle speech-low speech-middle noisy-high room-low room-high
    latency.onset.p95 decides vowels-low speech-low speech-middle
    latency.onset.p95 describes vowels-middle vowels-high words-low words-middle words-high noisy-high room-low room-high
    formant.f1_shift decides vowels-low words-low
    formant.f1_shift describes speech-low noisy-low room-low
    formant.f2_shift decides vowels-low vowels-middle vowels-high words-low words-middle speech-low speech-middle noisy-middle noisy-high
    formant.f2_shift describes words-high noisy-low room-low room-middle room-high
    formant.f3_shift decides vowels-low vowels-middle vowels-high words-low words-middle speech-low speech-middle noisy-middle room-low room-middle
    formant.f3_shift describes words-high noisy-low noisy-high room-high
    formant.ratio decides vowels-low vowels-middle vowels-high words-low words-middle words-high speech-low speech-middle noisy-low noisy-middle noisy-high room-low room-middle room-high
    envelope.lsd decides vowels-low vowels-middle vowels-high words-low words-high
    envelope.lsd describes words-middle speech-low speech-middle noisy-low noisy-middle noisy-high room-low room-middle room-high
    timbre.mcd decides vowels-low vowels-middle vowels-high words-low words-middle words-high speech-low speech-middle noisy-low noisy-middle noisy-high room-low room-high
    timbre.mcd describes room-middle
    timbre.tilt_change decides vowels-low vowels-middle vowels-high words-low words-middle words-high speech-low speech-middle noisy-low noisy-middle room-low room-middle room-high
    timbre.tilt_change describes noisy-high
    harmonicity.change decides vowels-low vowels-middle vowels-high words-low words-middle words-high speech-low speech-middle noisy-low room-low room-middle room-high
    harmonicity.change describes noisy-middle noisy-high
    intelligibility.stoi decides words-low words-middle words-high speech-low speech-middle noisy-low room-low
    intelligibility.stoi describes noisy-middle noisy-high room-middle room-high
    intelligibility.estoi decides words-low words-high speech-low speech-middle noisy-low noisy-high room-low
    intelligibility.estoi describes words-middle noisy-middle room-middle room-high
    intelligibility.ncm decides words-low words-middle words-high speech-low speech-middle noisy-low room-low room-middle room-high
    intelligibility.ncm describes noisy-middle noisy-high
    intelligibility.stoi.vocoded decides words-low words-middle words-high speech-low noisy-low room-low
    intelligibility.stoi.vocoded describes speech-middle noisy-middle noisy-high room-middle room-high
    intelligibility.estoi.vocoded decides words-low words-middle speech-low speech-middle noisy-middle room-low room-middle
    intelligibility.estoi.vocoded describes words-high noisy-low noisy-high room-high
    intelligibility.modulation decides words-low words-middle speech-low speech-middle room-low room-middle
    intelligibility.modulation describes words-high noisy-low noisy-middle noisy-high room-high
    consonant.kept decides words-low words-middle words-high speech-middle noisy-low noisy-middle room-high
    consonant.kept describes speech-low room-low room-middle
    consonant.kept invalid noisy-high
    consonant.smeared invalid words-low words-middle words-high speech-low speech-middle noisy-low noisy-middle noisy-high room-low room-middle room-high
    consonant.lost decides words-low words-middle words-high speech-low speech-middle noisy-low noisy-middle room-low room-middle room-high
    consonant.lost invalid noisy-high
    clicks.count decides vowels-low vowels-middle vowels-high words-low words-middle words-high speech-low speech-middle noisy-low noisy-middle noisy-high room-low room-middle room-high
    modulation.added decides vowels-low vowels-middle vowels-high words-low words-middle speech-low speech-middle noisy-middle
    modulation.added describes words-high noisy-low noisy-high room-low room-middle room-high
    tremolo.depth decides vowels-low vowels-middle vowels-high words-low words-middle words-high speech-low speech-middle noisy-low noisy-middle noisy-high room-middle room-high
    tremolo.depth describes room-low
    roughness.change describes vowels-low vowels-middle vowels-high words-high speech-low speech-middle noisy-low noisy-high room-low room-high
    roughness.change invalid words-low words-middle noisy-middle room-middle
    doubling.level describes vowels-low vowels-middle vowels-high words-low words-middle speech-low speech-middle noisy-low noisy-middle room-low room-middle room-high
    transient.smear describes vowels-high words-low speech-middle room-middle
    transient.smear invalid vowels-low vowels-middle words-middle words-high speech-low room-low room-high
    level.change decides words-middle noisy-middle room-low
    level.change describes vowels-low vowels-middle vowels-high words-low words-high speech-low speech-middle noisy-low noisy-high room-middle room-high
    """
}
