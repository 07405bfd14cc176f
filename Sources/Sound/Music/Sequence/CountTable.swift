import DSP

/// The times of all counts of all bars, as segments of one tempo and one time signature.
///
/// - Allocates: in `init` only.
package struct CountTable: ~Copyable, @unchecked Sendable {
  /// Evenly spaced counts.
  package struct Segment: BitwiseCopyable {
    var firstSeconds: Double
    var stepSeconds: Double
    /// Number of counts; `Int.max` in the last segment.
    var count: Int
    /// Index of the first count in its bar, from 0.
    var inBar: Int
    var barCounts: Int
  }

  /// A count: its segment and its index there.
  package struct Place: BitwiseCopyable {
    fileprivate var segment = 0
    fileprivate var index = 0

    @_noLocks package init() {}
  }

  private let segments: RealtimeArray<Segment>

  package init(_ tempo: TempoMap, _ meter: MeterMap) {
    var found: [Segment] = []
    let tempi = tempo.changes
    for (place, change) in meter.changes.enumerated() {
      let barsEnd = place + 1 < meter.changes.count ? meter.changes[place + 1].atBeats : nil
      let unit = change.timeSignature.countBeats
      for (index, current) in tempi.enumerated() {
        let tempoEnd = index + 1 < tempi.count ? tempi[index + 1].atBeats : nil
        // Counts from the first at or after the start; a count at the end belongs to the next segment.
        let start = max(current.atBeats, change.atBeats)
        let end = [barsEnd, tempoEnd].compactMap(\.self).min()
        let first = Self.counts(start - change.atBeats, of: unit)
        let count = end.map { Self.counts($0 - change.atBeats, of: unit) - first } ?? .max
        guard count > 0 else { continue }
        found.append(
          Segment(
            firstSeconds: tempo.seconds(atBeats: change.atBeats + Double(first) * unit),
            stepSeconds: unit * 60 / current.beatsPerMinute, count: count,
            inBar: first % change.timeSignature.count, barCounts: change.timeSignature.count))
      }
    }
    segments = RealtimeArray(found)
  }

  /// Returns the number of counts before a place; a count within rounding of it is not before it.
  private static func counts(_ beats: Double, of unit: Double) -> Int {
    Int((beats / unit - 1e-9).rounded(.up))
  }

  @_noLocks package func seconds(_ place: Place) -> Double {
    let segment = segments[place.segment]
    return segment.firstSeconds + Double(place.index) * segment.stepSeconds
  }

  @_noLocks package func isAccent(_ place: Place) -> Bool {
    let segment = segments[place.segment]
    return (segment.inBar + place.index) % segment.barCounts == 0
  }

  @_noLocks package func advance(_ place: inout Place) {
    place.index += 1
    if place.index >= segments[place.segment].count {
      (place.segment, place.index) = (place.segment + 1, 0)
    }
  }
}
