import Testing

/// `choir harmonize`: misuse names the flag and the way out, and nothing is written.
@Suite struct HarmonizeMisuseTests {
  @Test(arguments: [
    ([], "give one of --intervals"),
    (["--intervals", "4", "--notes", "C4"], "--intervals and --notes each choose the notes"),
    (["--key", "C major"], "add --degrees"),
    (["--degrees", "3"], "add --key"),
    (["--key", "H major", "--degrees", "3"], "--key: 'H' is no pitch"),
    (["--key", "C major", "--degrees", "3,0"], "--degrees: 0 is no degree"),
    (["--notes", "C4,E"], "--notes: 'E' is no note"),
    (["--chord", "Cfoo"], "--chord: 'Cfoo' is no chord"),
    (["--intervals", "4", "--lowest-note", "C3"], "--lowest-note is for --chord"),
    (["--progression", "C | Xq", "--tempo", "96"], "--progression: bar 2: 'Xq' is no chord"),
    (["--progression", "I V", "--tempo", "96"], "bar 1: 'I' is a Roman numeral and needs a key"),
    (["--progression", "C | G"], "--progression needs a tempo; add --tempo"),
    (["--progression", "C", "--tempo", "0"], "'0' is invalid for '--tempo <tempo>': choose 1 to"),
    (
      ["--progression", "C", "--tempo", "96", "--time-signature", "3/5"],
      "--time-signature: '3/5' is no time signature"
    ),
    (["--notes", "C4", "--tempo", "96"], "--tempo is for --progression and --click"),
    (["--notes", "C4", "--click"], "--click needs a tempo; add --tempo"),
    (["--notes", "C4", "--click", "--time-signature", "3/4"], "--time-signature needs a tempo"),
    (
      ["--intervals", "4", "--engine", "tape"],
      "there is no engine 'tape'; choose delayline, psola"
    ),
    (
      ["--key", "C major", "--degrees", "3", "--out-of-key", "no"], "choose nearestTone, lowerTone"
    ),
    (["--intervals", "4", "--out-of-key", "silent"], "--out-of-key is for --degrees"),
    (["--map", "C:4,7;D:3"], "--map: D has 1 of 2 voices; use - for silence"),
    (["--key", "auto"], "add --degrees"),
    (["--notes", "C4", "--chords-from", "in.wav"], "each choose the notes"),
    (
      ["--intervals", "4", "--engine", "offline", "--save-preset", "a.json"], "choose a live engine"
    ),
    (["--chord", "C", "--save-preset", "a.json"], "which a preset can't hold"),
    (["--map", "H:4"], "--map: 'H' is no pitch"),
    (["--map", "C:4x"], "--map: '4x' of C is no interval"),
    (["--map", "none"], "--map: none can't be read"),
    (["--notes", "C4", "--allocate", "loud"], "--allocate is 'loud'; choose score, led, oldest,"),
    (["--intervals", "4", "--allocate", "oldest"], "these voices follow the lead"),
    (["--notes", "C4", "--allocate", "led"], "need chords, but the score has only notes"),
    (["--notes", "C4", "--descant"], "need chords, but the score has only notes"),
    (["--notes", "C4", "--allocate", "score", "--voices", "3"], "choose a policy, such as"),
    (["--notes", "C4", "--allocate", "score", "--latch"], "--latch is for voices played by keys"),
    (
      ["--notes", "C4", "--voices", "17"], "'17' is invalid for '--voices <voices>': choose 1 to 16"
    ),
    (["--notes", "C4", "--keeps-bass"], "--keeps-bass is for led voices"),
    (["--chord", "C", "--registers", "E2"], "--registers: 'E2' is no range of notes"),
    (["--chord", "C", "--registers", "C4-E4"], "highest is 64; choose 71 to"),
    (["--chord", "C", "--allocate", "led", "--spacing-semitones", "0"], "choose 1 to 127"),
    (["--notes", "C4", "--pedal-bass", "H"], "--pedal-bass: 'H' is no note"),
    (["--notes", "C4", "--voices", "16", "--pedal-bass", "C2"], "17 voices; choose at most 16"),
    (["--intervals", "4", "--engine", "offline", "--set", "depth=3"], "choose fillsGaps,"),
    (
      ["--intervals", "4", "--engine", "offline", "--set", "mostFillDb=90"],
      "--set mostFillDb is 90; choose 0 to 60"
    ),
    (["--intervals", "4", "--engine", "offline", "--look-ahead-ms", "5"], "is for live engines"),
    (["--intervals", "4", "--set", "windowMs"], "write NAME=VALUE"),
    (["--intervals", "4", "--set", "depth=3"], "has no setting 'depth'; choose ceilingHz,"),
    (
      ["--intervals", "4", "--engine", "delayline", "--set", "windowMs=wide"],
      "windowMs is 'wide'; write a number"
    ),
    (["--intervals", "4", "--set", "engine=offline"], "choose it by --engine"),
    (["--intervals", "4", "--set", "windowMs=20"], "the engine psola has no setting 'windowMs'"),
    (["--intervals", "4,7", "--gain", "1,1,1"], "--gain has 3 values for 2 voices"),
    (
      ["--intervals", "4", "--formant-shift-semitones", "0,1"],
      "--formant-shift-semitones has 2 values for 1 voice"
    ),
    (
      ["--intervals", "4", "--engine", "delayline", "--formant-shift-semitones", "2"],
      "choose 0, or the engine psola or vocoder"
    ),
    (
      ["--intervals", "4", "--velocity-share", "2"],
      "'2' is invalid for '--velocity-share <velocity-share>': choose 0 to 1"
    ),
    (["--preset", "telephone"], "--preset: telephone has no choir; choose notes"),
    (
      ["--preset", "keys"],
      "the choir of keys sings the keys that are held; choose them by --notes"
    ),
    (["--preset", "duet", "--voices", "3"], "the choir of duet has fixed voices"),
    (["--preset", "duet", "--lowest-note", "C3"], "--lowest-note is for --chord"),
    (["--preset", "no-such"], "there is no preset 'no-such'"),
    (
      ["--intervals", "4", "--spread", "2"], "'2' is invalid for '--spread <spread>': choose 0 to 1"
    ),
    (["--intervals", "4", "--consonants", "loud"], "choose kept, gated, passedOnce"),
    (["--intervals", "4", "--tuning", "sour"], "--tuning is 'sour'; choose equal, just"),
    (["--intervals", "4", "--rate-hz", "48000"], "--rate-hz is for --stream"),
    (["--intervals", "4", "--stream"], "write - and - for the files"),
    (
      ["--intervals", "4", "--block", "0"],
      "'0' is invalid for '--block <block>': choose 1 to 65536"
    ),
  ])
  func misuseNamesTheFlagAndTheWayOut(arguments: [String], words: String) throws {
    let answer = try HarmonizeTests.type(["a.wav", "b.wav"] + arguments)
    #expect(answer.status == 64)
    #expect(answer.words.contains(words), "\(answer.words)")
    #expect(answer.output.isEmpty)
  }
}
