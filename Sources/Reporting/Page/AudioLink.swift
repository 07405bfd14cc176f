/// What a link lets one hear: a sound of a clip, or a part of it again and again.
public struct AudioLink: Equatable, Sendable {
  /// The id of the clip.
  public var clip: String
  /// Which of its sounds, from 0.
  public var sound: Int
  /// `nil` plays on from where the clip stands.
  public var partS: ClosedRange<Double>?

  public init(clip: String, sound: Int, partS: ClosedRange<Double>? = nil) {
    (self.clip, self.sound, self.partS) = (clip, sound, partS)
  }
}

extension Clip {
  /// The sound that lies in a file; `nil` where the clip has none of it.
  func hearing(of path: String?, partS: ClosedRange<Double>? = nil) -> AudioLink? {
    guard let path, let place = sounds.firstIndex(where: { $0.path == path }) else { return nil }
    return AudioLink(clip: id, sound: place, partS: partS)
  }
}

/// A place in a drawing that one can press to hear what it stands for.
struct PlotSpot: Equatable {
  /// From the upper left corner of the drawing, in its pixels.
  var xPx: Double
  var yPx: Double
  /// What is to be heard, in words.
  var title: String
  var hearing: AudioLink

  /// How large a place must be for a finger, and how far from the next: CSS pixels.
  /// - Source: WCAG 2.2, success criterion 2.5.8.
  static let sizePx = 24.0

  /// Those that a finger can tell apart: of two too near each other the first.
  static func apart(_ spots: [PlotSpot]) -> [PlotSpot] {
    spots.reduce(into: []) { kept, spot in
      let isNear = kept.contains {
        max(abs($0.xPx - spot.xPx), abs($0.yPx - spot.yPx)) < sizePx
      }
      if !isNear { kept.append(spot) }
    }
  }
}
