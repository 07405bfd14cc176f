import Statistics

/// Values of several cells by metric and voice, gathered in one pass.
struct MeasuredValues {
  private struct Key: Hashable {
    var metric: String
    /// `nil` for the whole sound.
    var voice: Int?
  }

  private var values: [Key: [Double]] = [:]

  init(of cells: [CellResult]) {
    for cell in cells {
      guard case .measured(let all) = cell.outcome else { continue }
      all.forEachValue { metric, voice, value in
        values[Key(metric: metric, voice: voice), default: []].append(value)
      }
    }
  }

  /// Returns the defined values in the order of the cells.
  subscript(metric: String, voice voice: Int?) -> [Double] {
    values[Key(metric: metric, voice: voice)] ?? []
  }

  /// Returns the median of each metric for a voice, or for the whole sound if it is `nil`.
  func figures(voice: Int?) -> [String: SettingSummary.Figure] {
    var figures: [String: SettingSummary.Figure] = [:]
    for (key, found) in values where key.voice == voice {
      figures[key.metric] = .init(value: Statistics.median(found)!, count: found.count)
    }
    return figures
  }
}
