import Corpus
import Gate

/// Cells of a defective subject in each of its places and renderings, from which trials draw.
struct MeasuredDefect: Sendable {
  /// One rendering of a defect.
  struct Variant: Hashable, Sendable {
    var place: Damage.Place
    /// Index of the rendering; renderings differ in their random instants.
    var rendering: Int
  }

  let defect: Defect
  let places: [Damage.Place]
  let renderings: Int
  /// The renderings of one recording.
  struct Renderings: Sendable {
    var cells: [Variant: ComparedCell] = [:]
    /// Renderings whose sound has no fault by chance.
    var intact: Set<Variant> = []
  }

  /// Renderings by recording id; a recording without any keeps its right cell.
  var renderingsOf: [String: Renderings] = [:]

  init(_ defect: Defect, voiceCount: Int, renderings: Int) {
    self.defect = defect
    places = defect.damage.places(voiceCount: voiceCount)
    self.renderings = defect.damage.isRandom ? renderings : 1
  }

  var variants: [Variant] {
    places.flatMap { place in
      (0..<renderings).map { Variant(place: place, rendering: $0) }
    }
  }

  /// Returns true if a recording can show the defect. Probes show faults of the live contract, and
  /// voices show faults of the sound; both show delays.
  func concerns(_ recording: ManifestEntry) -> Bool {
    let isProbe = recording.isProbe
    switch defect.damage.kind {
    case .late, .jittered: return true
    default: return isProbe == defect.damage.isOfProbes
    }
  }
}

extension ComparedCell {
  /// Replaces figures that were measured again and keeps the others.
  ///
  /// All figures that are judged together thus count in the correction for multiple tests.
  func replaced(by other: ComparedCell) -> ComparedCell {
    guard other.failure == nil else { return other }
    return ComparedCell(address, figures: figures.merging(other.figures) { $1 }, key: other.key)
  }
}
