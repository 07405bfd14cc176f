import Analyzer
import CommandSupport
import Foundation
import Music
import Platform
import Statistics

/// The output of `choir-eval analyze` for one recording, as JSON and as text.
///
/// A missing value is left out, never 0 or NaN.
struct RecordingSummary: @unchecked Sendable {
  /// Numbers and texts only, which threads may share.
  let json: JSONObject
  let text: String

  /// Share of the voiced time above which several voices are mentioned: reverberation and a change of the
  /// note seldom reach it.
  private static let minVoicesShare = 0.1
  /// Share of the voiced frames confirmed by the second judge, below which that is mentioned. Speech and
  /// rough voices, whose pitch moves fast, reach half.
  private static let minConfirmed = 0.4

  /// - Parameters:
  ///   - pitchTookSeconds: processor time of pitch tracking.
  ///   - voicesTookMs: processor time of separating the voices of a mix, for each frame and voice;
  ///     `nil` if not requested.
  init(
    file: String, _ profile: VoiceProfile, _ recording: RecordingChannels,
    pitchTookSeconds: Double, voicesTookMs: Double?
  ) {
    let polyphony = profile.polyphony
    let isMix = polyphony.share >= Self.minVoicesShare
    // Figures of one voice are left out if more than one sounds for most of the time.
    let one = polyphony.isMostly ? nil : profile
    let pitch = one.flatMap { one in
      Statistics.median(one.voicedHz).map { median in
        (
          medianHz: median, p5Hz: Statistics.quantile(one.voicedHz, 0.05),
          p95Hz: Statistics.quantile(one.voicedHz, 0.95)
        )
      }
    }
    let judgesDifferCents = one.flatMap { Statistics.median($0.judgesDifferCents) }
    let formantsHz = one.flatMap { one in
      one.formants.map { _ in (1...4).map { one.medianHz(ofFormant: $0) } }
    }
    let sung = one.flatMap { $0.parts.contains(.notes) ? $0 : nil }
    let vibratos = sung.map { sung in
      zip(sung.notes, sung.vibratos).compactMap { note, vibrato in vibrato.map { (note, $0) } }
    }
    var remarks = [recording.remark].compactMap(\.self)
    if isMix { remarks.append(Self.remark(polyphony)) }
    if let share = one?.confirmedShare, share < Self.minConfirmed {
      remarks.append(
        "the second judge finds a pitch in only \(format(100 * share, 0)) % of the voiced frames")
    }
    let seconds = profile.durationSeconds
    let channels: JSONObject? =
      recording.each.count < 2
      ? nil
      : [
        "count": recording.each.count, "judgedChannel": recording.judged.map { $0 + 1 },
        "each": recording.each,
      ]
    let voices: JSONObject = ["share": polyphony.share, "f0Hz": polyphony.voicesHz]
    json = [
      "schema": "choir-eval.analyze/1", "file": file, "seconds": seconds,
      "sampleRateHz": profile.sampleRateHz, "level": recording.level,
      "channels": channels, "voicedShare": profile.track.voicedShare,
      "voices": isMix ? voices : nil,
      "remarks": remarks, "f0MedianHz": pitch?.medianHz, "f0P5Hz": pitch?.p5Hz,
      "f0P95Hz": pitch?.p95Hz, "judgesDifferCents": judgesDifferCents,
      "confirmedShare": one?.confirmedShare,
      "pitchRealTimeFactor": seconds > 0 ? pitchTookSeconds / seconds : nil,
      "formantsHz": formantsHz, "notes": sung?.notes,
      "vibratos": vibratos.map(Self.json), "key": one?.key.map(Self.json),
      "quality": one?.quality, "defects": recording.defects, "clicks": recording.clicks,
      "voicesMsPerFrameAndVoice": voicesTookMs,
    ]
    let judges = judgesDifferCents.map { "; the second judge differs by \(format($0, 1)) cents" }
    let pitchLine = pitch.map { pitch in
      "  pitch \(format(pitch.medianHz, 1)) Hz median, \(format(pitch.p5Hz, 1)) to "
        + "\(format(pitch.p95Hz, 1)) for 90 % of frames; voiced "
        + "\(format(profile.track.voicedShare * 100, 0)) %" + (judges ?? "")
    }
    let ofOneVoice: [String?] = [
      formantsHz.map { "  formants \($0.map { format($0, 0) }.joined(separator: ", ")) Hz" },
      sung.flatMap { Self.line($0.notes) },
      one?.key.flatMap { key in
        vibratos.map { Self.line(key, $0.map(\.1)) }
      }, one?.quality.map(Self.line),
    ]
    var lines: [String?] = [file, Self.length(profile, recording.level)]
    for remark in remarks { lines.append("  \(remark)") }
    lines.append(pitchLine ?? (isMix ? nil : "  no voiced frame"))
    lines += pitch == nil ? [ofOneVoice[1]] : ofOneVoice
    lines += Self.faults(recording)
    text = lines.compactMap(\.self).joined(separator: "\n")
  }

  private static func json(_ vibratos: [(Note, VibratoFit)]) -> [JSONObject] {
    vibratos.map { note, vibrato in
      [
        "onsetSeconds": note.onsetSeconds, "rateHz": vibrato.rateHz,
        "extentCents": vibrato.extentCents, "regularity": vibrato.regularity,
      ]
    }
  }

  private static func json(_ key: KeyEstimate) -> JSONObject {
    ["name": key.best.name, "margin": key.margin, "tuningCents": key.tuningCents]
  }

  private static func remark(_ polyphony: Polyphony) -> String {
    let pitches = polyphony.voicesHz.map { format($0, 1) }.joined(separator: ", ")
    return
      "\(polyphony.voicesHz.count) voices sound in \(format(100 * polyphony.share, 0)) % of the voiced time, "
      + "at about \(pitches) Hz"
      + (polyphony.isMostly
        ? "; figures of one voice would describe none of them"
        : "; other figures take them for one voice")
  }

  private static func length(_ profile: VoiceProfile, _ level: Level?) -> String {
    "  \(format(profile.durationSeconds, 2)) s at \(format(profile.sampleRateHz, 0)) Hz"
      + (level.map {
        "; level \(format($0.rmsDbfs, 1)) dBFS rms, peak \(format($0.samplePeakDbfs, 1)), "
          + "loudness \(format($0.integratedLufs, 1)) LUFS"
      } ?? "")
  }

  private static func line(_ notes: [Note]) -> String? {
    guard !notes.isEmpty else { return nil }
    let shown = notes.prefix(12).map { "\(noteName($0.midi))\(signed($0.deviationCents))" }
    let more = notes.count - shown.count
    return "  notes \(shown.joined(separator: " "))" + (more > 0 ? " and \(more) more" : "")
  }

  private static func line(_ key: KeyEstimate, _ vibratos: [VibratoFit]) -> String {
    let tuning = key.tuningCents.map { ", \(format($0, 0)) cents from A 440" } ?? ""
    let vibrato = Statistics.median(vibratos.map(\.rateHz)).map { rate in
      "; vibrato in \(counted(vibratos.count, "note")), \(format(rate, 1)) Hz, "
        + "±\(format(Statistics.median(vibratos.map(\.extentCents)), 0)) cents"
    }
    return "  key \(key.best.name) (margin \(format(key.margin, 2)))\(tuning)\(vibrato ?? "")"
  }

  private static func line(_ quality: VoiceQuality) -> String {
    "  voice: harmonicity \(format(quality.harmonicityDb, 1)) dB, "
      + "\(format(quality.bandHarmonicityDb, 1)) above 2 kHz; "
      + "CPPS \(format(quality.cepstralProminenceDb, 1)) dB; "
      + "jitter \(format(quality.jitter.map { 100 * $0 }, 2)) %, "
      + "shimmer \(format(quality.shimmerDb, 2)) dB; "
      + "tilt \(format(quality.tiltDbPerOctave, 1)) dB/octave"
  }

  /// The faults of the sound, channel by channel.
  private static func faults(_ recording: RecordingChannels) -> [String?] {
    guard recording.each.count > 1 else {
      return [faults(recording.defects, recording.clicks, named: "sound")]
    }
    return recording.each.enumerated().map { index, one in
      let peak = one.level.map { "; peak \(format($0.samplePeakDbfs, 1)) dBFS" } ?? ""
      return faults(one.defects, one.clicks, named: "channel \(index + 1)").map { $0 + peak }
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
