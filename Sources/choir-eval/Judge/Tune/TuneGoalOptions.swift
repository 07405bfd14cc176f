import ArgumentParser
import CommandSupport
import Sweep
import Tuning

/// The axes, scales and budgets of a recommendation, and the recordings that it covers.
struct TuneGoalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Axes to weigh, of \(TuneAxis.builtIn.map(\.rawValue).joined(separator: ", ")), and own metrics "
        + "of the plan by id."),
    completion: .list(TuneAxis.builtIn.map(\.rawValue)))
  var axes = Self.defaultAxes
  private static let defaultAxes = TuneAxis.defaults.map(\.rawValue).joined(separator: ",")
  @Option(
    help: """
      Limit of an axis, NAME=LIMIT; repeatable, or several with commas: latency (ms), cost (% of a \
      core), pitch (cents), formants (%), timbre (dB); of intelligibility (ESTOI) the minimum.
      """)
  var budget: [String] = []
  @Option(
    help: ArgumentHelp(
      "Amounts of each axis that count as one step, such as latency=5,pitch=10; see "
        + "docs/reference/metrics.md for the defaults."))
  var scale: String?
  @Option(
    help: "Largest percentage of frames in which a voice may be lost if another setting keeps it.",
    in: 0...100)
  var maxLostPercent = TuneGoal.defaultLostLimitPercent
  @Option(
    help: "Share of each register's recordings that the figures cover and where no voice is lost.",
    in: 0.5...1)
  var served = 0.9

  /// The options as typed, without those that have their default.
  var words: [String] {
    let standard = TuneGoal()
    var words = axes == Self.defaultAxes ? [] : ["--axes", axes]
    for one in budget { words += ["--budget", one] }
    if let scale { words += ["--scale", scale] }
    if maxLostPercent != standard.lostLimitPercent {
      words += ["--max-lost-percent", maxLostPercent.typed]
    }
    return words + (served == standard.served ? [] : ["--served", served.typed])
  }

  /// The goal. Own metrics are axes once their plan was read.
  var goal: TuneGoal {
    get throws {
      let chosen = try axes.split(separator: ",").map { name in
        guard let axis = TuneAxis(rawValue: name.trimmingCharacters(in: .whitespaces)) else {
          let names = TuneAxis.allCases.map(\.rawValue).joined(separator: ", ")
          throw ValidationError("--axes: there is no axis '\(name)'; choose \(names).")
        }
        return axis
      }
      guard !chosen.isEmpty, Set(chosen).count == chosen.count else {
        throw ValidationError("--axes is '\(axes)'; name one or more axes, each once.")
      }
      let goal = TuneGoal(
        axes: chosen,
        budgets: try NamedValues.amounts(budget, of: "--budget", unit: \.unit),
        scales: try NamedValues.amounts(scale.map { [$0] } ?? [], of: "--scale", unit: \.unit),
        served: served, lostLimitPercent: maxLostPercent)
      do { try goal.validate() } catch { throw Misuse.of(error) }
      return goal
    }
  }
}
