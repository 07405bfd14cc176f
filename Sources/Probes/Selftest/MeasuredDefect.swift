import Corpus
import Gate

/// What the gate is given in trials: cells of the right subject, and of the wrong one in each of its
/// places and renderings.
struct MeasuredDefect: Sendable {
  /// One sound of a defect.
  struct Variant: Hashable, Sendable {
    var place: Defect.Place
    /// Counts renderings whose instants are other ones.
    var rendering: Int
  }

  let defect: Defect
  let places: [Defect.Place]
  let renderings: Int
  /// By recording; where there is none the defect does nothing, and the right one stands.
  var cells: [String: [Variant: ComparedCell]] = [:]

  init(_ defect: Defect, voiceCount: Int, renderings: Int) {
    self.defect = defect
    places = defect.places(voiceCount: voiceCount)
    self.renderings = defect.isRandom ? renderings : 1
  }

  var variants: [Variant] {
    places.flatMap { place in
      (0..<renderings).map { Variant(place: place, rendering: $0) }
    }
  }

  /// Whether a recording can show it: what is wrong with voices no probe shows, and what audio
  /// threads rely on is tried on probes.
  func concerns(_ recording: ManifestEntry) -> Bool {
    let isProbe = recording.kind == "probe"
    switch defect.kind {
    case .delayed, .jittered: return true
    default: return isProbe == defect.isOfProbes
    }
  }
}

extension ComparedCell {
  /// With what was measured of another cell in place of its own; what was not measured again stands.
  /// So everything that is judged together counts in the correction for how many tests there are.
  func replaced(by other: ComparedCell) -> ComparedCell {
    guard other.failure == nil else { return other }
    return ComparedCell(
      address, figures: figures.merging(other.figures) { $1 }, key: other.key)
  }
}
