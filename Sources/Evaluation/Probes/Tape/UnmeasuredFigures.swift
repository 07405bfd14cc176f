import Foundation
import Platform

/// Figures that a recording of a tape can't show, because the recorder or the room is part of them.
struct UnmeasuredFigures {
  /// The reason by metric or family.
  let reasons: [String: String]

  private static let ofDelay = [
    "latency", "latency.control", "latency.control.p5", "latency.control.p95", "step.delay",
    "step.settle",
  ]
  private static let ofLevel = ["level.change", "voice.level", "noise.floor"]
  /// Figures that a room changes by more than 0.5 cents, 0.3 ms, 0.5 dB or 1 %. The others are those
  /// of single frames of pitch, of which a median holds.
  private static let ofRooms =
    ["timbre", "words", "consonants", "artefacts", "stereo", "latency"] + ofDelay + ofLevel + [
      "pitch.abs_error.p95", "pitch.residual", "pitch.residual.p95", "pitch.lag",
      "pitch.vibrato_extent_ratio", "pitch.vibrato_rate_error",
    ]
  /// Figures that a compressor or a limiter changes as much.
  private static let ofCompression =
    ofLevel + [
      "harmonicity.change", "tremolo.depth", "tremolo.rate", "transient.smear", "latency",
      "pitch.lag", "consonants", "clipping.share",
    ]

  /// Level after a burst, relative to it, from which the sound rings: a room of 0.4 s with a loudspeaker
  /// 1 m away has -25 dB.
  private static let maxRingDb = -40.0
  /// Step of level that comes out too small: sweeps and splices of shifters alone reach 1.1 dB, as SoX an
  /// octave down.
  private static let maxStepLossDb = 1.4
  /// Softest step that counts. At -20 dB, splices reach 1.6 dB.
  private static let softestStepDb = -10.0

  /// - Parameter levels: those of the recording; `nil` if nothing lies between system and recorder.
  init(isAbsolute: Bool, levels: TapeLevels?) {
    var reasons: [String: String] = [:]
    func add(_ names: [String], _ reason: String) {
      for name in names where reasons[name] == nil { reasons[name] = reason }
    }
    if !isAbsolute {
      add(
        Self.ofDelay,
        "the tape was recorded without its dry channel, so its delay holds the recorder's")
      add(
        Self.ofLevel,
        "the tape was recorded without its dry channel, so its level is that of the marks")
    }
    guard let levels else {
      self.reasons = reasons
      return
    }
    let way = "if that is the system's own, add --by-cable"
    if levels.ringDb > Self.maxRingDb {
      add(
        Self.ofRooms,
        "the recording rings, at \(fixed(levels.ringDb, 0)) dB 0.2 s after a burst, as in a room; \(way)"
      )
    }
    // Both sides of the step at 0 dB: a louder one comes out too soft, a softer one too loud.
    let losses = zip(TapeSteps.stepsDb, levels.stepsDb).filter { $0.0 >= Self.softestStepDb }
      .map { sent, found in sent > 0 ? sent - found : found - sent }
    if let worst = losses.max(), worst > Self.maxStepLossDb {
      add(
        Self.ofCompression,
        "the recording is compressed: a step of level is \(fixed(worst)) dB too small; \(way)")
    }
    self.reasons = reasons
  }
}
