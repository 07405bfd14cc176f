import Effects
import Music

/// The presets that come with the harmonizer, by name.
public enum PresetBank {
  /// `nil` where there is none of that name.
  public static func preset(named name: String) -> Preset? { all.first { $0.name == name } }

  public static let all: [Preset] =
    voices + milderVoices + tunings + choirs + characters + rooms

  // MARK: The six of PitchPerfect

  /// A voice through one change each, with the values of the app from which these six come: rates of
  /// 0.5 and 2, pitches of ±1200 cents. Here rates are a tape's, so that pitch goes along, and the
  /// pitches are by the delay line, whose mouth moves with them; docs/reference/effects.md#presets has the sources.
  private static let voices = [
    Preset("slow", "at half speed: an octave lower, giant and sleepy", speed: 0.5),
    Preset("rabbit", "at double speed: an octave higher, in a great hurry", speed: 2),
    Preset("chipmunk", "an octave higher, formants included", harmonizer: moved(12)),
    Preset("vader", "an octave lower, formants included", harmonizer: moved(-12)),
    Preset("echo", "all is said again a second later, softer each time", effects: "echo"),
    Preset("reverb", "in a medium hall, half of it", effects: "reverb(mix=0.5)"),
  ]

  /// Variants from the later edition of the PitchPerfect course.
  private static let milderVoices = [
    Preset("fast", "half as fast again: a fifth higher, in a hurry", speed: 1.5),
    Preset("chipmunk-ten", "ten semitones higher, formants included", harmonizer: moved(10)),
    Preset("vader-ten", "ten semitones lower, formants included", harmonizer: moved(-10)),
  ]

  // MARK: Auto-tuner

  private static let tunings = [
    Preset(
      "hard-tune", "every note on its semitone at once: the effect of the records",
      autotuner: tuned(retuneMs: 0),
      effects: "compressor(thresholdDb=-20,ratio=3) > reverb(mix=0.12)"),
    Preset(
      "gentle-tune", "notes drawn home slowly, vibrato kept: nobody notices",
      autotuner: tuned(retuneMs: 80, vibrato: .keep)),
    Preset(
      "robot", "no vibrato, a steel tone beside it, crushed",
      autotuner: tuned(retuneMs: 0, vibrato: .remove),
      effects: "(dry | ringmod(frequencyHz=110)) > bitcrush(bits=8) > compressor"),
    Preset(
      "crooner", "tuned with an easy hand, a little warmth, a little room",
      autotuner: tuned(retuneMs: 40, vibrato: .keep),
      effects: "eq(lowShelfDb=2,highShelfDb=1.5) > compressor(ratio=2) > reverb(mix=0.2)"),
  ]

  // MARK: Harmonizer

  private static let choirs = [
    Preset(
      "duet", "a third above in C major, beside the lead",
      harmonizer: degrees([3], spread: 0.6), effects: "reverb(mix=0.15)"),
    Preset(
      "trio", "a third and a fifth above in C major",
      harmonizer: degrees([3, 5], spread: 0.8), effects: "compressor(ratio=2) > reverb(mix=0.2)"),
    Preset(
      "gospel", "four voices around the lead in C major, late by a little, in a hall",
      harmonizer: degrees([-4, 3, 5, 8], spread: 1, humanCents: 7),
      effects: "eq(highShelfDb=2) > compressor > reverb(decaySeconds=2.2,mix=0.3)"),
    Preset(
      "cathedral-choir", "six voices far away, under a high vault",
      harmonizer: degrees([-8, -4, 1, 3, 5, 8], spread: 1, humanCents: 9, dryGain: 0.4),
      effects: "lowpass(cutoffHz=9000) > reverb(decaySeconds=5,preDelayMs=40,mix=0.55)"),
    Preset(
      "octaves", "an octave above and one below",
      harmonizer: choir([-12, 12], spread: 0.5), effects: "compressor"),
    Preset(
      "power-fifths", "a fifth above and an octave below, through an amplifier",
      harmonizer: choir([7, -12], spread: 0), effects: "overdrive > reverb(mix=0.15)"),
    Preset(
      "doubler", "the same once more, left and right, a little off and late",
      harmonizer: doubled(), effects: "width(width=1.3)"),
    Preset(
      "keys", "sings the keys that are held, six at a time, with the lead's words",
      harmonizer: held(6), effects: "chorus(mix=0.2) > reverb(mix=0.2)"),
  ]

  // MARK: Characters

  private static let characters = [
    Preset(
      "monster", "an octave down, a larger mouth, torn",
      harmonizer: moved(-12, .vocoder(.init { $0.formantShiftSemitones = -5 })),
      effects: "distortion(mix=0.25) > lowpass(cutoffHz=5000) > reverb(mix=0.2)"),
    Preset(
      "alien", "two voices a tritone apart, ringing, swimming",
      harmonizer: choir([6], spread: 0.4),
      effects: "ringmod(frequencyHz=70,mix=0.4) > chorus(mix=0.5) > delay(mix=0.25)"),
    Preset(
      "telephone", "narrow, hard, a little torn",
      effects: """
        eq(highpass=true,highpassHz=400) > lowpass(cutoffHz=3200) > distortion(driveDb=12,mix=0.4)
        """),
    Preset(
      "megaphone", "across a stadium",
      effects: """
        eq(highpass=true,highpassHz=600,midDb=6) > overdrive > lowpass(cutoffHz=4500)
          > echo(mix=0.15)
        """),
    Preset(
      "underwater", "dull and swaying",
      effects: "lowpass(cutoffHz=700,resonance=1.5) > vibrato > chorus(mix=0.6)"),
    Preset(
      "lo-fi", "from a toy of the eighties",
      effects: "bitcrush(bits=6,rateHz=11025) > lowpass(cutoffHz=4000)"),
    Preset(
      "wah", "a mouth that opens and closes by itself", effects: "filterlfo > compressor"),
    Preset(
      "shiver", "a trembling voice, wide",
      effects: "tremolo(rateHz=6.5,depth=0.6) > chorus(mix=0.3) > width(width=1.4)"),
  ]

  // MARK: Rooms and the desk

  private static let rooms = [
    Preset(
      "broadcast", "clean, close and even, as on the radio",
      effects: "eq(lowShelfDb=1.5) > deesser > compressor(ratio=3) > limiter"),
    Preset(
      "stage", "ready for a loudspeaker: gated, even, a slap behind it",
      effects: "gate > eq > compressor > delay(timeMs=110,feedback=0.1,mix=0.2) > limiter"),
    Preset(
      "dream", "the voice, and beside it what it dreams",
      effects: "(dry | chorus > delay(mix=0.6) > reverb(decaySeconds=4,mix=0.8))"),
    Preset(
      "small-room", "a tiled kitchen", effects: "reverb(decaySeconds=0.5,roomMetres=3,mix=0.25)"),
  ]

  // MARK: Helpers

  /// The voice itself at another pitch.
  private static func moved(
    _ semitones: Double, _ engine: Engine = Engine(.delayline)
  ) -> Harmonizer.Settings {
    Harmonizer.Settings(voices: [.init(intervalSemitones: semitones)], engine: engine)
  }

  private static func tuned(
    retuneMs: Double, vibrato: PitchCorrection.VibratoPolicy = .natural
  ) -> AutoTuner.Settings {
    let everySemitone = TuningTarget.tones((0..<12).map(PitchClass.init))
    var settings = AutoTuner.Settings(target: everySemitone)
    settings.correction.retuneMs = retuneMs
    settings.correction.vibrato = vibrato
    return settings
  }

  private static func choir(_ semitones: [Double], spread: Double) -> Harmonizer.Settings {
    var settings = Harmonizer.Settings(
      voices: semitones.map { .init(intervalSemitones: $0, gain: 0.7) }, dryGain: 1,
      engine: Engine(.psola))
    settings.spread = spread
    return settings
  }

  /// Steps of C major from the lead.
  private static func degrees(
    _ degrees: [Int], spread: Double, humanCents: Double = 0, dryGain: Double = 1
  ) -> Harmonizer.Settings {
    var settings = Harmonizer.Settings(
      voices: degrees.map { .init(.degree($0), gain: 0.6) }, dryGain: dryGain,
      engine: Engine(.psola))
    settings.spread = spread
    guard humanCents > 0 else { return settings }
    for voice in settings.voices.indices {
      settings.voices[voice].expression.drift.driftCents = humanCents
      settings.voices[voice].expression.jitter.jitterMs = 20
      settings.voices[voice].delayMs = 4 * Double(voice)
    }
    return settings
  }

  private static func doubled() -> Harmonizer.Settings {
    var settings = choir([0, 0], spread: 1)
    for (voice, (cents, ms)) in [(-7.0, 11.0), (9, 19)].enumerated() {
      settings.voices[voice].detuneCents = cents
      settings.voices[voice].delayMs = ms
    }
    return settings
  }

  private static func held(_ count: Int) -> Harmonizer.Settings {
    var settings = Harmonizer.Settings(
      voices: (0..<count).map { _ in .init(.held, gain: 0.6) }, dryGain: 0.5,
      engine: Engine(.psola))
    settings.spread = 0.8
    return settings
  }
}
