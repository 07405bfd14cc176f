import Analyzer
import Foundation
import Statistics

extension PairMetric {
  static let delay = PairMetric(
    [
      .init(
        "latency.alignment", unit: "ms", .lower,
        "Delay of the test: by waveform if the waveforms correlate, otherwise by loudness; 0 if "
          + "it is within two standard deviations of 0")
    ], domain: "sounds with onsets and ends; waveforms or loudness that correlate"
  ) { pair in
    switch pair.delay {
    case .waveform(let found): [.value(found.delayMs, count: 1)]
    case .loudness(let found): [.value(found.alignmentMs, count: 1)]
    case .given: [.undefined(.delayGiven, "the delay was given")]
    case .unknown(let reason): [.undefined(reason)]
    }
  }

  static let pitch: [PairMetric] = [
    PairMetric(
      [
        .init(
          "pitch.abs_error", unit: "cents", .lower,
          "Distance of the test's pitch from the shifted one of the reference, median"),
        .init("pitch.abs_error.p95", unit: "cents", .lower, "That distance, 95th percentile"),
        .init(
          "pitch.bias", unit: "cents", .target,
          "Signed deviation of the test, median; positive is sharp"),
        share("pitch.within_5", "Frames within 5 cents"),
        share("pitch.within_10", "Frames within 10 cents"),
        share("pitch.within_25", "Frames within 25 cents, the listeners' limit of in tune"),
        share("pitch.within_50", "Frames within 50 cents"),
        .init("pitch.gross_errors", unit: "share", .lower, "Frames more than 200 cents off"),
        .init(
          "pitch.octave_errors", unit: "share", .lower,
          "Frames within 50 cents of the octave above or below"),
      ], domain: "at least 20 frames of 5 ms with a pitch in both"
    ) { pair in
      let errors = pair.sungTogether.map { cents($0.heardHz, over: $0.wantedHz) }
      guard errors.count >= 20 else {
        let reason = Undefined(
          .tooLittleVoice, "only \(errors.count) frames have a pitch on both sides")
        return Array(repeating: .undefined(reason), count: 9)
      }
      let sizes = errors.map(abs)
      func share(_ test: (Double) -> Bool) -> Double {
        Double(sizes.count(where: test)) / Double(sizes.count)
      }
      let values = [
        Statistics.median(sizes)!, Statistics.quantile(sizes, 0.95)!, Statistics.median(errors)!,
        share { $0 <= 5 }, share { $0 <= 10 }, share { $0 <= 25 }, share { $0 <= 50 },
        share { $0 > 200 }, share { abs($0 - 1200) <= 50 },
      ]
      return values.map { .value($0, count: errors.count) }
    },
    PairMetric(
      [
        .init(
          "voice.missing", unit: "share", .lower,
          "Frames with a pitch in the reference and none in the test"),
        .init(
          "voice.ghost", unit: "share", .lower,
          "Frames with a pitch in the test and none in the reference"),
      ], domain: "at least 20 frames with a pitch in the reference, or without one for voice.ghost"
    ) { pair in
      let (reference, test) = (pair.referenceTrack.f0Hz, pair.testTrack.f0Hz)
      let late = Int((pair.delay.seconds / pair.testTrack.hopSeconds).rounded())
      let frames = reference.indices.compactMap { frame -> (Bool, Bool)? in
        test.indices.contains(frame + late) ? (reference[frame] > 0, test[frame + late] > 0) : nil
      }
      return [true, false].map { isSung in
        let counted = frames.filter { $0.0 == isSung }
        guard counted.count >= 20 else {
          return .undefined(
            .tooLittleVoice,
            "only \(counted.count) frames of the reference are \(isSung ? "voiced" : "unvoiced")")
        }
        let wrong = counted.count { $0.1 != isSung }
        return .value(Double(wrong) / Double(counted.count), count: counted.count)
      }
    },
  ]

  static let vibrato = PairMetric(
    [
      .init(
        "pitch.vibrato_extent_ratio", unit: "ratio", .target,
        "Extent of the test's vibrato over that of the reference, median over notes"),
      .init(
        "pitch.vibrato_rate_error", unit: "Hz", .target,
        "Rate of the test's vibrato less that of the reference, median over notes"),
    ], domain: "notes of the reference with a vibrato"
  ) { (pair: SoundPair) throws in
    let notes = try NoteSegmenter().notes(in: pair.referenceTrack)
    let late = pair.delay.seconds
    let waves = notes.compactMap { note -> (VibratoFit, VibratoFit)? in
      guard let wanted = try? VibratoFit(of: pair.referenceTrack, in: note) else { return nil }
      let from = note.onsetSeconds + (note.glide?.seconds ?? 0)
      let span = from + late..<max(from, note.offsetSeconds) + late
      guard let heard = try? VibratoFit(of: pair.testTrack, inSeconds: span) else { return nil }
      return (wanted, heard)
    }
    guard let extent = Statistics.median(waves.map { $1.extentCents / $0.extentCents }),
      let rate = Statistics.median(waves.map { $1.rateHz - $0.rateHz })
    else {
      return Array(
        repeating: .undefined(.noVibrato), count: 2)
    }
    return [.value(extent, count: waves.count), .value(rate, count: waves.count)]
  }

  private static func share(_ id: String, _ summary: String) -> Figure {
    .init(id, unit: "share", .higher, summary)
  }
}
