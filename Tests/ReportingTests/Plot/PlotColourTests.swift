import Foundation
import Testing

@testable import Reporting

/// Contrast as in WCAG 2.1, "relative luminance" and "contrast ratio".
@Suite struct PlotColourTests {
  static let paper = PlotColour(light: "#ffffff", dark: "#14181c")

  static func luminance(_ hex: String) -> Double {
    let value = Int(hex.dropFirst(), radix: 16) ?? 0
    let linear = [16, 8, 0].map { shift -> Double in
      let part = Double((value >> shift) & 255) / 255
      return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  static func contrast(_ a: PlotColour, _ b: PlotColour) -> Double {
    [(a.light, b.light), (a.dark, b.dark)].map { first, second in
      let pair = [luminance(first), luminance(second)].sorted()
      return (pair[1] + 0.05) / (pair[0] + 0.05)
    }.min() ?? 0
  }

  @Test func everyColourHasOneRole() {
    let light = PlotPalette.all.map(\.light)
    #expect(Set(light).count == light.count)
  }

  /// 4.5:1 is WCAG's bound for text of this size, 3:1 that for marks.
  @Test func lettersAndMarksStandOutInBothSchemes() {
    for letters in PlotPalette.letters + [PlotPalette.ink, PlotPalette.muted] {
      #expect(Self.contrast(letters, Self.paper) >= 4.5, "\(letters)")
    }
    for marks in PlotPalette.series { #expect(Self.contrast(marks, Self.paper) >= 3, "\(marks)") }
  }

  @Test func numbersInCellsCanBeRead() {
    for (level, colour) in PlotPalette.levels.enumerated() {
      #expect(Self.contrast(PlotPalette.onLevel(level), colour) >= 4.5, "level \(level)")
    }
  }
}
