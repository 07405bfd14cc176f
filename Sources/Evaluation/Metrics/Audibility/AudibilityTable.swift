extension Audibility {
  /// All thresholds, pitch first.
  public static let all = pitch + time + timbre + faults

  private static let pitch = [
    Audibility(
      attribute: "pitch of a voice in a chord", axis: .pitch, threshold: 10, range: 2...25,
      unit: "cents", conditions: "musical intervals of complex tones, amateur musicians",
      sources: [
        Source(
          "Hill and Summers, Discrimination of interval size in short tone sequences, 2007, "
            + "doi 10.1121/1.2697059",
          "about 10 cents, melodic and together with a sustained tone"),
        Source(
          "Vos, The perception of pure and mistuned musical fifths and major thirds, 1982, "
            + "doi 10.3758/BF03206236",
          "the direction of mistuning of a chord is heard from 20 to 30 cents; beats tell sooner"),
        Source(
          "Larrouy-Maestri, I know it when I hear it, 2018, doi 10.1177/2059204318784582",
          "sung melodies are called out of tune from 25 cents"),
      ]),
    Audibility(
      attribute: "pitch of steady complex tones", axis: nil, threshold: 2, range: 2...10,
      unit: "cents",
      conditions: "two isolated tones in turn, trained listeners; stricter than any sung chord",
      sources: [
        Source(
          "Moore, An Introduction to the Psychology of Hearing, chapter 6",
          "0.1 to 0.2 % for trained listeners", checked: false)
      ]),
    Audibility(
      attribute: "pitch of tones with vibrato", axis: nil, threshold: 10, range: 10...25,
      unit: "cents", conditions: "mean pitch of a tone with vibrato against one without",
      sources: [
        Source(
          "Brown and Vaughn, Pitch center of musical sounds with vibrato, 1993 and 1996",
          "the pitch heard is the mean; shifts of −15 to +21 cents were compared"),
        Source(
          "Geringer, MacLeod, Madsen and Napoles, Perception of melodic intonation in "
            + "performances with and without vibrato, 2014, doi 10.1177/0305735614534004",
          "25 cents are noticed less with vibrato than without"),
      ]),
  ]

  private static let time = [
    Audibility(
      attribute: "latency for players and listeners", axis: .latency, threshold: 10, range: 5...30,
      unit: "ms", conditions: "sound after an action, musicians; constant latency",
      sources: [
        Source(
          "Jack, Mehrabi, Stockman and McPherson, Action-sound latency and the perceived quality "
            + "of digital musical instruments, 2018",
          "10 ms are rated like none; 20 ms, or 10 with 3 ms of jitter, are rated lower"),
        Source(
          "Mäki-Patola and Hämäläinen, Latency tolerance for gesture controlled continuous sound "
            + "instrument without tactile feedback, 2004",
          "just noticeable at 20 to 30 ms; with vibrato and slow playing later"),
        Source(
          "Rasch, Synchronization in performed ensemble music, 1979",
          "ensembles are 30 to 50 ms apart without sounding uneven, as quoted by others",
          checked: false),
        Source(
          "Friberg and Sundberg, Time discrimination in a monotonic, isochronous sequence, 1995",
          "one tone of a fast isochronous sequence is heard to be displaced from 6 ms"),
      ]),
    Audibility(
      attribute: "latency for singers hearing themselves", axis: nil, threshold: 5, range: 5...10,
      unit: "ms",
      conditions: "the own voice in in-ear monitors, mixed with bone conduction; a rule of thumb",
      sources: [
        Source(
          "Yamaha, Audio quality in networked systems, 5.5",
          "above 5 ms two sounds may be heard, below them a comb filter"),
        Source(
          "Lester and Boley, The effects of latency on live sound monitoring, 2007",
          "singers with in-ear monitors are the most sensitive", checked: false),
      ]),
  ]

  private static let timbre = [
    Audibility(
      attribute: "formant shift", axis: .formants, threshold: 5, range: 1.5...8, unit: "%",
      conditions: "all formants scaled alike, as by another length of the vocal tract; syllables",
      sources: [
        Source(
          "Ives, Smith and Patterson, Discrimination of speaker size from syllable phrases, 2005, "
            + "doi 10.1121/1.2118427",
          "about 5 % in syllables, less than in vowels", checked: false),
        Source(
          "Smith, Patterson, Turner, Kawahara and Irino, The processing and perception of size "
            + "information in speech sounds, 2005",
          "about 8 % in vowels", checked: false),
        Source(
          "Irino, Aoki, Hayashi, Kawahara and Patterson, Discrimination and recognition of scaled "
            + "word sounds, 2007",
          "5.5 to 19 % in words, by listener; the smallest as in syllables, the mean as in vowels"),
        Source(
          "Kewley-Port and Watson, Formant-frequency discrimination for isolated English vowels, "
            + "1994",
          "one formant of a steady vowel, trained listeners who know which: 14 Hz of F1, 1.5 % of "
            + "F2"),
      ]),
    Audibility(
      attribute: "spectral tilt", axis: .tilt, threshold: 3.2, range: 2.2...3.2, unit: "dB/octave",
      conditions: "level of the first harmonic against the second; vowels",
      sources: [
        Source(
          "Kreiman and Gerratt, Perceptual sensitivity to first harmonic amplitude in the voice "
            + "source, 2010, doi 10.1121/1.3478784",
          "3.2 dB in the mean, about 1 dB less for speakers of Mandarin")
      ]),
    Audibility(
      attribute: "level of a voice", axis: nil, threshold: 1, range: 0.5...1.5, unit: "dB",
      conditions: "steady tones well above threshold",
      sources: [
        Source(
          "Jesteadt, Wier and Green, Intensity discrimination as a function of frequency and "
            + "sensation level, 1977",
          "0.5 to 1.5 dB, less at high levels", checked: false)
      ]),
    Audibility(
      attribute: "amplitude modulation", axis: .tremolo, threshold: 0.87, range: 0.87...1.23,
      unit: "dB",
      conditions: "swing from trough to crest at up to about 50 Hz; above, the measured depth is "
        + "weighted by the threshold at its rate (1.2 dB at 50 Hz, 1.8 at 100, 4.1 at 250)",
      sources: [
        Source(
          "Viemeister, Temporal modulation transfer functions based upon modulation thresholds, "
            + "1979",
          "23 to 26 dB below full modulation up to 50 to 60 Hz, as taught by the University of "
            + "Washington from its figure"),
        Source(
          "Kohlrausch, Fassel and Dau, The influence of carrier level and frequency on modulation "
            + "and beat-detection thresholds, 2000",
          "constant up to 100 to 130 Hz for tones from 2 kHz"),
      ]),
  ]

  private static let faults = [
    Audibility(
      attribute: "missing voice", axis: .missing, threshold: 1, range: 0.2...1, unit: "% of frames",
      conditions: "a limit of this project: 10 ms in a second; gaps of noise are heard from 2 to "
        + "6 ms",
      sources: [
        Source(
          "Snell and Hu, The effect of temporal placement on gap detectability, 1995",
          "2.0 to 5.7 ms within a noise, by place"),
        Source(
          "Preis and Terhardt, Annoyance of distortions of speech, 1989",
          "interruptions annoy more than added noise of the same length"),
      ]),
    Audibility(
      attribute: "wrong notes", axis: .gross, threshold: 1, range: 0.2...1, unit: "% of frames",
      conditions: "a limit of this project, as for missing voices; a note off by 200 cents or an "
        + "octave is heard as soon as its pitch is",
      sources: []),
    Audibility(
      attribute: "clicks", axis: .clicks, threshold: 1, range: 1...1, unit: "clicks",
      conditions:
        "one click that stands out of the voice and comes within 46 dB of its level. On unharmed "
        + "speech the detector finds up to 4", noise: 4,
      sources: [
        Source(
          "ISO 389-6, Reference threshold of hearing for test signals of short duration, 2007",
          "a click of 0.1 ms is heard in silence from about 35 dB peak equivalent", checked: false)
      ]),
    Audibility(
      attribute: "lost consonants", axis: .consonants, threshold: 4, range: 4...10,
      unit: "% of consonants",
      conditions: "computed: with 4 % of the phonemes lost, one word in ten is",
      sources: [
        Source(
          "Boothroyd and Nittrouer, Mathematical treatment of context effects in phoneme and word "
            + "recognition, 1988, doi 10.1121/1.396976",
          "a word is recognized with the chance of a phoneme to the power of about 2.5; the power "
            + "was not read", checked: false)
      ]),
  ]
}
