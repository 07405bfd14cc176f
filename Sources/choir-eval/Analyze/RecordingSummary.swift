import Analyzer
import CommandSupport
import Foundation
import Music
import Platform
import Statistics

/// The output of `choir-eval analyze` for one recording, as JSON and as text.
///
/// A missing value is left out, never 0 or NaN.
struct RecordingSummary: Encodable {
  var schema = "choir-eval.analyze/1"
  var file: String
  var seconds: Double
  var sampleRateHz: Double
  /// Level of all channels together.
  var level: Level?
  /// Each channel, and where the voice is judged; `nil` for one channel.
  var channels: Channels?
  var voicedShare: Double
  /// Voices, where more than one sounds for at least a tenth of the time.
  var voices: Voices?
  /// Remarks on what the figures can't tell, as in the text.
  var remarks: [String]
  /// Pitch, and below all that describes one voice: left out if more than one voice sounds for most of the
  /// time.
  var f0MedianHz: Double?
  var f0P5Hz: Double?
  var f0P95Hz: Double?
  /// Median distance between the tracker and the second pitch judge.
  var judgesDifferCents: Double?
  /// Share of the voiced frames in which the second judge finds a pitch.
  var confirmedShare: Double?
  /// Processor time of pitch tracking, divided by the duration; `nil` for an empty recording.
  var pitchRealTimeFactor: Double?
  /// Medians of F1 to F4 over voiced frames.
  var formantsHz: [Double?]?
  var notes: [Note]?
  /// Vibratos of the notes that have one, in their order.
  var vibratos: [Vibrato]?
  var key: Key?
  var quality: VoiceQuality?
  var defects: SignalDefects?
  /// `nil` in silence.
  var clicks: [Clicks.Click]?
  /// Processor time of separating the voices of a mix; `nil` if not requested.
  var voicesMsPerFrameAndVoice: Double?

  struct Channels: Encodable {
    var count: Int
    /// Channel in which the voice is judged, from 1; `nil` for the mean of all.
    var judgedChannel: Int?
    var each: [ChannelProfile]
  }

  struct Voices: Encodable {
    /// Share of the voiced time in which more than one voice sounds.
    var share: Double
    /// Median pitch of each, from low to high.
    var f0Hz: [Double]
  }

  /// Share of the voiced time above which several voices are mentioned: reverberation and a change of the
  /// note seldom reach it.
  private static let leastVoicesShare = 0.1

  struct Vibrato: Encodable {
    var onsetSeconds: Double
    var rateHz: Double
    var extentCents: Double
    var regularity: Double
  }

  struct Key: Encodable {
    var name: String
    /// Correlation minus that of the next best key.
    var margin: Double
    /// Tuning above equal temperament at A = 440 Hz; `nil` if the notes disagree.
    var tuningCents: Double?
  }

  init(
    file: String, _ profile: VoiceProfile, _ recording: RecordingChannels, pitchTookSeconds: Double
  ) {
    self.file = file
    seconds = profile.durationSeconds
    sampleRateHz = profile.sampleRateHz
    level = recording.level
    defects = recording.defects
    clicks = recording.clicks
    if recording.each.count > 1 {
      channels = Channels(
        count: recording.each.count, judgedChannel: recording.judged.map { $0 + 1 },
        each: recording.each)
    }
    voicedShare = profile.track.voicedShare
    pitchRealTimeFactor = seconds > 0 ? pitchTookSeconds / seconds : nil
    let polyphony = profile.polyphony
    if polyphony.share >= Self.leastVoicesShare {
      voices = Voices(share: polyphony.share, f0Hz: polyphony.voicesHz)
    }
    remarks = [recording.remark].compactMap(\.self)
    if let voices { remarks.append(Self.remark(voices, isMostly: polyphony.isMostly)) }
    guard !polyphony.isMostly else { return }
    f0MedianHz = Statistics.median(profile.voicedHz)
    f0P5Hz = Statistics.quantile(profile.voicedHz, 0.05)
    f0P95Hz = Statistics.quantile(profile.voicedHz, 0.95)
    judgesDifferCents = Statistics.median(profile.judgesDifferCents)
    confirmedShare = profile.confirmedShare
    if let confirmedShare, confirmedShare < Self.leastConfirmed {
      remarks.append(
        "the second judge finds a pitch in only \(format(100 * confirmedShare, 0)) % of the voiced frames"
      )
    }
    if profile.formants != nil { formantsHz = (1...4).map(profile.medianHz) }
    if profile.parts.contains(.notes) {
      notes = profile.notes
      vibratos = zip(profile.notes, profile.vibratos).compactMap { note, vibrato in
        vibrato.map {
          Vibrato(
            onsetSeconds: note.onsetSeconds, rateHz: $0.rateHz, extentCents: $0.extentCents,
            regularity: $0.regularity)
        }
      }
    }
    key = profile.key.map {
      Key(name: $0.best.name, margin: $0.margin, tuningCents: $0.tuningCents)
    }
    quality = profile.quality
  }

  /// Share of the voiced frames confirmed by the second judge, below which that is mentioned. Speech and
  /// rough voices, whose pitch moves fast, reach half.
  private static let leastConfirmed = 0.4

  private static func remark(_ voices: Voices, isMostly: Bool) -> String {
    let pitches = voices.f0Hz.map { format($0, 1) }.joined(separator: ", ")
    return
      "\(voices.f0Hz.count) voices sound in \(format(100 * voices.share, 0)) % of the voiced time, at about "
      + "\(pitches) Hz"
      + (isMostly
        ? "; figures of one voice would describe none of them"
        : "; other figures take them for one voice")
  }

  var text: String {
    let lines =
      [file, lengthLine] + remarks.map { "  \($0)" } + [
        pitchLine, formantsLine, notesLine, keyLine, qualityLine,
      ] + soundLines
    return lines.compactMap(\.self).joined(separator: "\n")
  }

  private var lengthLine: String {
    let length = "  \(format(seconds, 2)) s at \(format(sampleRateHz, 0)) Hz"
    guard let level else { return length }
    return length
      + "; level \(format(level.rmsDbfs, 1)) dBFS rms, peak \(format(level.samplePeakDbfs, 1)), "
      + "loudness \(format(level.integratedLufs, 1)) LUFS"
  }

  private var pitchLine: String? {
    guard let f0MedianHz else { return voices == nil ? "  no voiced frame" : nil }
    let judges = judgesDifferCents.map { "; the second judge differs by \(format($0, 1)) cents" }
    return "  pitch \(format(f0MedianHz, 1)) Hz median, \(format(f0P5Hz, 1)) to "
      + "\(format(f0P95Hz, 1)) for 90 % of frames; voiced \(format(voicedShare * 100, 0)) %"
      + (judges ?? "")
  }

  private var formantsLine: String? {
    guard let formantsHz, f0MedianHz != nil else { return nil }
    return "  formants \(formantsHz.map { format($0, 0) }.joined(separator: ", ")) Hz"
  }

  private var notesLine: String? {
    guard let notes, !notes.isEmpty else { return nil }
    let shown = notes.prefix(12).map {
      "\(Self.noteName($0.midi))\(Self.signed($0.deviationCents))"
    }
    let more = notes.count - shown.count
    return "  notes \(shown.joined(separator: " "))" + (more > 0 ? " and \(more) more" : "")
  }

  private var keyLine: String? {
    guard let key, let vibratos, f0MedianHz != nil else { return nil }
    let tuning = key.tuningCents.map { ", \(format($0, 0)) cents from A 440" } ?? ""
    let vibrato = Statistics.median(vibratos.map(\.rateHz)).map { rate in
      "; vibrato in \(counted(vibratos.count, "note")), \(format(rate, 1)) Hz, "
        + "±\(format(Statistics.median(vibratos.map(\.extentCents)), 0)) cents"
    }
    return "  key \(key.name) (margin \(format(key.margin, 2)))\(tuning)\(vibrato ?? "")"
  }

  private var qualityLine: String? {
    guard let quality, f0MedianHz != nil else { return nil }
    return "  voice: harmonicity \(format(quality.harmonicityDb, 1)) dB, "
      + "\(format(quality.bandHarmonicityDb, 1)) above 2 kHz; "
      + "CPPS \(format(quality.cepstralProminenceDb, 1)) dB; "
      + "jitter \(format(quality.jitter.map { 100 * $0 }, 2)) %, "
      + "shimmer \(format(quality.shimmerDb, 2)) dB; "
      + "tilt \(format(quality.tiltDbPerOctave, 1)) dB/octave"
  }

  /// The faults of the sound, channel by channel.
  private var soundLines: [String] {
    guard let channels else {
      return [Self.faults(defects, clicks, named: "sound")].compactMap(\.self)
    }
    return channels.each.indices.compactMap { channel in
      let one = channels.each[channel]
      let peak = one.level.map { "; peak \(format($0.samplePeakDbfs, 1)) dBFS" } ?? ""
      return Self.faults(one.defects, one.clicks, named: "channel \(channel + 1)").map { $0 + peak }
    }
  }

  private static func faults(
    _ defects: SignalDefects?, _ clicks: [Clicks.Click]?, named name: String
  ) -> String? {
    guard let defects else { return nil }
    let parts = [
      (clicks?.count ?? 0, "clicks"), (defects.dropouts.count, "dropouts"),
      (defects.clips.count, "clipped stretches"), (defects.nonFiniteCount, "non-finite samples"),
    ].map { "\($1) \($0)" }
    return "  \(name): \(parts.joined(separator: ", ")); "
      + "noise floor \(format(defects.noiseFloorDbfs, 1)) dBFS"
  }

  private static func noteName(_ midi: Int) -> String {
    NoteNumber(Double(midi)).name().replacing("#", with: "♯")
  }

  private static func signed(_ cents: Double) -> String {
    let whole = Int(cents.rounded())
    return whole == 0 ? "" : whole > 0 ? "+\(whole)" : "\(whole)"
  }
}
