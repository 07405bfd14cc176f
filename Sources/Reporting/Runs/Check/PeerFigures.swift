import Foundation

/// Published pitch shifters and their measured figures, for comparing orders of magnitude.
enum Peers {
  /// Figures of shifters that others can get, in the versions of Debian 12 or of their authors in 2025.
  ///
  /// Programs that work on whole files have no latency. Cost is with four voices: that of four delay
  /// lines, 0.0029 of real time, times the measured ratio.
  static let all: [(name: String, figures: [CheckFigure: Double])] = {
    let rows = String(decoding: PackageResources.peers_csv, as: UTF8.self)
      .split(whereSeparator: \.isNewline)
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    let columns = rows[0].map(CheckFigure.init)
    return rows.dropFirst().map { row in
      let known = zip(columns, row).compactMap { figure, text in
        figure.flatMap { figure in Double(text).map { (figure, $0) } }
      }
      return (row[0], Dictionary(uniqueKeysWithValues: known))
    }
  }()

  /// Returns how many of the peers with a figure are worse; `nil` if none has it.
  static func place(of value: Double, on figure: CheckFigure) -> (worse: Int, all: Int)? {
    let known = all.compactMap { $0.figures[figure] }
    guard !known.isEmpty else { return nil }
    return (known.count { figure.moreIsBetter ? $0 < value : $0 > value }, known.count)
  }

  /// Conditions of the peers' figures, for readers.
  static let conditions =
    "Peers were measured on other material and another machine: synthetic vowels and phrases with exact "
    + "truth, ten shifts from −12 to +12 semitones, 48 kHz, live in blocks of 128 where they can, cost "
    + "with four voices, gross errors beyond 100 cents (here 200). Compare orders of magnitude only."
}

/// The best and the worst of the peers on one figure.
package struct PeerRange: Encodable, Equatable, Sendable {
  let best: Double
  let bestName: String
  let worst: Double
  let worstName: String

  /// Creates the range; `nil` if no peer has the figure.
  init?(_ figure: CheckFigure) {
    let known = Peers.all.compactMap { peer in peer.figures[figure].map { (peer.name, $0) } }
    guard let low = known.min(by: { $0.1 < $1.1 }), let high = known.max(by: { $0.1 < $1.1 })
    else { return nil }
    let (best, worst) = figure.moreIsBetter ? (high, low) : (low, high)
    (bestName, self.best, worstName, self.worst) = (best.0, best.1, worst.0, worst.1)
  }
}
