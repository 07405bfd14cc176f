import Foundation

@testable import Reporting

/// A page with every kind of part, with numbers like those of a sweep of the delay line.
enum ExamplePage {
  static let windowsMs = [20.0, 30, 40, 60, 80, 120]
  static let crossfadesMs = [5.0, 10, 20, 40]

  /// Text that breaks pages, scripts and tables that do not escape.
  static let hostile = #"<script>alert("1")</script> & 'q' {{title}} \ "," é"#

  /// - Parameter sounds: a folder into which two short sound files are written.
  static func make(sounds: URL) throws -> ReportPage {
    let command = "choir-eval report demo"
    return ReportPage(
      title: "Delay line over window and crossfade",
      subtitle: "6 recordings, 22 settings of the delay-line engine, 2 voices",
      verdict: PageVerdict(
        .good,
        "A window of 40 ms with 10 ms of crossfade gives the least pitch error, 6.4 cents, at "
          + "25 ms of latency."),
      headlines: [
        Headline(
          "median pitch error", 6.4, unit: "cents",
          interval: Bounds(5.1, 8.0, meaning: "95 % over recordings"), count: 6,
          counted: "recordings"),
        Headline(
          "latency, sound to sound", 25.1, unit: "ms",
          interval: Bounds(24.8, 25.4, meaning: "p5 to p95"), count: 132),
        Headline("formant ratio", 1.2599, unit: "", count: 12),
        Headline(
          "intelligibility", .undefined("no oracle for recorded voices"), unit: "", count: 0),
        Headline("real-time factor", 0.00412, unit: "", count: 132),
      ],
      sections: [
        Section(
          id: "sweep", title: "The sweep",
          intro: "Every recording was shifted by four and seven semitones with each setting.",
          drawings: [latency(command), error(command), tolerance(command)],
          tables: [settings]),
        Section(
          id: "voices", title: "Each voice", drawings: [lanes(command), chord(command)],
          clips: [
            Clip(
              id: "sung-phrase", title: "Sung phrase, female",
              note: "Listen for the tremble at the sweep rate, about 6 per second.",
              sounds: [
                Sound("input", path: try sound("input.wav", in: sounds)),
                Sound("mix", detail: "40 ms, 10 ms", path: try sound("mix.wav", in: sounds)),
              ])
          ]),
      ],
      reading: [
        Remark(
          "pitch error",
          "Distance between the measured and the intended pitch; 100 cents are "
            + "one semitone. Most listeners notice about 10."),
        Remark("\u{2013}", "Undefined; the reason stands below the table."),
      ],
      provenance: [
        Remark("subject", "reference delayline 1"), Remark("hostile", hostile), Remark("seed", "1"),
      ],
      command: command)
  }

  static func latencyMs(_ windowMs: Double, _ crossfadeMs: Double) -> Double {
    (windowMs + crossfadeMs) / 2
  }

  static func latency(_ command: String) -> Drawing {
    let series = crossfadesMs.map { crossfade in
      CurvePlot.Series(
        "\(Int(crossfade)) ms",
        points: windowsMs.filter { crossfade <= $0 / 2 }.map { window in
          let mean = latencyMs(window, crossfade) + 0.3 * sin(window * 1.7)
          return .init(
            window, Amount(mean), interval: Bounds(mean - 2, mean + 2, meaning: "p5 to p95"))
        },
        law: stride(from: max(20, 2 * crossfade), through: 120, by: 5).map {
          .init($0, Amount(latencyMs($0, crossfade)))
        })
    }
    return Drawing(
      id: "latency-window", title: "Latency follows the law of the delay line",
      shows: "Points lie on their lines: the mean delay is half of window and crossfade together.",
      omits: "how the delay sweeps within one window.", command: command,
      plot: CurvePlot(
        x: Axis("window", unit: "ms", scale: .logarithmic),
        y: Axis("latency", unit: "ms", including: [0]), seriesTitle: "crossfade",
        series: series, law: "(window + crossfade) / 2"))
  }

  static func error(_ command: String) -> Drawing {
    Drawing(
      id: "error-map", title: "Pitch error is least between 30 and 60 ms",
      shows: "Short windows tremble, long ones blur; the crossfade matters less.",
      omits: "how the error is spread over recordings.", command: command,
      plot: HeatMapPlot(
        x: Axis("window", unit: "ms"), y: Axis("crossfade", unit: "ms"),
        valueTitle: "median pitch error", valueUnit: "cents", style: .decimals(1),
        xs: windowsMs, ys: crossfadesMs,
        values: crossfadesMs.map { crossfade in
          windowsMs.map { window in
            if crossfade > window / 2 { return nil }
            if window == 120, crossfade == 5 { return .undefined("no voiced frame") }
            return Amount(5 + abs(log2(window / 40)) * 14 + crossfade / 15)
          }
        }))
  }

  static func tolerance(_ command: String) -> Drawing {
    Drawing(
      id: "tolerance", title: "How much is in tune depends on how strict one is",
      shows: "Share of frames within a tolerance.", omits: "where in the phrase they are.",
      command: command,
      plot: CurvePlot(
        x: Axis("tolerance", unit: "cents"),
        y: Axis("frames within", unit: "%", including: [0, 100]),
        series: [("+4", 9.0), ("+7", 12.0)].map { name, scaleCents in
          CurvePlot.Series(
            name,
            points: stride(from: 5.0, through: 50, by: 5).map {
              .init($0, Amount(100 * (1 - exp(-$0 / scaleCents))))
            }, isJoined: true)
        }))
  }

  static func voice(_ name: String, semitones: Double, seconds: Double) -> LanePlot.Voice {
    let frames = stride(from: 0.0, to: seconds, by: 0.005).enumerated().map { index, time in
      let melody = time < seconds / 2 ? 0.0 : 4.0
      let vibrato = 0.25 * sin(2 * Double.pi * 5.5 * time)
      let target = 220 * exp2((melody + semitones + vibrato) / 12)
      let noise = 12 * sin(Double(index) * 12.9898 + semitones) * sin(Double(index) * 0.031)
      let glitch = index % 211 < 2 ? 90.0 : 0
      let rests = time.truncatingRemainder(dividingBy: 1.1) > 1
      return LanePlot.Frame(
        timeS: time, targetHz: rests ? nil : target,
        measuredHz: rests ? nil : target * exp2((noise + glitch) / 1200))
    }
    return LanePlot.Voice(name: name, frames: frames)
  }

  static func lanes(_ command: String) -> Drawing {
    Drawing(
      id: "lanes", title: "Two voices over their targets",
      shows: "The voices keep to their targets; single frames jump where the taps cross.",
      omits: "loudness and consonants.", command: command,
      plot: LanePlot(voices: [
        voice("+4", semitones: 4, seconds: 3.2), voice("+7", semitones: 7, seconds: 3.2),
      ]))
  }

  static func chord(_ command: String) -> Drawing {
    let steps = [-12.0, -8, -5, 3, 4, 7, 12, 16]
    return Drawing(
      id: "chord", title: "Eight voices", shows: "Eight lanes fit on one page.",
      omits: "which voices mask one another.", command: command,
      plot: LanePlot(
        voices: steps.map {
          voice($0 > 0 ? "+\(Int($0))" : "\u{2212}\(Int(-$0))", semitones: $0, seconds: 4)
        }))
  }

  static var settings: Table {
    Table(
      id: "settings", title: "Best settings",
      columns: [
        .text("voice", "voice"), .number("window_ms", "window", unit: "ms", style: .setting),
        .number("crossfade_ms", "crossfade", unit: "ms", style: .setting),
        .number("median_cents", "median error", unit: "cents", style: .decimals(1)),
        .number("p95_cents", "p95", unit: "cents", style: .decimals(1)),
        .number("estoi", "ESTOI"),
      ],
      rows: [
        [
          .text("+4"), .amount(40), .amount(10), .amount(6.42), .amount(31.2),
          .amount(.undefined("no oracle for recorded voices")),
        ],
        [.text("+7"), .amount(40), .amount(10), .amount(-8.91), .amount(12345.6), .amount(0.71)],
        [
          .text(hostile), .amount(60), .amount(20), .amount(.undefined("no voiced frame")),
          .amount(.undefined("no voiced frame")), .amount(0.688),
        ],
      ])
  }

  /// A tenth of a second of a soft tone, 16-bit WAV at 8 kHz.
  static func sound(_ name: String, in folder: URL) throws -> String {
    let samples = (0..<800).map { Int16(8000 * sin(Double($0) * 0.2)) }
    func bytes<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
      withUnsafeBytes(of: value.littleEndian, Array.init)
    }
    let data = samples.flatMap(bytes)
    let header =
      Array("RIFF".utf8) + bytes(UInt32(36 + data.count)) + Array("WAVEfmt ".utf8)
      + bytes(UInt32(16)) + bytes(UInt16(1)) + bytes(UInt16(1)) + bytes(UInt32(8000))
      + bytes(UInt32(16000)) + bytes(UInt16(2)) + bytes(UInt16(16)) + Array("data".utf8)
      + bytes(UInt32(data.count))
    let file = folder.appendingPathComponent(name)
    try Data(header + data).write(to: file)
    return file.path
  }
}
