import Music

extension MIDIFile {
  /// Returns the tempi and time signatures of all tracks.
  ///
  /// A file timed in film frames is read at 120 beats a minute. Tempi are limited to the allowed range.
  public func beat() throws(SequenceError) -> (tempo: TempoMap, timeSignature: MeterMap) {
    var tempi: [Double: Double] = [0: 120]
    var meters: [Double: TimeSignature] = [0: .common]
    // In order of time, then by track, then in file order; the last tempo at one time counts.
    for event in timeline {
      let beats = beats(atTick: event.tick)
      switch event.event {
      case .tempo(let length) where isInQuarters:
        let tempo = 60_000_000 / Double(length)
        tempi[beats] = min(max(tempo, TempoMap.tempi.lowerBound), TempoMap.tempi.upperBound)
      case .meta(type: 0x58, let data):
        if let signature = TimeSignature(data) { meters[beats] = signature }
      default: break
      }
    }
    return (
      try TempoMap(
        tempi.sorted { $0.key < $1.key }.map { .init(atBeats: $0.key, beatsPerMinute: $0.value) }),
      try MeterMap(meters.sorted { $0.key < $1.key }.map { .init(atBeats: $0, $1) })
    )
  }

  private var isInQuarters: Bool {
    if case .ticksPerQuarter = division { true } else { false }
  }

  private func beats(atTick tick: Int) -> Double {
    switch division {
    case .ticksPerQuarter(let ticks): Double(tick) / Double(ticks)
    case .ticksPerFrame: TickClock(of: self).seconds(atTick: tick) * 2
    }
  }
}

extension TimeSignature {
  /// Decodes the data of a time signature event; `nil` if it is none.
  fileprivate init?(_ data: [UInt8]) {
    guard data.count >= 2, data[1] < 6 else { return nil }
    try? self.init(Int(data[0]), 1 << Int(data[1]))
  }
}
