import Foundation
import Statistics

/// The pitch of every voice over time: target and measurement above, the error of each below.
struct LanePlot: Sendable {
  /// One frame of one voice. Frequencies are in Hz, and `nil` if the voice rests or is unvoiced.
  struct Frame: Equatable, Sendable {
    var timeS: Double
    var targetHz: Double?
    var measuredHz: Double?

    /// Error in cents, positive if sharp; `nil` unless both frequencies are known.
    var errorCents: Double? {
      guard let targetHz, let measuredHz, targetHz > 0, measuredHz > 0 else { return nil }
      return 1200 * log2(measuredHz / targetHz)
    }
  }

  struct Voice: Sendable {
    /// Label beside the lane: a few letters, such as `+4` or `alto`.
    var name: String
    /// Frames in order of time.
    var frames: [Frame]
  }

  /// Voices, one to eight.
  var voices: [Voice]
  /// Range of the error lanes to either side of 0; larger errors touch the edge and are counted
  /// beside it.
  var rangeCents: Double

  init(voices: [Voice], rangeCents: Double = 50) {
    precondition(voices.count <= PlotPalette.series.count, "more voices than colours")
    precondition(rangeCents > 0, "rangeCents is \(rangeCents)")
    (self.voices, self.rangeCents) = (voices, rangeCents)
  }

  /// Maximum number of frames per voice that a screen can resolve.
  static let maxFrames = 500

  /// Thins out frames and keeps the one with the largest error of each group, so that a drawing never
  /// looks better than the measurement.
  static func thinned(_ frames: [Frame]) -> [Frame] {
    let stride = (frames.count + maxFrames - 1) / maxFrames
    guard stride > 1 else { return frames }
    return Swift.stride(from: 0, to: frames.count, by: stride).map { start in
      let group = frames[start..<min(start + stride, frames.count)]
      return group.max { ($0.errorCents.map(abs) ?? -1) < ($1.errorCents.map(abs) ?? -1) }
        ?? frames[start]
    }
  }

  /// Share of the frames whose error is beyond the lane's range; `nil` without known errors.
  func shareBeyond(_ voice: Voice) -> Double? {
    let errors = voice.frames.compactMap(\.errorCents)
    guard !errors.isEmpty else { return nil }
    return Double(errors.count { abs($0) > rangeCents }) / Double(errors.count)
  }
}

/// Drawing of the lanes: one panel for the pitch of all voices and, on the same time axis, one lane of
/// error per voice.
extension LanePlot: Plot {
  var isEmpty: Bool { !voices.contains { !$0.frames.allSatisfy { $0.measuredHz == nil } } }

  func data() -> [(name: String, rows: [[Double]])] {
    voices.enumerated().map { index, voice in
      (
        "voice\(index)",
        Self.thinned(voice.frames).map { frame in
          let error = frame.errorCents.map { min(max($0, -rangeCents), rangeCents) } ?? .nan
          return [
            frame.timeS, frame.targetHz ?? .nan, frame.measuredHz ?? .nan,
            error,
          ]
        }
      )
    }.filter { !$0.rows.isEmpty }
  }

  private static let topPx = 42.0
  private static let pitchHeightPx = 250.0
  private static let betweenPx = 48.0
  private static let laneHeightPx = 54.0
  private static let laneGapPx = 14.0
  private static let bottomPx = 34.0

  func heightPx(_ size: PlotSize) -> Double {
    Self.topPx + Self.pitchHeightPx + Self.betweenPx + Self.bottomPx
      + Double(voices.count) * (Self.laneHeightPx + Self.laneGapPx)
  }

  func commands(_ size: PlotSize) -> String {
    let height = heightPx(size)
    let room = PlotPanel.letterRoomPx(voices.map(\.name) + ["12 % beyond ±50"]) + 18
    let drawn = voices.indices.filter { !voices[$0].frames.isEmpty }
    let times = voices.flatMap(\.frames).map(\.timeS)
    let (startS, endS) = (times.min() ?? 0, times.max() ?? 1)
    let time = AxisExtent.between(startS, endS > startS ? endS : startS + 1, size)
    var panel = PlotPanel(
      widthPx: size.widthPx, heightPx: height, rightPx: min(room, size.widthPx / 3),
      topPx: Self.topPx, bottomPx: height - Self.topPx - Self.pitchHeightPx,
      gridLines: "xtics ytics")
    var lines = ["set multiplot"] + pitchCommands(panel, drawn: drawn, time: time)
    for index in drawn {
      let above = Double(index) * (Self.laneHeightPx + Self.laneGapPx)
      panel.topPx = Self.topPx + Self.pitchHeightPx + Self.betweenPx + above
      panel.bottomPx = height - panel.topPx - Self.laneHeightPx
      lines += laneCommands(
        panel, index: index, time: time, isFirst: index == drawn.first, isLast: index == drawn.last)
    }
    return (lines + ["unset multiplot"]).joined(separator: "\n")
  }

  private func pitchCommands(_ panel: PlotPanel, drawn: [Int], time: AxisExtent) -> [String] {
    let pitches = voices.flatMap(\.frames).flatMap { [$0.targetHz, $0.measuredHz] }
    let hz = Axis("pitch", unit: "Hz", scale: .logarithmic)
      .extent(of: pitches.compactMap(\.self), ticks: 6)
    let names = drawn.compactMap { index -> (String, PlotColour, Double)? in
      let last = voices[index].frames.last { $0.measuredHz != nil || $0.targetHz != nil }
      guard let pitch = last?.targetHz ?? last?.measuredHz else { return nil }
      return (voices[index].name, PlotPalette.letters[index], hz.fraction(pitch))
    }
    let targets = drawn.map {
      "$voice\($0) using 1:2 with lines lw 6 lc \(PlotPalette.target.gnuplot)"
    }
    let measured = drawn.map {
      "$voice\($0) using 1:3 with lines lw 1.6 lc \(PlotPalette.series[$0].gnuplot)"
    }
    return [
      panel.commands, panel.axis("x", time, isNamed: false), panel.axis("y", hz),
      panel.heading("pitch, Hz; broad grey lines: targets"),
    ] + panel.directLabels(names)
      + ["plot \((targets + measured).joined(separator: ", \\\n  "))"]
  }

  private func laneCommands(
    _ panel: PlotPanel, index: Int, time: AxisExtent, isFirst: Bool, isLast: Bool
  ) -> [String] {
    let extent = AxisExtent(
      low: -rangeCents, high: rangeCents, ticks: isFirst ? [-rangeCents, 0, rangeCents] : [0],
      isLogarithmic: false)
    var lines = [
      panel.commands, panel.axis("x", time, isNamed: isLast), panel.axis("y", extent),
      "set arrow from graph 0,0.5 to graph 1,0.5 nohead lw 1 lc \(PlotPalette.axis.gnuplot)",
    ]
    var names = [(voices[index].name, PlotPalette.letters[index], 0.5)]
    if let share = shareBeyond(voices[index]), share > 0 {
      let percent = share < 0.01 ? "<1" : NumberStyle.decimals(0).text(share * 100)
      names = [(voices[index].name, PlotPalette.letters[index], 0.67)]
      let range = NumberStyle.decimals(0).text(rangeCents)
      names.append(("\(percent) % beyond ±\(range)", PlotPalette.muted, 0.33))
    }
    lines += panel.directLabels(names)
    if isFirst { lines.append(panel.heading("error, cents; up is sharp")) }
    if isLast { lines.append(panel.xTitle("time, s")) }
    lines.append(
      "plot $voice\(index) using 1:4 with lines lw 1.4 lc \(PlotPalette.series[index].gnuplot)")
    return lines
  }
}

/// The numbers behind the lanes.
extension LanePlot {
  func summary(id: String) -> Table {
    func errors(_ voice: Voice) -> [Double] { voice.frames.compactMap(\.errorCents).map(abs) }
    let none = "no frame has both a target and a measured pitch"
    let fields: [Table.Field<Voice>] = [
      .text("voice", "voice", \.name),
      .count("frames", "frames with an error") { errors($0).count },
      .number("median_abs_cents", "median |error|", unit: "cents", otherwise: none) {
        Statistics.median(errors($0))
      },
      .number("p95_abs_cents", "p95 |error|", unit: "cents", otherwise: none) {
        Statistics.quantile(errors($0), 0.95)
      },
      .number(
        "beyond_percent", "beyond ±\(NumberStyle.setting.text(rangeCents))", unit: "%",
        otherwise: none
      ) { shareBeyond($0).map { $0 * 100 } },
    ]
    return Table(
      id: id, title: "Each voice in numbers", of: voices, fields,
      note: "Every frame is in the CSV file.")
  }

  func observations(id: String) -> Table {
    let fields: [Table.Field<(voice: Voice, frame: Frame)>] =
      [.text("voice", "voice") { $0.voice.name }]
      + Frame.fields(silent: "the voice rests").map { $0.of(\.frame) }
    return Table(
      id: id, title: "Every frame",
      of: voices.flatMap { voice in voice.frames.map { (voice, $0) } }, fields)
  }
}

extension LanePlot.Frame {
  /// Columns of frames.
  ///
  /// - Parameter silent: reason for a missing target.
  static func fields(
    silent: String, timeStyle: NumberStyle = .significant(3),
    pitchStyle: NumberStyle = .significant(3), errorStyle: NumberStyle = .significant(3)
  ) -> [Table.Field<LanePlot.Frame>] {
    [
      .number("time_s", "time", unit: "s", style: timeStyle) { $0.timeS },
      .number("target_hz", "target", unit: "Hz", style: pitchStyle, otherwise: silent, \.targetHz),
      .number(
        "measured_hz", "measured", unit: "Hz", style: pitchStyle, otherwise: "unvoiced",
        \.measuredHz),
      .number(
        "error_cents", "error", unit: "cents", style: errorStyle,
        otherwise: "no pitch to compare", \.errorCents),
    ]
  }
}
