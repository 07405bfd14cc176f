import Metrics
import Sweep

/// One metric of many cells as columns of 32-bit floats, and the reasons for missing values.
struct CellValues {
  /// Values of the whole sound (-1) and of voices (from 0), each for all cells; those without any
  /// value are left out.
  let voices: [(voice: Int, values: [Float])]
  /// Reasons by the number that a missing value carries.
  let reasons: [String]

  /// - Cost: one pass over the cells; three columns of a run of 100,000 cells take 1.2 MB.
  init(of metric: String, in cells: [CellResult]) {
    var columns: [[Float]] = []
    var known: [Undefined: Int] = [:]
    var reasons = ["not measured"]
    func number(of reason: Undefined) -> Int {
      if let number = known[reason] { return number }
      known[reason] = reasons.count
      reasons.append(Amount.undefined(reason).reasonInWords ?? reason.detail)
      return reasons.count - 1
    }
    var failed: [(row: Int, value: Float)] = []
    for (row, cell) in cells.enumerated() {
      switch cell.outcome {
      case .failed(let reason):
        failed.append((row, Workbench.missing(reason: number(of: Undefined(.failed, reason)))))
      case .measured(let measurements):
        measurements.forEach(metric) { result in
          let place = (result.voice ?? -1) + 1
          while columns.count <= place { columns.append([]) }
          if columns[place].isEmpty {
            columns[place] = Array(repeating: Workbench.missing(reason: 0), count: cells.count)
          }
          switch result.outcome {
          case .value(let value): columns[place][row] = Float(value)
          case .undefined(let reason):
            columns[place][row] = Workbench.missing(reason: number(of: reason))
          }
        }
      }
    }
    for place in columns.indices where !columns[place].isEmpty {
      for (row, value) in failed { columns[place][row] = value }
    }
    // Columns that hold reasons only are left out.
    voices = columns.enumerated().filter { $0.element.contains { !$0.isNaN } }
      .map { ($0.offset - 1, $0.element) }
    self.reasons = reasons
  }
}
