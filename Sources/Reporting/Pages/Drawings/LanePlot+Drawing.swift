/// Drawing of the lanes: one panel for the pitch of all voices and, on the same time axis, one lane of
/// error per voice.
extension LanePlot: PlotContent {
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
    let room = PlotPanel.letterRoomPx(voices.map(\.name) + ["12 % beyond"]) + 18
    let drawn = voices.indices.filter { !voices[$0].frames.isEmpty }
    let time = timeExtent(ticks: size == .wide ? 8 : 5)
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

  /// Time axis from the first frame to the last, with ticks at round times.
  private func timeExtent(ticks: Int) -> AxisExtent {
    let times = voices.flatMap(\.frames).map(\.timeS)
    let (low, high) = (times.min() ?? 0, times.max() ?? 1)
    let round = AxisExtent.linear(low, high, ticks: ticks)
    return AxisExtent(
      low: low, high: high > low ? high : low + 1,
      ticks: round.ticks.filter { low <= $0 && $0 <= high }, isLogarithmic: false)
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
      names.append(("\(percent) % beyond", PlotPalette.muted, 0.33))
    }
    lines += panel.directLabels(names)
    if isFirst { lines.append(panel.heading("error, cents; up is sharp")) }
    if isLast { lines.append(panel.xTitle("time, s")) }
    lines.append(
      "plot $voice\(index) using 1:4 with lines lw 1.4 lc \(PlotPalette.series[index].gnuplot)")
    return lines
  }
}
