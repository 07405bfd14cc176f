import Analyzer
import DSP

/// Pitch-synchronous overlap-add: the idea and the settings. The engine is `PSOLABank`,
/// its delay `PSOLALaw`.
///
/// **The idea.** A sung vowel is a row of nearly equal periods, each the ringing of the vocal tract
/// after one pulse of the vocal folds. The distance of the periods is the pitch; the shape of each is
/// the formants. So a copy at another pitch consists of the same periods at another distance. Each is
/// cut out under a window two periods long, a grain, and the grains are added up one period of the copy
/// apart. Nothing is resampled, so the formants stay; to move them, grains are read faster or slower.
///
/// **The steps**, of which `PSOLABank` does the first two once for all voices:
///
/// 1. `EpochTracker` (in `Analyzer`) finds one mark in each period, and says where there is a voice.
/// 2. `PeriodMap` keeps the latest marks and predicts the next ones from the mean of the last two periods.
/// 3. `GrainVoice` decides every eight samples whether its next grain is due. The grain's place is a
///    period of the copy after the last (`GrainTrajectory`). It is a mix of the sound about the two marks
///    next to the place minus the delay (`MarkMix`).
/// 4. `GrainTiming` gives delay and length of the grain by the period; `Grain` reads and windows it. Once
///    the marks are known that were predicted, it fades to where it should have been (`PlacedGrain`).
/// 5. Without a voice the input passes, as late as a voice at 196 Hz. Grains and input change places
///    under halves of a Hann window. If the period leaps, as when the tracker corrects an octave, the
///    last grain is repeated until the first one of the new period is due.
///
/// **Why it is like that.** A period is known only after it has sounded, so the delay is a matter of
/// periods, not of milliseconds, and high voices are earlier than low ones. A grain starts before all of
/// it is known; predictions are counted by the same rule for the mark and for the place, so that most of
/// their error cancels until it is corrected. Marks that the tracker moves carry how far it moved them
/// (`drift`), so that the pitch does not bend. All decisions fall on multiples of eight samples of the stream, so that blocks never
/// change the sound.
///
/// **The constants.** Those of the tracking stand with their reasons at `tracking`. The others:
///
/// - 0.8 of a grain's first half is waited for at a look-ahead of one period (`shareWaitedFor`): the
///   rest is predicted.
/// - Up, a grain is shorter by the root of the ratio (`GrainTiming.halfWidth`): between whole periods,
///   which keep the spectrum best, and periods of the copy, which hide differences of periods best.
/// - 1.3 between two periods is a leap, no slide; a leap that would take more than four periods of
///   repeats lets the input pass at once (`GrainVoice`).
/// - A grain may lie up to 0.2 of a period from where it would without `GrainTrajectory`; a larger
///   correction belongs to another voice, and is dropped, not cut (`GrainVoice`).
///
/// - Source: Moulines and Charpentier, "Pitch-synchronous waveform processing techniques for
///   text-to-speech synthesis using diphones", Speech Communication 9, 1990; the shared analysis as in
///   Schnell, Peeters et al., ICMC 2000; the constants by the experiments of docs/notes/psola.md
///   (scripts/peers/people.py, scripts/peers/contour.py).
public enum PSOLA {
  /// Pitch of a voice that is as late as sound without pitch.
  public static var passingHz: Double { 196 }

  /// Settings; every report has a copy.
  public struct Settings: ParameterizedSettings {
    public var lookAheadPeriods = 1.0
    public var formantShiftSemitones = 0.0
    public var floorHz = 60.0
    public var ceilingHz = 1200.0
    public var unvoicedMs = 2.0
    public var unvoicedGain = 1.0

    public static let parameters: [Parameter<Settings>] = [
      .init(
        "lookAheadPeriods", \.lookAheadPeriods, in: 0...2,
        """
        look-ahead, in periods of the voice: marks wait for half of it; the rest is for grains to begin \
        at marks already known; with 2 fewer beginnings are lost, 3.6 ms later at 196 Hz
        """),
      .init(
        "formantShiftSemitones", \.formantShiftSemitones, in: Engine.formantRange,
        "shift of the formants, whatever the pitch does; 0 keeps them"),
      .init("floorHz", \.floorHz, in: 40...600, "lowest pitch that is searched for"),
      .init("ceilingHz", \.ceilingHz, in: 80...1600, "highest pitch that is searched for"),
      .init(
        "unvoicedMs", \.unvoicedMs, in: 0.625...20,
        "time from one search for a voice to the next while there is none; at least a period of ceilingHz"
      ),
      .init(
        "unvoicedGain", \.unvoicedGain, in: 0...1,
        "level of sound without pitch, which passes unchanged; 0 leaves consonants to the lead"),
    ]

    public init() {}

    public func validate() throws(SettingsError) {
      try validateParameters()
      try tracking.validate()
    }

    /// Settings of the tracker of marks.
    ///
    /// - A gentle pull; with 0.04, 0.08 and 0.2 as many frames are wrong and lost.
    /// - A voice wherever the pitch tracker doesn't rule it out, because frames misjudged as unvoiced keep
    ///   the input's pitch. A period has to prove itself for 3 ms.
    ///   What a room leaves of a voice is transposed with it.
    /// - Cheap jumps and no look-ahead, so that the newest pitch is followed at once.
    /// - Source: the experiments of docs/notes/psola.md, on 9 to 29 recordings.
    var tracking: EpochTracker.Settings {
      var tracking = EpochTracker.Settings()
      tracking.pitch.floorHz = floorHz
      tracking.pitch.ceilingHz = ceilingHz
      tracking.pitch.voicingThreshold = 0.001
      tracking.pitch.octaveJumpCost = 1
      tracking.pitch.lookAheadMs = 0
      tracking.pitch.leavesOutTails = false
      tracking.lookAheadPeriods = lookAheadPeriods / 2
      tracking.unvoicedMs = unvoicedMs
      tracking.pull = 0.02
      tracking.proofMs = 3
      tracking.heldBackMs = 20
      return tracking
    }
  }
}
