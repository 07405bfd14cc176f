import ArgumentParser
import AudioFile
import Evaluation
import Foundation

struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure a sound against a reference: delay, pitch, timbre, words, artefacts.",
    discussion: """
      The reference is what the test should sound like, or what it was made of. Times are aligned
      first, so a delay is one of the numbers and spoils no other.

        choir-eval compare oracle.wav rendered.wav
        choir-eval compare input.wav harmony.wav --semitones 4 --json

      A sound of another pitch has its own share in intelligibility.stoi, .estoi and .ncm, and above
      300 Hz in timbre.mcd; the .vocoded ones and intelligibility.modulation don't mind.
      """)

  @Argument(help: "Sound file; channels are averaged.") var reference: String
  @Argument(help: "Sound file at the same sample rate.") var test: String
  @Option(help: "How far above the reference the test was to be.") var semitones = 0.0
  @Option(help: "How much later the test is, where that is known; measured otherwise.")
  var delayMs: Double?
  @Flag(help: "Print JSON.") var json = false

  func validate() throws {
    guard -48...48 ~= semitones else {
      throw ValidationError("--semitones is \(semitones); choose -48 to 48.")
    }
    if let delayMs, !(-10_000...10_000 ~= delayMs) {
      throw ValidationError("--delay-ms is \(delayMs); choose -10000 to 10000.")
    }
  }

  func run() throws {
    let pair = try SoundPair(
      AudioFile(reading: test).mono, against: AudioFile(reading: reference).mono,
      shiftSemitones: semitones, delayMs: delayMs)
    let findings = PairFinding.all(of: pair)
    print(
      json
        ? try JSON.text(ComparisonText(reference: reference, test: test, pair, findings))
        : Self.text(pair, findings))
  }

  private static func text(_ pair: SoundPair, _ findings: [PairFinding]) -> String {
    var table = TextTable(header: ["metric", "value", "unit", "better", "n"])
    var reasons: [String: [String]] = [:]
    for finding in findings {
      let figure = finding.figure
      switch finding.measurement.outcome {
      case .value(let value):
        table.rows.append([
          figure.id, format(value, figure.unit == "count" ? 0 : 3), figure.unit,
          figure.direction.rawValue, "\(finding.measurement.count)",
        ])
      case .undefined(let reason): reasons[reason, default: []].append(figure.id)
      }
    }
    let undefined = reasons.sorted { $0.key < $1.key }.map {
      "undefined: \($0.value.joined(separator: ", ")): \($0.key)"
    }
    return ([words(for: pair), "", table.text(), ""] + undefined).joined(separator: "\n")
  }

  private static func words(for pair: SoundPair) -> String {
    let ms = format(pair.delay.seconds * 1000, 2)
    return switch pair.delay {
    case .waveform(let found):
      "the test is \(ms) ms later, by waveform (correlation \(format(found.correlation, 2)))"
    case .loudness(let found):
      "the test is \(ms) ms later, by loudness (correlation \(format(found.correlation, 2)))"
    case .given: "the test is taken to be \(ms) ms later, as given"
    case .unknown(let reason): "the test is taken as not later: \(reason)"
    }
  }
}

/// What `compare --json` prints.
private struct ComparisonText: Encodable {
  var schema = "choir-eval.compare/1"
  var reference: String
  var test: String
  var sampleRateHz: Double
  var shiftSemitones: Double
  /// What the sounds were aligned by.
  var delayMs: Double
  var delayIsBy: String
  var metrics: [String: Figure] = [:]

  struct Figure: Encodable {
    var value: Double?
    /// Why there is no value.
    var undefined: String?
    var unit: String
    var better: String
    var count: Int
    var summary: String
    var domain: String

    private enum Key: CodingKey { case value, undefined, unit, better, count, summary, domain }

    /// A missing value is null, so that nobody has to tell absence from a mistake.
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(value, forKey: .value)
      try container.encodeIfPresent(undefined, forKey: .undefined)
      try container.encode(unit, forKey: .unit)
      try container.encode(better, forKey: .better)
      try container.encode(count, forKey: .count)
      try container.encode(summary, forKey: .summary)
      try container.encode(domain, forKey: .domain)
    }
  }

  init(reference: String, test: String, _ pair: SoundPair, _ findings: [PairFinding]) {
    (self.reference, self.test) = (reference, test)
    sampleRateHz = pair.reference.signal.sampleRateHz
    shiftSemitones = pair.shiftSemitones
    delayMs = pair.delay.seconds * 1000
    delayIsBy =
      switch pair.delay {
      case .waveform: "waveform"
      case .loudness: "loudness"
      case .given: "given"
      case .unknown: "assumption"
      }
    for finding in findings {
      var figure = Figure(
        unit: finding.figure.unit, better: finding.figure.direction.rawValue,
        count: finding.measurement.count, summary: finding.figure.summary, domain: finding.domain)
      switch finding.measurement.outcome {
      case .value(let value): figure.value = value
      case .undefined(let reason): figure.undefined = reason
      }
      metrics[finding.figure.id] = figure
    }
  }
}
