import Analyzer
import DSP
import Foundation
import Platform
import Statistics

/// Faults of a recorder, or of a phone's own processing, that figures would not survive.
struct RecorderFaults {
  private let channels: [Signal]
  private let sheet: TapeSheet
  private let clock: MarkFit
  private let clockChannels: [Signal]
  private let clockIsDry: Bool
  private let levels: TapeLevels

  /// - Parameters:
  ///   - channels: those of the system.
  ///   - clock: the clock of the tape, without the system's delay if that is known.
  ///   - clockChannels: the channels that tell it: the dry one, or else those of the system.
  ///   - clockIsDry: true if they hold the tape itself.
  init(
    of channels: [Signal], _ sheet: TapeSheet, clock: MarkFit, in clockChannels: [Signal],
    clockIsDry: Bool, _ levels: TapeLevels
  ) {
    (self.channels, self.sheet, self.levels) = (channels, sheet, levels)
    (self.clock, self.clockChannels, self.clockIsDry) = (clock, clockChannels, clockIsDry)
  }

  /// Throws if no figure of the recording would be that of the system.
  func check() throws {
    let problem =
      clipping ?? echoCancellation ?? automaticGain ?? gate
      ?? (lostParts.count == sheet.parts.count
        ? "sound was lost or added in every part, first \(lostParts.values.sorted()[0]); record with "
          + "larger buffers and nothing else running" : nil)
    if let problem { throw Refusal(problem) }
  }

  // MARK: Clipping

  /// Clipped crests that count: a click of the system may have some.
  private static let maxClipped = 20

  private var clipping: String? {
    for (number, channel) in channels.enumerated() {
      let clips = SignalDefects(of: channel).clips
      if clips.count > Self.maxClipped {
        return "is clipped: channel \(number + 1) has \(clips.count) flat crests, the first at "
          + "\(fixed(clips[0].startSeconds)) s; lower the recorder's input, or the system's output"
      }
    }
    return nil
  }

  // MARK: Gain over time

  /// Fall of the marks after the first ones that only a canceller makes.
  private static let maxFallDb = 10.0
  /// Range of the marks' levels, without the outermost tenths.
  private static let maxRangeDb = 6.0
  private static let notableRangeDb = 3.0

  private var rangeDb: Double {
    let gains = levels.marksDb.map(\.gainDb)
    return Statistics.quantile(gains, 0.9)! - Statistics.quantile(gains, 0.1)!
  }

  private var echoCancellation: String? {
    let gains = levels.marksDb.map(\.gainDb)
    guard gains.count >= 3, let later = Statistics.median(Array(gains.dropFirst())) else {
      return nil
    }
    guard gains[0] - later > Self.maxFallDb else { return nil }
    return
      "fades: the marks after the first are \(fixed(gains[0] - later)) dB softer, as behind the echo "
      + "cancellation of a phone; switch it off, or play the tape from another device"
  }

  private var automaticGain: String? {
    guard rangeDb > Self.maxRangeDb else { return nil }
    return
      "has automatic gain: equal marks differ by \(fixed(rangeDb)) dB; switch it off in the recorder"
  }

  // MARK: Quiet parts

  /// Fall of a step below its level that a gate makes and an expander of voices does not.
  private static let maxLossDb = 12.0
  /// Last step that must come out: about -50 dBFS, where consonants are.
  private static let lastStepDb = -30.0

  private func lossDb(ofStep step: Int) -> Double {
    TapeSteps.stepsDb[step] - levels.stepsDb[step]
  }

  private var gate: String? {
    let lost = TapeSteps.stepsDb.indices.first { step in
      TapeSteps.stepsDb[step] >= Self.lastStepDb && lossDb(ofStep: step) > Self.maxLossDb
    }
    return lost.map { step in
      "is gated: sound at \(fixed(TapeSteps.stepsDb[step], 0)) dB below a mark comes out "
        + "\(fixed(lossDb(ofStep: step), 0)) dB too soft; switch off the gate or noise suppression, or "
        + "lower its threshold"
    }
  }

  // MARK: Lost sound

  /// Times of the tape between two marks where sound was lost or repeated, with the reason.
  private var losses: [(between: Range<Double>, reason: String)] {
    clock.steps.map { step in
      let next = clock.found.first { $0.mark > step.afterMark }?.mark ?? step.afterMark + 1
      let between = sheet.marks[step.afterMark]..<sheet.marks[next]
      return (
        between,
        "\(fixed(abs(step.seconds) * 1000)) ms were \(step.seconds < 0 ? "lost" : "added") between "
          + "\(fixed(clock.recordedSeconds(ofTape: between.lowerBound))) and "
          + "\(fixed(clock.recordedSeconds(ofTape: between.upperBound))) s"
      )
    }
  }

  /// Test signals in which sound was lost or repeated, with the reason.
  var lostTests: [TapeTest: String] {
    var lost: [TapeTest: String] = [:]
    for (between, reason) in losses {
      for test in sheet.tests where between.contains(test.atSeconds) { lost[test.name] = reason }
    }
    return lost
  }

  /// Parts in which sound was lost or repeated, with the reason.
  var lostParts: [String: String] {
    var lost: [String: String] = [:]
    for (between, reason) in losses {
      for part in sheet.parts where between.contains(part.atSeconds) {
        lost[part.recording] = reason
      }
    }
    for part in sheet.parts where lost[part.recording] == nil {
      if let seconds = dropout(in: part) {
        lost[part.recording] = "the sound breaks off at \(fixed(seconds)) s"
      }
    }
    return lost
  }

  /// Samples of exact silence between loud ones that a recorder puts in for lost ones, and samples on
  /// either side among which one is loud.
  private static let minSilence = 32
  private static let besideSilence = 32
  /// Size of a loud sample, relative to the root mean square of the part.
  private static let loudShare = 0.5

  /// Returns the time at which a part is digitally silent between loud samples.
  private func dropout(in part: TapeSheet.Part) -> Double? {
    let start = clock.recordedSeconds(ofTape: part.atSeconds)
    for channel in clockChannels {
      let (samples, rateHz) = (channel.samples, channel.sampleRateHz)
      let first = max(0, Int(start * rateHz))
      let last = min(channel.count, Int((start + part.seconds) * rateHz))
      guard first < last else { continue }
      let loud = Float(Self.loudShare * TapeLevels.rms([channel], start..<start + part.seconds))
      func isLoud(_ range: Range<Int>) -> Bool {
        samples[range.clamped(to: first..<last)].contains { abs($0) > loud }
      }
      // A grain of the system fades to silence. Lost sound ends anywhere in its waveform, 19 times of 20 with
      // a larger step than any near it.
      func isCut(_ range: Range<Int>, at edge: Int) -> Bool {
        let near = samples[range.clamped(to: first..<last)]
        return zip(near, near.dropFirst()).allSatisfy { abs($1 - $0) < abs(samples[edge]) }
      }
      var silence = 0
      for n in first..<last {
        guard samples[n] != 0 else {
          silence += 1
          continue
        }
        let begin = n - silence
        let (before, after) = (begin - Self.besideSilence..<begin, n..<n + Self.besideSilence)
        if silence >= Self.minSilence, isLoud(before), isLoud(after),
          clockIsDry || isCut(before, at: begin - 1) || isCut(after, at: n)
        {
          return Double(begin) / rateHz
        }
        silence = 0
      }
    }
    return nil
  }

  // MARK: Warnings

  /// Faults that figures survive.
  var warnings: [String] {
    var warnings: [String] = []
    if rangeDb > Self.notableRangeDb {
      warnings.append(
        "equal marks differ by \(fixed(rangeDb)) dB: a compressor, a limiter or automatic gain")
    }
    if lossDb(ofStep: TapeSteps.stepsDb.count - 1) > Self.maxLossDb {
      warnings.append("sound 40 dB below a mark is gated")
    }
    return warnings
  }
}
