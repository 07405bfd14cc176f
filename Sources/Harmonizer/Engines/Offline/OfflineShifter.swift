import Analyzer
import DSP
import Foundation

/// Transposes a whole recording of a voice with all the time in the world: what can be had without
/// real time, so the bound that real-time engines are held against.
///
/// The pitch is tracked and the periods are marked with the whole recording known. Each voice gets
/// grains of two periods at marks of its own pitch, moved by parts of a sample without error, each
/// a mix of the two nearest of the lead, no softer than the lead is there; what lies between the harmonics is
/// restored (`HarmonicGaps`). What is not voiced passes as it is, where it was. Where a voice is in
/// doubt, only what lies below 1.5 kHz is moved: a faint voice is heard there, a consonant above.
///
/// - Input: mono, 8 to 192 kHz. A sample that is not finite counts as 0, and an offset is left out. Allocates.
/// - Output: as long as the input, without delay, about as loud.
/// - Source: Moulines and Charpentier, "Pitch-synchronous waveform processing techniques for
///   text-to-speech synthesis using diphones", Speech Communication 9, 1990; a voice in some bands
///   and noise in others as in Griffin and Lim, "Multiband excitation vocoder", IEEE Trans. ASSP 36,
///   1988.
public struct OfflineShifter: Sendable {
  public struct Settings: Codable, Equatable, Sendable {
    public var pitch = PitchTracker.Settings()
    /// Restores what the mouth does between harmonics; most of what it costs.
    public var fillsGaps = true
    public var envelope = EnvelopeAnalyzer.Settings()
    /// Limit of the restoration.
    public var mostFillDb = 6.0

    public init() {
      envelope.spanMs = 200
      envelope.hopMs = 50
      pitch.hopMs = 2.5
      // A voice taken for noise keeps the lead's pitch: with 0.1 in .39 % of the frames of speech, with
      // 0.02 in .15, with 0.015 in .10 (scripts/peers/people.py). Noise taken for voice sounds of a pitch: in
      // 2.9, 3.6 and 4.0 % of the unvoiced frames that are 35 ms from any voice.
      pitch.voicingThreshold = 0.02
    }

    public func validate() throws(SettingsError) {
      try pitch.validate()
      try envelope.validate()
      try require("mostFillDb", mostFillDb, in: 0...60)
    }
  }

  /// One copy to be made.
  public struct Voice: Codable, Equatable, Sendable {
    public var shift: ShiftCurve
    /// Moves the formants; 0 keeps them.
    public var formantShiftSemitones: Double

    public init(shift: ShiftCurve, formantShiftSemitones: Double = 0) {
      self.shift = shift
      self.formantShiftSemitones = formantShiftSemitones
    }

    public func validate() throws(SettingsError) {
      for semitones in shift.semitones {
        try require("shiftSemitones", semitones, in: Engine.shiftRange)
      }
      try require("hopSeconds", shift.hopSeconds, in: 1e-6...1e9)
      try require("formantShiftSemitones", formantShiftSemitones, in: -12...12)
    }
  }

  public let settings: Settings
  private let tracker: PitchTracker
  private let analyzer: EnvelopeAnalyzer

  public init(_ settings: Settings = Settings()) throws(SettingsError) {
    try settings.validate()
    self.settings = settings
    tracker = try PitchTracker(settings.pitch)
    analyzer = try EnvelopeAnalyzer(settings.envelope)
  }

  /// Every voice, from one analysis.
  public func render(_ signal: Signal, voices: [Voice]) throws(SettingsError) -> [Signal] {
    try require("sampleRateHz", signal.sampleRateHz, in: Engine.ratesHz)
    for voice in voices { try voice.validate() }
    let sound = Self.withoutOffset(
      Signal(signal.samples.map(\.soundOrZero), sampleRateHz: signal.sampleRateHz))
    guard !sound.samples.isEmpty else { return voices.map { _ in sound } }
    let track = Self.withoutNoise(tracker.track(sound))
    let marks = MarkedVoice(
      EpochFinder().epochs(in: sound, track: track), track, sound.sampleRateHz)
    let frames = settings.fillsGaps && !marks.runs.isEmpty ? analyzer.frames(of: sound, track) : []
    let split = SplitSound(sound)
    let rest = split.unvoiced(marks)
    return voices.map { voice in
      var output = rest
      add(voice, split, marks, frames, to: &output)
      return Signal(output, sampleRateHz: sound.sampleRateHz)
    }
  }

  /// Share of the sound's level from which its mean is an offset. By chance half a second of noise has up to .02; an
  /// offset of .03 is 30 dB softer than the sound.
  private static let offsetThreshold = 0.03

  /// Returns a sound without its offset, which grains that overlap more would make larger. A high-pass filter at
  /// 25 Hz moves what is voiced as well: with it .11 % of the frames of speech are wrong, so .03
  /// (scripts/peers/people.py).
  private static func withoutOffset(_ sound: Signal) -> Signal {
    let offset = sound.samples.reduce(0) { $0 + Double($1) } / Double(max(1, sound.count))
    guard abs(offset) > offsetThreshold * sound.rms else { return sound }
    return Signal(sound.samples.map { $0 - Float(offset) }, sampleRateHz: sound.sampleRateHz)
  }

  /// Probability of a voice that each run of voiced frames has to reach: a voice fades into doubt, and
  /// noise is nothing else. With 0.2 white noise is taken for voice, with 0.4 and 0.5 none is; on speech and
  /// singing 0.4 and 0.5 are the same.
  private static let sureVoicing = 0.5

  /// Returns a track without the runs that are nowhere surely a voice.
  private static func withoutNoise(_ track: PitchTrack) -> PitchTrack {
    var track = track
    for frames in track.voicedRuns
    where !frames.contains(where: { track.voicing[$0] >= sureVoicing }) {
      for frame in frames { track.f0Hz[frame] = 0 }
    }
    return track
  }

  /// Adds what is voiced.
  private func add(
    _ voice: Voice, _ sound: SplitSound, _ marks: MarkedVoice, _ frames: [EnvelopeAnalyzer.Frame],
    to output: inout [Float]
  ) {
    // Read faster, formants lie higher; at a multiple of 25 Hz, so that the rates are in a simple
    // ratio.
    let formantRatio = frequencyRatio(ofSemitones: voice.formantShiftSemitones)
    let rateHz = sound.whole.sampleRateHz
    let readHz = max(1, (rateHz / formantRatio / 25).rounded()) * 25
    let read = formantRatio == 1 ? sound : sound.resampled(to: readHz)
    for run in marks.runs { add(run, voice.shift, read, rateHz, marks, frames, to: &output) }
  }

  private func add(
    _ run: VoicedRun, _ shift: ShiftCurve, _ read: SplitSound, _ rateHz: Double,
    _ marks: MarkedVoice, _ frames: [EnvelopeAnalyzer.Frame], to output: inout [Float]
  ) {
    let scale = read.whole.sampleRateHz / rateHz
    // Room for two periods, and for what filling the gaps adds around them.
    let room = Int(6 * run.longestSamples * max(scale, 1))
    let count = powerOfTwo(above: room)
    var cutter = GrainCutter(read, scale: scale, marks, transformCount: count)
    let gaps = HarmonicGaps(
      frames, transformCount: count, sampleRateHz: rateHz, ceilingHz: settings.envelope.ceilingHz,
      maxDb: settings.mostFillDb)
    var placer = GrainPlacer(transformCount: count)
    var near: [Int: VoiceGrain] = [:]
    func grain(_ mark: Int) -> VoiceGrain {
      if let known = near[mark] { return known }
      near = near.filter { $0.key >= mark - 1 }
      let (before, after) = marks.reach(ofMark: mark, in: run)
      let period = (before + after) / 2
      var grain = VoiceGrain(
        cutter.spectrum(ofMark: mark, in: run), periodSamples: period, scale: scale)
      gaps.fill(
        &grain.spectrum, atSeconds: marks.epochs[mark].timeSamples / rateHz, f0Hz: rateHz / period,
        formantRatio: 1 / scale)
      near[mark] = grain
      return grain
    }
    for place in run.placesOfMarks(shift, sampleRateHz: rateHz) {
      let time = run.time(atPeriods: place)
      let ratio = frequencyRatio(ofSemitones: shift.semitones(atSeconds: time / rateHz))
      let before = min(Int(place), run.times.count - 2)
      let mark = run.marks.lowerBound + before
      // Grains of noise, mixed, are more alike from one to the next.
      let isMixed = !marks.isDoubtful[mark] && !marks.isDoubtful[mark + 1]
      let share = isMixed ? place - Double(before) : (place - Double(before)).rounded()
      let mix = VoiceGrain(mixing: grain(mark), grain(mark + 1), share: share)
      // More grains, or longer ones, carry more power.
      let byCount = 1 / (scale * ratio).squareRoot()
      let power = mix.power(ofRatio: ratio)
      let gain = power > 0 ? (mix.power / power).squareRoot() : byCount
      placer.add(
        mix.spectrum, atSamples: time, gain: min(max(gain, byCount), byCount * Self.maxBoost),
        to: &output)
    }
  }

  /// Limit of the gain that makes a grain no softer than the lead. Where a voice is little but its fundamental,
  /// as at soft ends, there is less between its harmonics, by up to 12 dB. A louder grain is left: the level of a
  /// voice moves as its harmonics pass the mouth's peaks (`intelligibility.estoi` of synth-melody-tenor .63 so,
  /// .61 with the lead's level throughout; .36 and .29 % of the frames of singing are lost, scripts/peers/people.py).
  private static let maxBoost = 4.0
}

/// An interval that may change over time: how far above a lead another voice sings.
public struct ShiftCurve: Codable, Equatable, Sendable {
  /// Positive is up; at equal steps from time 0, on straight lines between, the first and last value
  /// beyond.
  public var semitones: [Double]
  public var hopSeconds: Double

  public init(semitones: [Double], hopSeconds: Double) {
    self.semitones = semitones
    self.hopSeconds = hopSeconds
  }

  /// The same interval throughout.
  public static func constant(_ semitones: Double) -> ShiftCurve {
    ShiftCurve(semitones: [semitones], hopSeconds: 1)
  }

  public func semitones(atSeconds time: Double) -> Double {
    guard let first = semitones.first, let last = semitones.last else { return 0 }
    let position = time / hopSeconds
    guard position > 0 else { return first }
    guard position < Double(semitones.count - 1) else { return last }
    let before = Int(position)
    let share = position - Double(before)
    return semitones[before] + share * (semitones[before + 1] - semitones[before])
  }
}
