import Analyzer
import ArgumentParser
import AudioFile
import DSP
import Evaluation
import Foundation
import Reporting

struct Analyze: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Pitch, notes, formants and level of recordings.",
    discussion: """
      CSV files have one frame a row: time_s,f0_hz,voicing (f0 0 where unvoiced), and
      time_s,f1_hz,f2_hz,f3_hz,f4_hz (empty where there is none).
      """)

  @Argument(help: "Recordings: WAV, FLAC, AIFF, Ogg, Opus or MP3; channels are averaged.")
  var files: [String]
  @Option(help: "Time between frames.") var hopMs = 5.0
  @Option(help: "File for the pitch; one recording only.") var f0Csv: String?
  @Option(help: "File for the formants; one recording only.") var formantsCsv: String?
  @Option(help: "SVG file for a picture of the pitch; one recording only.") var plot: String?
  @Flag(help: "Print JSON.") var json = false

  private var trackerSettings: PitchTracker.Settings {
    var settings = PitchTracker.Settings()
    settings.hopMs = hopMs
    return settings
  }

  func validate() throws {
    do { try trackerSettings.validate() } catch { throw ValidationError("\(error).") }
    if files.count > 1, f0Csv != nil || formantsCsv != nil || plot != nil {
      throw ValidationError("--f0-csv, --formants-csv and --plot take one recording at a time.")
    }
  }

  func run() throws {
    var reports: [RecordingReport] = []
    var failed = false
    for file in files {
      do {
        let report = try RecordingReport(file, trackerSettings)
        if let f0Csv { try report.f0Table.write(toFile: f0Csv, atomically: true, encoding: .utf8) }
        if let formantsCsv {
          try report.formantTable.write(toFile: formantsCsv, atomically: true, encoding: .utf8)
        }
        if let plot {
          try PitchPicture(report.track, title: file).write(to: URL(fileURLWithPath: plot))
        }
        if json { reports.append(report) } else { print(report.text) }
      } catch {
        Terminal.printError("\(error)")
        failed = true
      }
    }
    if json { print(try JSON.text(reports.map(\.summary))) }
    if failed { throw ExitCode(2) }
  }
}

/// What the analyzer says of one recording.
private struct RecordingReport {
  /// For programs. What is not there is left out, never 0 or NaN.
  struct Summary: Encodable {
    var schema = "choir-eval.analyze/1"
    var file: String
    var seconds: Double
    var sampleRateHz: Double
    var level: Level
    var voicedShare: Double
    var f0MedianHz: Double?
    var f0P5Hz: Double?
    var f0P95Hz: Double?
    /// Median distance of tracker and second judge.
    var judgesDifferCents: Double?
    /// Processor time of finding the pitch over the time of the sound; `nil` without sound.
    var pitchRealTimeFactor: Double?
    /// Median of F1 to F4 over voiced frames.
    var formantsHz: [Double?]
    var notes: [Note]
  }

  let summary: Summary
  let track: PitchTrack
  private let formants: FormantTrack

  init(_ file: String, _ settings: PitchTracker.Settings) throws {
    let signal = try AudioFile(reading: file).mono
    let began = ThreadClock.seconds
    track = try PitchTracker(settings).track(signal)
    let tookSeconds = ThreadClock.seconds - began
    var formantSettings = FormantTracker.Settings()
    formantSettings.hopMs = settings.hopMs
    formants = try FormantTracker(formantSettings).track(signal)
    let voiced = track.f0Hz.filter { $0 > 0 }
    let judged = HarmonicFit(of: signal).track(around: track, every: 4)
    let differences = zip(judged.f0Hz, track.f0Hz).compactMap { judge, tracker in
      judge > 0 && tracker > 0 ? abs(cents(judge, over: tracker)) : nil
    }
    let (formants, track) = (formants, track)
    summary = Summary(
      file: file, seconds: signal.durationSeconds, sampleRateHz: signal.sampleRateHz,
      level: Level(of: signal), voicedShare: track.voicedShare,
      f0MedianHz: Statistics.median(voiced), f0P5Hz: Statistics.quantile(voiced, 0.05),
      f0P95Hz: Statistics.quantile(voiced, 0.95), judgesDifferCents: Statistics.median(differences),
      pitchRealTimeFactor: signal.count > 0 ? tookSeconds / signal.durationSeconds : nil,
      formantsHz: (1...4).map { number in
        formants.medianHz(ofFormant: number) { $0 < track.count && track.f0Hz[$0] > 0 }
      }, notes: try NoteSegmenter().notes(in: track))
  }

  var text: String {
    let peak = summary.level.samplePeakDbfs
    let rms = summary.level.rmsDbfs
    let formants = summary.formantsHz.map { format($0, 0) }.joined(separator: ", ")
    var lines = [
      summary.file,
      "  \(format(summary.seconds, 2)) s at \(format(summary.sampleRateHz, 0)) Hz; "
        + "level \(format(rms, 1)) dBFS rms, peak \(format(peak, 1)), "
        + "loudness \(format(summary.level.integratedLufs, 1)) LUFS",
    ]
    if let median = summary.f0MedianHz {
      lines.append(
        "  pitch \(format(median, 1)) Hz median, \(format(summary.f0P5Hz, 1)) to "
          + "\(format(summary.f0P95Hz, 1)) for 90 % of it; voiced "
          + "\(format(summary.voicedShare * 100, 0)) %; the second judge differs by "
          + "\(format(summary.judgesDifferCents, 1)) cents")
      lines.append("  formants \(formants) Hz")
    } else {
      lines.append("  no voice")
    }
    let shown = summary.notes.prefix(12).map {
      "\(noteName($0.midi))\(signedCents($0.deviationCents))"
    }
    if !shown.isEmpty {
      let more = summary.notes.count - shown.count
      lines.append(
        "  notes \(shown.joined(separator: " "))" + (more > 0 ? " and \(more) more" : ""))
    }
    return lines.joined(separator: "\n")
  }

  var f0Table: String {
    let rows = track.f0Hz.indices.map { i in
      "\(time(i, track.hopSeconds)),\(decimal(track.f0Hz[i], 3)),\(decimal(track.voicing[i], 4))"
    }
    return (["time_s,f0_hz,voicing"] + rows).joined(separator: "\n") + "\n"
  }

  var formantTable: String {
    let rows = formants.frames.enumerated().map { i, frame in
      ([time(i, formants.hopSeconds)]
        + (1...4).map { number in frame[number].map { decimal($0.frequencyHz, 1) } ?? "" })
        .joined(separator: ",")
    }
    return (["time_s,f1_hz,f2_hz,f3_hz,f4_hz"] + rows).joined(separator: "\n") + "\n"
  }

  private func time(_ frame: Int, _ hop: Double) -> String { decimal(Double(frame) * hop, 4) }

  private func decimal(_ value: Double, _ places: Int) -> String {
    String(format: "%.\(places)f", value)
  }

  private func noteName(_ midi: Int) -> String {
    let names = ["C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B"]
    return names[(midi % 12 + 12) % 12] + "\(Int((Double(midi) / 12).rounded(.down)) - 1)"
  }

  private func signedCents(_ cents: Double) -> String {
    let whole = Int(cents.rounded())
    return whole == 0 ? "" : whole > 0 ? "+\(whole)" : "\(whole)"
  }
}
