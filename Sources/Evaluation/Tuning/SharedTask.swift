import Sweep

/// The task that several settings have in common: the same scores of the same recordings under the same
/// conditions. Only on these are they compared: an auto-tuner that sings the lead's own notes is no
/// better a harmonizer than one that sings a fourth below, and a setting that was tried in a room is no
/// worse than one that was not.
struct SharedTask {
  /// Cells of the settings that are compared. Of a recording, those of scores and conditions under which
  /// each of the settings that heard it was measured; probes have all.
  let cells: [CellResult]
  /// Settings that sing other scores, with the reason in words.
  let leftOut: [TuneAnswer.LeftOut]

  init(_ all: [CellResult]) {
    let voices = all.filter { !$0.isProbe }
    let sung = voices.grouped { SettingChoice($0) }
    let order = sung.map { SettingChoice($0[0]) }
    let scores = Dictionary(
      uniqueKeysWithValues: zip(order, sung.map { cells in Set(cells.map(\.score.id)) }))
    // The score that most settings sing is the task; of several, that of the first settings.
    let candidates = order.flatMap { scores[$0]!.sorted() }.uniqued()
    let singers = candidates.map { score in order.count { scores[$0]!.contains(score) } }
    guard let most = singers.max() else {
      (cells, leftOut) = (all, [])
      return
    }
    let task = candidates[singers.firstIndex(of: most)!]
    let compared = Set(order.filter { scores[$0]!.contains(task) })
    let shared = compared.reduce(scores[compared.first!]!) { $0.intersection(scores[$1]!) }
    leftOut = order.filter { !compared.contains($0) }.map { choice in
      TuneAnswer.LeftOut(
        subject: choice.subject, settings: choice.settings,
        reason: "sings \(scores[choice]!.sorted().joined(separator: ", ")), the others \(task)")
    }

    var heard: [String: Set<SettingChoice>] = [:]
    var measured: [Circumstance: Set<SettingChoice>] = [:]
    for cell in voices where shared.contains(cell.score.id) {
      let choice = SettingChoice(cell)
      guard compared.contains(choice) else { continue }
      heard[cell.recording, default: []].insert(choice)
      measured[Circumstance(cell), default: []].insert(choice)
    }
    var common: [String: Set<Circumstance>] = [:]
    for (circumstance, choices) in measured where choices == heard[circumstance.recording] {
      common[circumstance.recording, default: []].insert(circumstance)
    }
    let known = Set(order)
    cells = all.filter { cell in
      let choice = SettingChoice(cell)
      // Some subjects are measured on probes alone.
      if cell.isProbe { return compared.contains(choice) || !known.contains(choice) }
      guard compared.contains(choice), shared.contains(cell.score.id) else { return false }
      return common[cell.recording].map { $0.contains(Circumstance(cell)) } ?? true
    }
  }

  private struct Circumstance: Hashable {
    let recording, condition, score: String

    init(_ cell: CellResult) {
      (recording, condition, score) = (cell.recording, cell.condition, cell.score.id)
    }
  }
}
