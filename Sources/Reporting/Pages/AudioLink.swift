/// A link that plays a sound of a clip, or loops a part of it.
package struct AudioLink: Equatable, Sendable {
  /// Id of the clip.
  var clip: String
  /// Index of the sound, from 0.
  var sound: Int
  /// Part to loop; `nil` continues from the clip's position.
  var partS: ClosedRange<Double>?
}

extension Clip {
  /// Returns a link to the sound of a file; `nil` if the clip does not have it.
  func audioLink(of path: String?, partS: ClosedRange<Double>? = nil) -> AudioLink? {
    guard let path, let place = sounds.firstIndex(where: { $0.path == path }) else { return nil }
    return AudioLink(clip: id, sound: place, partS: partS)
  }
}

/// A place in a drawing that plays a sound when pressed.
struct PlotSpot: Equatable {
  /// Distance from the left edge of the drawing.
  var xPx: Double
  /// Distance from the upper edge of the drawing.
  var yPx: Double
  /// Name of the sound.
  var title: String
  var audioLink: AudioLink

  /// Smallest size of a place, and its smallest distance from the next, in CSS pixels.
  /// - Source: WCAG 2.2, success criterion 2.5.8.
  static let sizePx = 24.0

  /// Returns the places without those that are too near an earlier one.
  static func apart(_ spots: [PlotSpot]) -> [PlotSpot] {
    spots.reduce(into: []) { kept, spot in
      let isNear = kept.contains {
        max(abs($0.xPx - spot.xPx), abs($0.yPx - spot.yPx)) < sizePx
      }
      if !isNear { kept.append(spot) }
    }
  }
}
