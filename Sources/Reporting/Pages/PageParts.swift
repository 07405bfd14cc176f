import Foundation

/// The drawings and sounds that the parts of a page refer to.
struct PageParts {
  /// Inline SVG by figure id, in the order of `PlotSize.allCases`.
  let drawings: [String: [String]]
  let sounds: SoundStore
  /// File name of the page.
  let page: String
  /// Addresses of lanes on the workbench by the path of their sound.
  let lanes: [String: String]

  /// Returns a link that plays a sound; `nil` if the report's budget left that sound out.
  func link(to audioLink: AudioLink) -> LinkView? {
    guard let (home, source) = sounds.place(of: audioLink) else { return nil }
    return LinkView(
      href: (home == page ? "" : home) + "#\(audioLink.clip)",
      plays: [PlaysView(clip: audioLink.clip, source: "\(source)", part: audioLink.partS)])
  }
}

/// The target of a link, and the sound that it plays: none or one.
struct LinkView {
  let href: String
  var plays: [PlaysView] = []
}

/// Attributes of a link that the scripts read.
struct PlaysView {
  let clip, source: String
  let part: [PartView]

  struct PartView { let fromS, toS: String }

  init(clip: String, source: String, part: ClosedRange<Double>?) {
    (self.clip, self.source) = (clip, source)
    self.part =
      part.map { [PartView(fromS: Self.seconds($0.lowerBound), toS: Self.seconds($0.upperBound))] }
      ?? []
  }

  static func seconds(_ value: Double) -> String { String(format: "%.3f", value) }
}

/// A place of a drawing that can be pressed, with its position in percent of the drawing.
struct SpotView {
  let left, top, title: String
  let link: LinkView

  init?(_ spot: PlotSpot, widthPx: Double, heightPx: Double, _ parts: PageParts) {
    guard let link = parts.link(to: spot.audioLink) else { return nil }
    (left, top) = (Self.percent(spot.xPx / widthPx), Self.percent(spot.yPx / heightPx))
    (title, self.link) = (spot.title, link)
  }

  private static func percent(_ share: Double) -> String { String(format: "%.2f", 100 * share) }
}
