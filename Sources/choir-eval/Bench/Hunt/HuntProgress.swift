import CommandSupport
import Foundation
import Probes

/// One line that tells how far a hunt is and what it has found.
final class HuntProgress {
  /// Time that ends the search; `nil` for none.
  private let seconds: Double?
  /// Number of sounds that ends the search; `nil` for none.
  private let maxSounds: Int?
  private var bar = ProgressBar(total: 100)

  init(_ settings: Hunt.Settings) {
    (seconds, maxSounds) = (settings.seconds, settings.maxSounds)
  }

  func show(_ progress: Hunt.Progress) {
    let found = progress.found.map(\.rawValue).joined(separator: ", ")
    let label = "\(progress.sounds) sounds; " + (found.isEmpty ? "nothing yet" : found)
    let share = max(
      seconds.map { progress.seconds / $0 } ?? 0,
      maxSounds.map { Double(progress.sounds) / Double($0) } ?? 0)
    bar.show(underWay: min(99, 100 * share), label)
  }

  func end() { bar.clear() }
}
