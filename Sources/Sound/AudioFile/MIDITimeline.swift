extension MIDIFile {
  /// An event with its time in seconds.
  public struct ClockedEvent: Equatable, Sendable {
    public var tick: Int
    public var seconds: Double
    /// Index of the track, from 0, in the order of the file.
    public var track: Int
    public var event: Event
  }

  /// The events of all tracks in order of time; simultaneous ones by track, then in file order.
  public var timeline: [ClockedEvent] {
    let clock = TickClock(of: self)
    let all = tracks.enumerated().flatMap { index, track in
      track.events.map {
        ClockedEvent(
          tick: $0.tick, seconds: clock.seconds(atTick: $0.tick), track: index, event: $0.event)
      }
    }
    // Sorting is stable.
    return all.sorted { ($0.tick, $0.track) < ($1.tick, $1.track) }
  }

  /// Duration until the last track ends.
  public var durationSeconds: Double {
    TickClock(of: self).seconds(atTick: tracks.map(\.endTick).max() ?? 0)
  }

  /// Converts ticks to seconds by the tempo changes of all tracks; 120 beats a minute before any.
  struct TickClock {
    private struct Change {
      var tick: Int
      var seconds: Double
      var secondsPerTick: Double
    }

    private var changes: [Change]

    init(of file: MIDIFile) {
      switch file.division {
      case .ticksPerFrame(let ticks, let framesPerSecond):
        let rate = framesPerSecond == 29 ? 30_000.0 / 1001 : Double(framesPerSecond)
        changes = [Change(tick: 0, seconds: 0, secondsPerTick: 1 / (rate * Double(ticks)))]
      case .ticksPerQuarter(let ticks):
        changes = [Change(tick: 0, seconds: 0, secondsPerTick: 0.5 / Double(ticks))]
        let tempi = file.tracks.flatMap(\.events).compactMap { event -> (Int, Double)? in
          guard case .tempo(let length) = event.event else { return nil }
          return (event.tick, Double(length) * 1e-6 / Double(ticks))
        }
        for (tick, secondsPerTick) in tempi.sorted(by: { $0.0 < $1.0 }) {
          changes.append(
            Change(tick: tick, seconds: seconds(atTick: tick), secondsPerTick: secondsPerTick))
        }
      }
    }

    func seconds(atTick tick: Int) -> Double {
      let change = changes.last { $0.tick <= tick } ?? changes[0]
      return change.seconds + Double(tick - change.tick) * change.secondsPerTick
    }
  }
}
