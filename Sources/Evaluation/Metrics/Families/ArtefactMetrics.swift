import Analyzer
import DSP
import Foundation
import Statistics

extension Metric {
  static let artefacts =
    [PairMetric.clicks, .modulation].flatMap(\.metrics) + tremolo
    + [PairMetric.doubling, .defects, .level].flatMap(\.metrics)
}

extension PairMetric {
  static let artefacts = [clicks, modulation, tremolo, doubling, defects, level]

  package static let clicks = PairMetric(
    [
      .init(
        "clicks.count", version: 3, unit: "count", .lower,
        "Audible clicks that the reference does not have")
    ],
    domain:
      "sounds of at least 8 kHz; clicks within \(Int(-SoundPair.minClickDb)) dB of the sound's "
      + "level that stand out from their surroundings or, if both sounds have one waveform, from "
      + "the part that the reference does not explain", against: .lead, suitsMixes: true
  ) { pair in
    [.value(Double(try pair.clicks().clicks.count), count: 1)]
  }

  /// Highest pitch of a reference whose pitch differs: each band holds two of its harmonics.
  private static let maxForModulationHz = 250.0

  static let modulation = PairMetric(
    [
      .init(
        "modulation.added", version: 2, unit: "dB", .lower,
        "Added unsteadiness: tremor, doubling and roughness that the reference lacks, as the depth of an "
          + "equally strong level swing at 4 Hz")
    ],
    domain: "at least 1 s that is loud in both; references of equal pitch, others below "
      + "\(Int(maxForModulationHz)) Hz", against: .oracleOrLead
  ) { pair in
    let pitches = [pair.referenceTrack, pair.testTrack].map { track in
      Statistics.median(track.f0Hz.filter { $0 > 0 }) ?? 0
    }
    if let lower = pitches.min(), lower > 0, abs(cents(pitches[1], over: pitches[0])) > 50,
      pitches[0] > maxForModulationHz
    {
      throw Undefined(
        .pitchTooHigh,
        "the reference has another pitch, of \(Int(pitches[0])) Hz, whose harmonics lie further "
          + "apart than bands")
    }
    let added = try AddedModulation(of: pair.aligned.test, against: pair.aligned.reference)
    return [.value(added.swingDb, count: added.frameCount)]
  }

  static let tremolo = PairMetric(
    [
      .init(
        "tremolo.added", version: 2, unit: "dB", .lower,
        "Level swing from trough to crest, the most regular one that the reference lacks; 0 if "
          + "none is regular"),
      .init("tremolo.added_rate", unit: "Hz", .target, "Rate of that swing"),
    ], domain: "at least 1 s that is loud in both; rates of 1 to 40 Hz"
  ) { pair in
    let swing = try LevelSwing(of: pair.aligned.test, against: pair.aligned.reference)
    return [
      .value(swing.depthDb, count: swing.frameCount),
      swing.depthDb > 0
        ? .value(swing.rateHz, count: swing.frameCount)
        : .undefined(.nothingToMeasure, "nothing swings"),
    ]
  }

  /// Lowest pitch whose period, with some vibrato, is shorter than the delay of any copy.
  private static let minForCopiesHz = 130.0

  static let doubling = PairMetric(
    [
      .init(
        "doubling.level", version: 2, unit: "dB", .lower,
        "Level of a second copy of the sound relative to the first; undefined if there is none",
        describes: true),
      .init(
        "doubling.delay", version: 2, unit: "ms", .target, "Delay of that copy", describes: true),
    ],
    domain:
      "at least 2 s; sounds of equal pitch, or of at least \(Int(minForCopiesHz)) Hz, with "
      + "copies at least 9 ms apart", against: .lead, needsDelay: false
  ) { pair in
    guard let echo = try echo(in: pair) else { throw Undefined(.noEcho, "there is no second copy") }
    return [.value(echo.gainDb, count: 1), .value(echo.delayMs, count: 1)]
  }

  static let defects = PairMetric(
    [
      // A hundredth of full scale is far more than any processor leaves; a tenth of that counts.
      .init(
        "dc.offset", unit: "ratio", .target, "Mean of the test's samples; full scale is 1",
        effect: 0.001, ideal: 0),
      .init(
        "clipping.share", version: 2, unit: "share", .lower, "Samples of the test in flat tops",
        effect: 0.0001),
      .init("dropouts.count", unit: "count", .lower, "Sudden silences in the test"),
      // One non-finite sample silences a rack.
      .init(
        "samples.non_finite", unit: "count", .lower, "Non-finite samples of the test", effect: 0.01),
      .init(
        "noise.floor", version: 3, unit: "dBFS", .lower,
        "Level of the test's quietest tenth, but at least \(Int(minFloorDbfs)) dBFS"),
    ], domain: "any sound; noise.floor needs 100 ms", against: .lead, suitsMixes: true,
    needsDelay: false
  ) { pair in
    let defects = SignalDefects(of: pair.test.signal)
    let count = pair.test.signal.count
    return [
      .value(defects.dcOffset, count: count), .value(defects.clippedShare, count: count),
      .value(Double(defects.dropouts.count), count: count),
      .value(Double(defects.nonFiniteCount), count: count),
      count >= Int(0.1 * pair.test.signal.sampleRateHz)
        ? .value(max(minFloorDbfs, defects.noiseFloorDbfs ?? minFloorDbfs), count: 1)
        : .undefined(.tooShort, "the sound is shorter than 100 ms"),
    ]
  }

  /// Noise below this level is as good as none: where a voice that fills the scale is played at 90 dB
  /// SPL, it is at most 10 dB SPL. Dither of 16 bits has -96 dBFS.
  private static let minFloorDbfs = -80.0

  static let level = PairMetric(
    [
      .init("level.change", unit: "LU", .target, "Loudness (BS.1770) less that of the reference")
    ], domain: "400 ms of sound above -70 LUFS in both", against: .lead, suitsMixes: true,
    needsDelay: false
  ) { pair in
    guard let wanted = Level(of: pair.aligned.reference).integratedLufs,
      let heard = Level(of: pair.aligned.test).integratedLufs
    else { throw Undefined(.silent, "one of them has no 400 ms above -70 LUFS") }
    return [.value(heard - wanted, count: 1)]
  }

  private static func echo(in pair: SoundPair) throws -> Echo? {
    // A reference of another pitch has no response that could show a copy.
    if case .waveform(let delay) = pair.delay, abs(delay.correlation) > 0.9 {
      return try Echo.found(in: pair.aligned.test, against: pair.aligned.reference)
    }
    let pitch = Statistics.median(pair.testTrack.f0Hz.filter { $0 > 0 }) ?? .infinity
    guard pitch >= minForCopiesHz else {
      throw Undefined(
        .pitchTooLow, "the period of a voice at \(Int(pitch)) Hz passes for a second copy")
    }
    return try Echo.found(in: pair.aligned.test)
  }
}
