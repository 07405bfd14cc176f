import Metrics
import Sweep

/// Settings of one subject whose sounds are equal to the last bit, as those of a program that ignores a
/// parameter: every figure of their sounds is equal.
enum EqualSounds {
  /// Fewest distinct fractions by which equal sounds are recognized. One is enough by chance; several
  /// rule out what is quantized, such as a delay in whole blocks.
  private static let minFractions = 4

  /// Returns for each candidate the first whose sounds equal its own; itself if there is none or if too few
  /// figures are known.
  ///
  /// - Parameters:
  ///   - cells: cells of each candidate, by its index.
  ///   - metrics: ids of metrics of the sound, so none of its cost.
  static func first(
    of candidates: [SettingChoice], cells: [Int: [CellResult]], by metrics: [String]
  ) -> [Int] {
    struct Key: Hashable {
      var subject: String
      var figures: Int
    }
    var first: [Key: Int] = [:]
    return candidates.indices.map { row in
      guard let figures = figures(of: cells[row] ?? [], metrics) else { return row }
      let key = Key(subject: candidates[row].subject, figures: figures)
      first[key] = first[key] ?? row
      return first[key]!
    }
  }

  /// Returns a hash of all figures with their cells, in any order.
  private static func figures(of cells: [CellResult], _ metrics: [String]) -> Int? {
    var (hash, fractions) = (0, Set<Double>())
    for cell in cells {
      var hasher = Hasher()
      for text in [cell.recording, cell.condition, cell.score.id] { hasher.combine(text) }
      hasher.combine(cell.hasFailed)
      for metric in metrics {
        for result in cell.measurements(of: metric) {
          guard let value = result.outcome.number else { continue }
          hasher.combine(metric)
          hasher.combine(result.voice)
          hasher.combine(value)
          hasher.combine(result.count)
          if value != value.rounded() { fractions.insert(value) }
        }
      }
      hash ^= hasher.finalize()
    }
    return fractions.count < minFractions ? nil : hash
  }
}
