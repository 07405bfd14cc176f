import CommandSupport
import Foundation
import Hunting

/// One line that tells how far a hunt is and what it has found.
final class HuntProgress {
  private let seconds: Double
  private var bar = ProgressBar(total: 100)

  init(seconds: Double) { self.seconds = seconds }

  func show(_ progress: Hunt.Progress) {
    let found = progress.found.map(\.rawValue).joined(separator: ", ")
    let label = "\(progress.sounds) sounds; " + (found.isEmpty ? "nothing yet" : found)
    bar.show(underWay: min(99, 100 * progress.seconds / seconds), label)
  }

  func end() { bar.clear() }
}
