import Analyzer
import Corpus
import DSP
import Foundation
import Platform
import Statistics
import Subjects

/// Measures latency as a function of note, shift, block size, sample rate and setting, and
/// compares it with the latency that the subject states.
public struct LatencyProbe: Encodable, Sendable {
  /// One measured point.
  public struct Row: Encodable, Sendable {
    public var noteHz: Double
    public var semitones: Double
    public var blockSize: Int
    public var sampleRateHz: Double
    /// Settings of this row alone.
    public var settings: String
    @NullIfMissing public var reportedMs: Double? = nil
    /// Latency that the subject states for this note and shift; `nil` if it is the same for all.
    @NullIfMissing public var reportedForNoteMs: Double? = nil
    /// Delay of the loudness of a note that swells.
    @NullIfMissing public var sustainedMs: Double? = nil
    /// Delay of note onsets.
    @NullIfMissing public var onset: DelayEstimate? = nil
    /// Reason why a value is missing.
    public var undefined: String?

    /// Sustained delay beyond the stated one; positive means later than stated.
    @NullIfMissing public fileprivate(set) var beyondReportedMs: Double? = nil

    /// Latency that the subject states: that for the note, if it has one.
    public var statedMs: Double? { reportedForNoteMs ?? reportedMs }
  }

  public private(set) var rows: [Row] = []
  public private(set) var findings: [ProbeFinding] = []

  /// Points to measure: every note by every shift, then the other axes one at a time.
  public struct Grid: Sendable {
    public var notesHz = [110.0, 220, 440]
    public var shiftsSemitones = [-12.0, -5, 0, 4, 12]
    public var blockSizes = [32, 64, 256, 1024]
    public var sampleRatesHz = [16_000.0, 44_100, 96_000]

    public init() {}
  }

  /// Resolution of the loudness outline for sweeping or grainy sounds.
  private static let resolutionMs = 1.0

  /// - Parameter vary: values to try for each setting, one at a time; the others keep theirs.
  public init(of bench: ProbeBench, vary: [String: [SettingValue]] = [:], grid: Grid = Grid()) {
    // A subject that follows a key has no shifts to vary.
    let shifts = bench.takesShifts ? grid.shiftsSemitones : [0]
    let shift = bench.takesShifts ? 4.0 : 0
    func add(
      _ hz: Double = 220, _ semitones: Double? = nil, block: Int? = nil, rateHz: Double = 48_000,
      settings: SubjectSettings = [:]
    ) {
      rows.append(Self.row(bench, hz, semitones ?? shift, block, rateHz, settings))
    }
    for hz in grid.notesHz { for semitones in shifts { add(hz, semitones) } }
    for block in grid.blockSizes { add(block: block) }
    for rateHz in grid.sampleRatesHz { add(rateHz: rateHz) }
    for (name, values) in vary.sorted(by: { $0.key < $1.key }) {
      for value in values { add(settings: [name: value]) }
    }
    findings = [
      Self.spread(of: rows, "sustained", \.sustainedMs),
      Self.spread(of: rows, "onsets") { $0.onset?.medianMs },
      Self.truthfulness(of: rows),
    ]
    findings += Self.impulses(bench)
    findings += Self.lag(bench, beyondMs: findings.first?.value ?? 0)
  }

  private static func row(
    _ bench: ProbeBench, _ hz: Double, _ semitones: Double, _ block: Int?, _ rateHz: Double,
    _ settings: SubjectSettings
  ) -> Row {
    var others = settings
    if let block { others["blockSize"] = .number(Double(block)) }
    // The file of a subject may choose its own.
    let chosen = [others, bench.settings, bench.subject.external?.file.settings ?? [:]]
      .lazy.compactMap { $0["blockSize"]?.number }.first
    var row = Row(
      noteHz: hz, semitones: semitones, blockSize: chosen.flatMap { Int(exactly: $0) } ?? 128,
      sampleRateHz: rateHz, settings: settings.canonical)
    row.reportedForNoteMs = statedMs(bench, others, hz, semitones)
    let sound = ProbeSounds.beats(hz: hz, sampleRateHz: rateHz)
    do {
      let rendering = try bench.render(sound, bench.score(noteHz: hz, semitones: semitones), others)
      row.reportedMs = rendering.reportedLatencyMs
      row.onset = try EventDelay(of: rendering.mix, from: sound).estimate
    } catch { row.undefined = "onsets: \(error)" }
    do {
      let swell = ProbeSounds.swell(hz: hz, sampleRateHz: rateHz)
      let rendering = try bench.render(swell, bench.score(noteHz: hz, semitones: semitones), others)
      row.reportedMs = rendering.reportedLatencyMs
      row.sustainedMs = try OnsetDelay(
        ofOutline: rendering.mix.slowOutline, from: swell.slowOutline
      ).delayMs
    } catch { row.undefined = "sustained: \(error)" }
    row.beyondReportedMs = row.sustainedMs.flatMap { delay in row.statedMs.map { delay - $0 } }
    return row
  }

  /// The latency that an engine with a note-dependent delay states, from its law.
  private static func statedMs(
    _ bench: ProbeBench, _ others: SubjectSettings, _ hz: Double, _ semitones: Double
  ) -> Double? {
    let settings = bench.settings.merging(others) { $1 }
    guard let law = try? LatencyLaw(subject: bench.subject.id, settings: settings),
      law.followsTheNote
    else { return nil }
    return try? law.predictedMs(
      score: Score(id: "probe", intervalsSemitones: [semitones]), noteHz: hz)
  }

  private static func spread(
    of rows: [Row], _ name: String, _ delayMs: (Row) -> Double?
  ) -> ProbeFinding {
    let known = rows.compactMap { row in delayMs(row).map { (row, $0) } }
    guard let least = known.min(by: { $0.1 < $1.1 }), let most = known.max(by: { $0.1 < $1.1 }),
      let middle = Statistics.median(known.map(\.1))
    else {
      return .undefined(.latency, name, rows.compactMap(\.undefined).first ?? "no rows")
    }
    func place(_ row: Row) -> String {
      "\(fixed(row.noteHz, 0)) Hz by \(fixed(row.semitones, 0)) at \(row.blockSize) frames of "
        + "\(fixed(row.sampleRateHz / 1000)) kHz\(row.settings.isEmpty ? "" : ", \(row.settings)")"
    }
    return ProbeFinding(
      .latency, name, middle, "ms", .measured,
      "median of \(known.count) points; lowest \(fixed(least.1)) ms (\(place(least.0))), highest "
        + "\(fixed(most.1)) ms (\(place(most.0))); \(rows.count - known.count) undefined")
  }

  /// Name of the finding about the stated latency; its value is how much later the sound is.
  public static let statement = "beyond the stated"

  private static func truthfulness(of rows: [Row]) -> ProbeFinding {
    let known = rows.compactMap { row in row.beyondReportedMs.map { (row, $0) } }
    guard let worst = known.max(by: { abs($0.1) < abs($1.1) }) else {
      let states = rows.contains { $0.reportedMs != nil }
      return .undefined(
        .latency, statement, states ? "no point could be measured" : "the subject states no latency"
      )
    }
    let wrong = known.filter { abs($0.1) > resolutionMs }
    let detail =
      "largest difference \(fixed(worst.1)) ms (\(fixed(worst.0.noteHz, 0)) Hz by "
      + "\(fixed(worst.0.semitones, 0)))"
    return ProbeFinding(
      .latency, statement, worst.1, "ms", wrong.isEmpty ? .good : .poor,
      wrong.isEmpty
        ? "within 1 ms of the stated latency at all \(known.count) points; \(detail)"
        : "the sound is more than 1 ms off the stated latency at \(wrong.count) of \(known.count) points; "
          + detail)
  }

  /// Lag of a stream's answer beyond its latency that its buffers explain: 4096 floats at 48 kHz.
  private static let buffersMs = 85.0

  /// Tests that a stream answers while its input goes on; nothing for other subjects.
  private static func lag(_ bench: ProbeBench, beyondMs latencyMs: Double) -> [ProbeFinding] {
    guard let program = bench.subject.external else { return [] }
    let sound = ProbeSounds.steady(hz: 220, seconds: 2, sampleRateHz: 48_000)
    do {
      guard
        let lagMs = try program.streamLagMs(
          of: sound, score: bench.score(noteHz: 220, semitones: 4), settings: bench.settings)
      else { return [] }
      let isLive = lagMs <= latencyMs + buffersMs
      return [
        ProbeFinding(
          .latency, "lag", lagMs, "ms", isLive ? .good : .poor,
          "its answer stays \(fixed(lagMs)) ms behind an input that goes on, all buffers included"
            + (isLive
              ? ""
              : "; live it is at least that late, whatever else is measured. Let it answer block by "
                + "block, or make it a command"))
      ]
    } catch { return [.undefined(.latency, "lag", error)] }
  }

  /// Measures lone impulses; undefined if the subject does not pass them.
  private static func impulses(_ bench: ProbeBench) -> [ProbeFinding] {
    let sound = ProbeSounds.impulses(sampleRateHz: 48_000)
    do {
      let rendering = try bench.render(sound, bench.score(noteHz: 220, semitones: 4))
      return [try impulses(of: rendering.mix, from: sound, statedMs: rendering.reportedLatencyMs)]
    } catch { return [.undefined(.latency, "impulses", error)] }
  }

  /// Measures lone impulses of an output.
  static func impulses(
    of output: Signal, from sound: Signal, statedMs: Double?
  ) throws -> ProbeFinding {
    let found = try ImpulseDelay(of: output, from: sound)
    let stated = statedMs.map { ", \(fixed($0, 2)) ms stated" } ?? ""
    return ProbeFinding(
      .latency, "impulses", found.meanMs, "ms", .measured,
      "mean of \(found.estimate.events) lone impulses, \(fixed(found.estimate.p5Ms, 2)) to "
        + "\(fixed(found.estimate.p95Ms, 2)) ms (p5 to p95), \(found.estimate.lost) lost\(stated)")
  }
}
