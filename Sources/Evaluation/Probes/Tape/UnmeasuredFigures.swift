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
  /// Figures that a room changes by more than 0.5 cents, 0.3 ms, 0.5 dB or 1 %. Of pitch, shares of frames
  /// within wide limits remain.
  private static let ofRooms =
    ["timbre", "words", "consonants", "artefacts", "stereo", "latency"] + ofDelay + ofLevel + [
      "pitch.abs_error", "pitch.abs_error.p95", "pitch.bias", "pitch.within_5", "pitch.within_10",
      "pitch.within_25", "pitch.residual", "pitch.residual.p95", "pitch.residual.within_25",
      "pitch.lag", "pitch.lag.deviation", "pitch.judge_error.median",
      "pitch.vibrato_extent_ratio", "pitch.vibrato_rate_error",
    ]
  /// Figures that noise, codecs, compressors and limiters change as much: weak partials decide them, valleys
  /// of an envelope, or single half seconds and frames.
  private static let ofDetails =
    (1...3).map { "formant.f\($0)_shift" } + [
      "envelope.lsd", "harmonicity.change", "words", "consonants", "tremolo.rate",
      "pitch.abs_error.p95", "pitch.residual.p95", "pitch.vibrato_extent_ratio",
    ]
  /// Figures that a compressor or a limiter changes as much.
  private static let ofCompression =
    ofDetails + ofLevel + [
      "modulation.added", "tremolo.depth", "latency", "pitch.lag", "clipping.share",
    ]
  /// Figures that noise changes, from 50 dB below a mark on.
  private static let ofNoise =
    ofDetails + ["noise.floor", "timbre.mcd", "doubling.level", "doubling.delay"]
  /// Figures that AAC and MP3 at 128 kbit/s change: they add noise, and smear in time.
  private static let ofCodecs = ofNoise + ["latency", "pitch.lag"]
  /// Figures that a loudspeaker, a microphone or an equalizer changes.
  private static let ofResponses =
    ofLevel + ["timbre", "words", "consonants", "doubling.level", "doubling.delay"]

  /// Level after a burst, relative to it, from which the sound rings: a room of 0.4 s with a loudspeaker
  /// 1 m away has -25 dB.
  private static let maxRingDb = -40.0
  /// Loss of the loudest step. Of 24 shifters alone one reaches 0.7 dB; behind a limiter they lose 0.9 and more.
  private static let maxLoudestLossDb = 0.8

  /// Level of noise relative to a mark. At -39 dB, harmonicity falls by 0.6 dB.
  private static let maxNoiseDb = -50.0
  /// Band that the judges of timbre use, and what their filters need.
  private static let minBandHz = 10_000.0
  /// Range of the gain of third octaves from 0.63 to 5 kHz. Shifters alone reach 4.9 dB, Rubber Band an
  /// octave up; two phase vocoders of the SWH plugins reach 7.5.
  private static let maxResponseDb = 5.0

  /// - Parameters:
  ///   - levels: those of the system's channels; `nil` if nothing lies between system and recorder.
  ///   - spectrum: that of the dry channel if there is one: the recorder's, not the system's.
  ///   - distortion: that of the dry channel if there is one.
  init(
    isAbsolute: Bool, levels: TapeLevels?, spectrum: @autoclosure () -> TapeSpectrum,
    distortion: @autoclosure () -> TapeDistortion?
  ) {
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
    if levels.loudestLossDb > Self.maxLoudestLossDb {
      add(
        Self.ofCompression,
        "the recording is compressed: a step of level is \(fixed(levels.loudestLossDb)) dB too small; \(way)"
      )
    }
    if levels.noiseDb > Self.maxNoiseDb {
      add(
        Self.ofNoise,
        "the recording has noise \(fixed(-levels.noiseDb, 0)) dB below a mark; \(way)")
    }
    let spectrum = spectrum()
    if let cutoffHz = spectrum.cutoffHz {
      add(
        Self.ofCodecs + (cutoffHz < Self.minBandHz ? Self.ofResponses : []),
        "nothing above \(fixed(cutoffHz / 1000, 0)) kHz comes out, "
          + (spectrum.endsAsShifted
            ? "where the shifted sound ends too, so that a codec would not show"
            : "as behind a codec") + "; \(way)")
    }
    if spectrum.rangeDb > Self.maxResponseDb {
      add(
        Self.ofResponses,
        "the gain of third octaves differs by \(fixed(spectrum.rangeDb)) dB, as behind a loudspeaker; "
          + way)
    }
    if let distortion = distortion(), !distortion.isNoise, distortion.levelDb > Self.maxNoiseDb {
      add(
        Self.ofCodecs,
        "the dry channel is distorted, \(fixed(-distortion.levelDb, 0)) dB below a mark, as behind a "
          + "codec or a clock that wavers; record WAV")
    }
    self.reasons = reasons
  }
}
