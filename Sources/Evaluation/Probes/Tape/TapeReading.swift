import Analyzer
import AudioFile
import DSP
import Foundation
import Platform
import Statistics
import Subjects

/// A recording of a test tape: where the tape is in it, what the recorder did to it, and its parts.
///
/// Without the dry channel, delay and gain of the system can't be told from those of the recorder: the
/// parts are cut where the marks come out, and at the marks' level.
public struct TapeReading: Encodable, Sendable {
  public let sampleRateHz: Double
  /// Time in the recording at which the tape starts; with the system's delay unless there is a dry channel.
  public let startSeconds: Double
  /// Rate of the recorder's clock beside the player's, in parts per million; positive is fast.
  public let driftPpm: Double
  public let driftDeviationPpm: Double
  /// True if the drift is undone.
  public let undoesDrift: Bool
  /// Gain of the marks, undone in the parts: of the dry channel, or else of recorder and system.
  public let gainDb: Double
  /// True if the marks come out inverted; unknown where their waveform does not come out.
  public let isInverted: Bool?
  /// Level of the quietest tenth.
  public let noiseDbfs: Double
  /// Levels of the steps that the tape has at 6, 0, -10, -20, -30 and -40 dB beside a mark.
  public let stepsDb: [Double]
  /// Level of what rings after a burst.
  public let ringDb: Double
  /// Metrics and families that the recording can't show, with the reason.
  public let unmeasured: [String: String]
  /// Delay of the system by the marks' envelope; `nil` without a dry channel.
  public let latencyMs: Double?
  /// Standard deviation of the delay from mark to mark, or of the marks' times without a dry channel.
  public let jitterMs: Double
  /// Change of the delay, in parts per million of time; `nil` without a dry channel.
  public let delayDriftPpm: Double?
  /// Smallest correlation of a mark's envelope.
  public let minCorrelation: Double
  /// Parts that can't be used, with the reason.
  public let lostParts: [String: String]
  public let warnings: [String]

  /// Test signals whose answers can't be used, with the reason.
  private let lostTests: [TapeTest: String]
  private let sound: AudioFile
  private let wetChannels: [Int]
  private let fit: MarkFit
  private let sheet: TapeSheet
  private let score: Score

  private enum CodingKeys: CodingKey {
    case sampleRateHz, startSeconds, driftPpm, driftDeviationPpm, undoesDrift, gainDb, isInverted
    case noiseDbfs, stepsDb, ringDb, unmeasured, latencyMs, jitterMs, delayDriftPpm, minCorrelation,
      lostParts, warnings
  }

  /// Smallest drift that is undone: over 10 s it moves a sound by 0.05 ms.
  private static let minDriftPpm = 5.0

  /// Reads a recording.
  ///
  /// - Parameters:
  ///   - score: what the system sang.
  ///   - channel: number, from 1, of the only channel of the system to read; all others by default.
  ///   - dryChannel: number of the channel that recorded the tape beside the system.
  ///   - isByCable: true if nothing lies between system and recorder, so that reverberation and
  ///     compression are the system's own.
  /// - Throws: a `Refusal`, which names what is wrong with the recording.
  public init(
    _ sound: AudioFile, of sheet: TapeSheet, score: Score, channel: Int? = nil,
    dryChannel: Int? = nil, isByCable: Bool = false
  ) throws {
    (self.sound, self.sheet, self.score) = (sound, sheet, score)
    sampleRateHz = sound.sampleRateHz
    let dry = try Self.index(ofChannel: dryChannel, named: "--dry-channel", in: sound)
    if dry != nil, sound.channels.count == 1 {
      throw Refusal(
        "has one channel, the dry one; record the system on a second channel, or leave out "
          + "--dry-channel")
    }
    let only = try Self.index(ofChannel: channel, named: "--channels", in: sound)
    wetChannels = only.map { [$0] } ?? sound.channels.indices.filter { $0 != dry }
    let wet = wetChannels.map(sound.channel)
    let clock = TapeMarks(in: dry.map { [sound.channel($0)] } ?? wet, of: sheet)
    let fit = try clock.fit(mayRepeat: isByCable && dry == nil)
    self.fit = fit
    let marks = TapeMarks(in: wet, of: sheet)
    let system = dry == nil ? fit : try marks.fit(behind: fit)
    isInverted = clock.isInverted(fit)
    if let dryChannel, isInverted == nil, marks.isInverted(system) != nil {
      throw Refusal(
        "has the tape's waveform on another channel than the dry one, \(dryChannel); name the channel that "
          + "recorded the tape itself with --dry-channel")
    }
    let levels = TapeLevels(wet, of: sheet, fit: system)
    let faults = RecorderFaults(
      of: wet, sheet, clock: fit, in: dry.map { [sound.channel($0)] } ?? wet,
      clockIsDry: dry != nil, levels)
    try faults.check()

    startSeconds = fit.startSeconds
    driftPpm = (fit.speed - 1) * 1e6
    driftDeviationPpm = fit.speedDeviation * 1e6
    undoesDrift = abs(driftPpm) >= Self.minDriftPpm && abs(driftPpm) > driftDeviationPpm
    let dryLevels = dry.map { TapeLevels([sound.channel($0)], of: sheet, fit: fit) }
    gainDb = (dryLevels ?? levels).gainDb
    noiseDbfs = levels.noiseDbfs
    (stepsDb, ringDb) = (levels.stepsDb, levels.ringDb)
    unmeasured =
      UnmeasuredFigures(
        isAbsolute: dry != nil, levels: isByCable ? nil : levels,
        spectrum: TapeSpectrum(
          dry.map { [sound.channel($0)] } ?? wet, fit: fit,
          semitones: dry == nil ? score.fixedIntervals : [], tapeRateHz: sheet.sampleRateHz),
        distortion: dryLevels.map {
          TapeDistortion(sound.channel(dry!), of: sheet, fit: fit, noiseDb: $0.noiseDb)
        }
      ).reasons
    minCorrelation = system.found.map(\.correlation).min() ?? 0
    jitterMs = system.scatterSeconds * 1000
    if dry != nil {
      latencyMs = Statistics.median(
        system.found.map { ($0.atSeconds - clock.envelopeSeconds(ofMark: $0.mark, fit)) * 1000 })
      delayDriftPpm = (system.speed / fit.speed - 1) * 1e6
    } else {
      (latencyMs, delayDriftPpm) = (nil, nil)
    }
    (lostParts, lostTests) = (faults.lostParts, faults.lostTests)
    warnings = faults.warnings
  }

  private static func index(
    ofChannel number: Int?, named flag: String, in sound: AudioFile
  ) throws -> Int? {
    guard let number else { return nil }
    guard sound.channels.indices.contains(number - 1) else {
      throw Refusal(
        "has \(counted(sound.channels.count, "channel")), but \(flag) is \(number); choose 1 to "
          + "\(sound.channels.count), or record the missing channel")
    }
    return number - 1
  }

  // MARK: Parts

  /// True if latency and level are those of the system alone.
  public var isAbsolute: Bool { latencyMs != nil }
  /// Number of channels of the system.
  public var channelCount: Int { wetChannels.count }
  /// True if all channels of the system are the same.
  public var channelsAreEqual: Bool {
    wetChannels.dropFirst().allSatisfy { sound.channels[$0] == sound.channels[wetChannels[0]] }
  }

  /// Number in the file, from 1, of a channel of the system that is 60 dB below another; `nil` if there is none.
  public var silentChannel: Int? {
    let levels = wetChannels.map { sound.channel($0).rms }
    let loudest = levels.max() ?? 0
    return levels.firstIndex { $0 < loudest / 1000 }.map { wetChannels[$0] + 1 }
  }

  /// Sound around a part that filters need: whole samples at every rate that is a multiple of 25 Hz.
  private static let padSeconds = 0.04

  /// Delay that the parts of a recording without a dry channel keep, within that of live systems: sound
  /// that is not late would be taken for sound that must not be shifted.
  private static let keptDelaySeconds = 0.02

  /// Returns a part as the system played it: as long as the recording of the corpus, at its rate.
  public func part(_ part: TapeSheet.Part) -> AudioFile {
    cut(
      atSeconds: part.atSeconds - (isAbsolute ? 0 : Self.keptDelaySeconds), samples: part.samples,
      rateHz: part.sampleRateHz)
  }

  /// The answers to the test signals, measured; without figures that the recording can't show.
  public var findings: [ProbeFinding] {
    sheet.tests.flatMap { test -> [ProbeFinding] in
      if let reason = lostTests[test.name] { return [test.name.undefined(reason)] }
      let output = cut(
        atSeconds: test.atSeconds, samples: test.name.signal.count, rateHz: TapeTest.rateHz)
      return test.name.findings(of: output.mono, score).filter { found in
        TapeTest.metrics[found.name].flatMap { unmeasured[$0] } == nil
      }
    }
  }

  private func cut(atSeconds: Double, samples count: Int, rateHz target: Double) -> AudioFile {
    let gain = Float(pow(10, -(gainDb + sheet.gainDb) / 20))
    let rateHz = sound.sampleRateHz
    let start = fit.recordedSeconds(ofTape: atSeconds) * rateHz
    let pad = Int(Self.padSeconds * rateHz)
    let first = Int(start.rounded(.down)) - pad
    let rest = (start - start.rounded(.down)) / rateHz
    let last = first + Int((Double(count) / target + 3 * Self.padSeconds) * rateHz)
    let drift = undoesDrift ? fit.speed - 1 : 0
    let channels = wetChannels.map { channel in
      let samples = sound.channels[channel]
      let region = (first..<last).map { samples.indices.contains($0) ? samples[$0] : 0 }
      // Drift counts from the beginning.
      let steady = Signal(region, sampleRateHz: rateHz).delayed { time in
        -(rest + drift * (time - Self.padSeconds))
      }
      let output = steady.resampled(to: target).samples
        .dropFirst(Int(Self.padSeconds * target)).prefix(count)
      return output.map { gain * $0 }
    }
    return AudioFile(channels: channels, sampleRateHz: target)
  }
}

extension Score {
  /// Intervals that the voices keep whatever the lead sings; empty if there are none.
  fileprivate var fixedIntervals: [Double] {
    if case .intervals(let intervals) = form { intervals } else { [] }
  }
}
