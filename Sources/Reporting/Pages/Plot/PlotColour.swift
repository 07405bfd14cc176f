/// A colour of a figure for light and dark screens.
///
/// Scripts name the light colour; a style rule exchanges it for the dark one. Every light colour
/// therefore has one role only.
struct PlotColour: Equatable, Sendable {
  let light: String
  let dark: String

  /// The colour in gnuplot's syntax.
  var gnuplot: String { "rgb '\(light)'" }

  /// Returns the colour in gnuplot's syntax, `percent` transparent.
  func gnuplot(transparentPercent percent: Int) -> String {
    let alpha = String(percent * 255 / 100, radix: 16)
    return "rgb '#\(alpha.count < 2 ? "0" : "")\(alpha)\(light.dropFirst())'"
  }
}

/// The colours of all figures.
///
/// Series follow Okabe and Ito, "Color Universal Design" (2008), in an order that keeps neighbours
/// distinct; orange, sky blue, purple and yellow are darkened to a contrast of 3:1 on white. The
/// letters beside a series are darker, with a contrast of 4.5:1.
enum PlotPalette {
  static let ink = PlotColour(light: "#1c2024", dark: "#e6e8ea")
  static let muted = PlotColour(light: "#5c656e", dark: "#a3acb5")
  static let axis = PlotColour(light: "#8a929a", dark: "#727b84")
  static let grid = PlotColour(light: "#e3e6e9", dark: "#30363c")
  static let target = PlotColour(light: "#b3bac1", dark: "#5b646d")
  /// Colour of pixels, whose darkness is their opacity; a style rule inverts them on black.
  static let picture = (red: 28, green: 32, blue: 36)

  static let series = [
    PlotColour(light: "#0072b2", dark: "#4fb0ea"),  // blue
    PlotColour(light: "#d55e00", dark: "#f08a3c"),  // vermillion
    PlotColour(light: "#009e73", dark: "#2fc79a"),  // bluish green
    PlotColour(light: "#b8619a", dark: "#dc93bf"),  // reddish purple
    PlotColour(light: "#b07a00", dark: "#e6b030"),  // orange
    PlotColour(light: "#2f96cc", dark: "#92d3f7"),  // sky blue
    PlotColour(light: "#968a00", dark: "#f0e442"),  // yellow
    PlotColour(light: "#4a4f55", dark: "#c9cdd1"),  // black
  ]

  static let letters = [
    PlotColour(light: "#00629a", dark: "#6abdf0"),
    PlotColour(light: "#ad4c00", dark: "#f59b57"),
    PlotColour(light: "#00754f", dark: "#48d3a8"),
    PlotColour(light: "#9a4a7e", dark: "#e3a5ca"),
    PlotColour(light: "#855c00", dark: "#ecbe52"),
    PlotColour(light: "#1a719f", dark: "#a3daf9"),
    PlotColour(light: "#6f6600", dark: "#f3e95f"),
    PlotColour(light: "#43484e", dark: "#d3d6da"),
  ]

  /// Colours from low to high values: pale to deep on white, deep to pale on black.
  static let levels = [
    PlotColour(light: "#eff4f9", dark: "#18232e"),
    PlotColour(light: "#dfe9f3", dark: "#1a2d3f"),
    PlotColour(light: "#cbdceb", dark: "#1c3851"),
    PlotColour(light: "#b2cde3", dark: "#1e4565"),
    PlotColour(light: "#94bad8", dark: "#20537a"),
    PlotColour(light: "#2f74a8", dark: "#5f9fcc"),
    PlotColour(light: "#23618f", dark: "#82b8de"),
    PlotColour(light: "#184e76", dark: "#a6cfec"),
    PlotColour(light: "#0e3a5c", dark: "#cbe5f8"),
  ]
  static let onLowLevel = PlotColour(light: "#16202b", dark: "#eef3f8")
  static let onHighLevel = PlotColour(light: "#fcfdfe", dark: "#0d141b")

  /// Returns the colour of numbers printed on `levels[level]`.
  static func onLevel(_ level: Int) -> PlotColour { level < 5 ? onLowLevel : onHighLevel }

  /// Colours of a voice's outcome in a chord; letters on them are as on low levels.
  static let fates = (
    inTune: PlotColour(light: "#dcefe6", dark: "#17352b"),
    sharp: PlotColour(light: "#f7c8a4", dark: "#6e3a10"),
    flat: PlotColour(light: "#b5d5f0", dark: "#164a75"),
    missing: PlotColour(light: "#c5cad0", dark: "#4b535c"),
    ghost: PlotColour(light: "#e6c3da", dark: "#643858")
  )

  static let all =
    [ink, muted, axis, grid, target, onLowLevel, onHighLevel] + series + letters + levels
    + [fates.inTune, fates.sharp, fates.flat, fates.missing, fates.ghost]

  /// The paper of a page, which lies under letters that stand over lines.
  private static let paper = PlotColour(light: "#ffffff", dark: "#14181c")

  /// Style rules of a drawing.
  static let css: String = {
    let exchanges = all.flatMap { colour in
      ["stroke", "fill", "color"].map {
        "  .plot [\($0)=\"\(colour.light)\"] { \($0): \(colour.dark); }"
      }
    }
    return """
      .plot { font-family: system-ui, sans-serif; font-variant-numeric: tabular-nums; }
      .plot text { stroke: \(paper.light); stroke-width: 4px; paint-order: stroke; }
      .plot [fill="\(onLowLevel.light)"] text, .plot [fill="\(onHighLevel.light)"] text { stroke: none; }
      @media screen and (prefers-color-scheme: dark) {
        .plot image { filter: invert(1); }
        .plot text { stroke: \(paper.dark); }
      \(exchanges.joined(separator: "\n"))
      }

      """
  }()
}
