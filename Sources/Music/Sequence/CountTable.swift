import DSP

/// When the counts of all bars come: stretches of one tempo and one time signature.
///
/// - Allocates: in `init` only.
package struct CountTable: ~Copyable, @unchecked Sendable {
  /// Counts at even distances.
  package struct Stretch: BitwiseCopyable {
    var firstSeconds: Double
    var stepSeconds: Double
    /// `Int.max` in the last one.
    var count: Int
    /// Of the first count in its bar, from 0.
    var inBar: Int
    var barCounts: Int
  }

  /// A count: which stretch it is in, and how many of it came before.
  package struct Place: BitwiseCopyable {
    fileprivate var stretch = 0
    fileprivate var index = 0

    @_noLocks package init() {}
  }

  private let stretches: RealtimeArray<Stretch>

  package init(_ tempo: TempoMap, _ meter: MeterMap) {
    var found: [Stretch] = []
    let tempi = tempo.changes
    for (place, change) in meter.changes.enumerated() {
      let barsEnd = place + 1 < meter.changes.count ? meter.changes[place + 1].atBeats : nil
      let unit = change.timeSignature.countBeats
      for (index, current) in tempi.enumerated() {
        let tempoEnd = index + 1 < tempi.count ? tempi[index + 1].atBeats : nil
        // Counts from the first at or after the beginning; a count at the end is the next one's.
        let start = max(current.atBeats, change.atBeats)
        let end = [barsEnd, tempoEnd].compactMap(\.self).min()
        let first = Self.counts(start - change.atBeats, of: unit)
        let count = end.map { Self.counts($0 - change.atBeats, of: unit) - first } ?? .max
        guard count > 0 else { continue }
        found.append(
          Stretch(
            firstSeconds: tempo.seconds(atBeats: change.atBeats + Double(first) * unit),
            stepSeconds: unit * 60 / current.beatsPerMinute, count: count,
            inBar: first % change.timeSignature.count, barCounts: change.timeSignature.count))
      }
    }
    stretches = RealtimeArray(found)
  }

  /// How many counts from 0 on lie before a place; one within rounding of it is not before it.
  private static func counts(_ beats: Double, of unit: Double) -> Int {
    Int((beats / unit - 1e-9).rounded(.up))
  }

  @_noLocks package func seconds(_ place: Place) -> Double {
    let stretch = stretches[place.stretch]
    return stretch.firstSeconds + Double(place.index) * stretch.stepSeconds
  }

  @_noLocks package func isAccent(_ place: Place) -> Bool {
    let stretch = stretches[place.stretch]
    return (stretch.inBar + place.index) % stretch.barCounts == 0
  }

  @_noLocks package func advance(_ place: inout Place) {
    place.index += 1
    if place.index >= stretches[place.stretch].count {
      (place.stretch, place.index) = (place.stretch + 1, 0)
    }
  }
}
