import Analyzer
import DSP
import Foundation

extension PairMetric {
  static let artefacts = [clicks, tremolo, roughness, doubling, smear, defects]

  package static let clicks = PairMetric(
    [.init("clicks.count", unit: "count", .lower, "Clicks that the reference doesn't have")],
    domain:
      "sounds of at least 8 kHz; clicks that stand out of what surrounds them, or, where both have one waveform, of what the "
      + "reference doesn't explain"
  ) { (pair: SoundPair) throws in
    let found = try pair.clicks()
    return [.value(Double(found.clicks.count), count: 1)]
  }

  static let tremolo = PairMetric(
    [
      .init(
        "tremolo.added", unit: "dB", .lower,
        "Crest to trough of the most regular swing in level that the reference doesn't have; 0 where "
          + "none is regular"),
      .init("tremolo.added_rate", unit: "Hz", .target, "How often that swings"),
    ], domain: "a second that is loud on both sides; rates of 1 to 40 Hz"
  ) { (pair: SoundPair) throws in
    let swing = try LevelSwing(of: pair.aligned.test, against: pair.aligned.reference)
    return [
      .value(swing.depthDb, count: swing.frameCount),
      swing.depthDb > 0
        ? .value(swing.rateHz, count: swing.frameCount) : .undefined("nothing swings"),
    ]
  }

  static let roughness = PairMetric(
    [
      .init(
        "roughness.change", unit: "asper", .target,
        "Roughness (Daniel and Weber) less that of the reference, both as loud as 60 dB")
    ], domain: "16 kHz and up, at least 0.2 s"
  ) { (pair: SoundPair) throws in
    let (wanted, heard) = (try pair.reference.asper.get(), try pair.test.asper.get())
    return [.value(heard - wanted, count: 1)]
  }

  static let doubling = PairMetric(
    [
      .init(
        "doubling.level", unit: "dB", .lower,
        "Level of a second copy of the sound against the first; undefined where there is none"),
      .init("doubling.delay", unit: "ms", .target, "How much later than the first it is"),
    ], domain: "two seconds; pitches that are the same, or copies at least 9 ms apart"
  ) { (pair: SoundPair) throws in
    guard let echo = try found(pair) else {
      return Array(repeating: .undefined("there is no second copy"), count: 2)
    }
    return [.value(echo.gainDb, count: 1), .value(echo.delayMs, count: 1)]
  }

  static let smear = PairMetric(
    [
      .init(
        "transient.smear", unit: "ms", .lower,
        "What onsets were spread by, standard deviation in time, median"),
      .init(
        "transient.pre_echo", unit: "share", .lower, "Onsets that are heard before they come"),
    ], domain: "onsets of the reference that rise by 20 dB out of quiet"
  ) { (pair: SoundPair) throws in
    let sounds = pair.alignedWithInfrasound
    let smear = try TransientSmear(of: sounds.test, against: sounds.reference)
    return [
      .value(smear.medianSmearMs, count: smear.onsets.count),
      .value(smear.preEchoShare, count: smear.onsets.count),
    ]
  }

  static let defects = PairMetric(
    [
      .init("dc.offset", unit: "ratio", .target, "Mean of the test's samples; full scale is 1"),
      .init("clipping.share", unit: "share", .lower, "Samples of the test in flat tops"),
      .init("dropouts.count", unit: "count", .lower, "Sudden silences in the test's sound"),
      .init("samples.non_finite", unit: "count", .lower, "Samples that are not numbers"),
      .init("noise.floor", unit: "dBFS", .lower, "Level of the test's quietest stretches"),
    ], domain: "any sound; the floor, one with quiet stretches"
  ) { (pair: SoundPair) throws in
    let defects = try SignalDefects(of: pair.test.signal)
    let count = pair.test.signal.count
    return [
      .value(defects.dcOffset, count: count), .value(defects.clippedShare, count: count),
      .value(Double(defects.dropouts.count), count: count),
      .value(Double(defects.nonFiniteCount), count: count),
      defects.noiseFloorDbfs.map { .value($0, count: 1) }
        ?? .undefined("there is no quiet stretch that is not silence"),
    ]
  }

  static let level = PairMetric(
    [
      .init(
        "level.change", unit: "LU", .target, "Loudness (BS.1770) less that of the reference")
    ], domain: "400 ms of sound above -70 LUFS on both sides"
  ) { pair in
    guard let wanted = Level.integratedLufs(of: [pair.aligned.reference]),
      let heard = Level.integratedLufs(of: [pair.aligned.test])
    else { return [.undefined("one of them has no 400 ms above -70 LUFS")] }
    return [.value(heard - wanted, count: 1)]
  }

  private static func found(_ pair: SoundPair) throws -> Echo? {
    // A reference of another pitch has no response that could show a copy.
    if case .waveform(let found) = pair.delay, abs(found.correlation) > 0.9 {
      return try Echo.found(in: pair.aligned.test, against: pair.aligned.reference)
    }
    return try Echo.found(in: pair.aligned.test)
  }
}
