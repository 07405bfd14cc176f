import Foundation

/// Notes against the truth, by the measures of mir_eval.transcription with their names.
///
/// - Source: Molina, Barbancho, Tardón and Barbancho, "Evaluation framework for automatic singing
///   transcription", ISMIR 2014; mir_eval 0.8.2, transcription.evaluate.
public struct NoteScore: Sendable {
  /// The measures with the names of mir_eval.
  public let named: [(name: String, value: Double)]

  /// Largest distances of a right note. An end may be off by a fifth of the note if that is more.
  private static let (onsetSeconds, offsetSeconds, offsetShare, cents) = (0.05, 0.05, 0.2, 50.0)

  public init(of estimate: [SungNote], against reference: [SungNote]) {
    func distance(_ a: Double, _ b: Double) -> Double {
      (abs(a - b) * 1e4).rounded(.toNearestOrEven) / 1e4
    }
    func startsRight(_ wanted: SungNote, _ found: SungNote) -> Bool {
      distance(wanted.onsetSeconds, found.onsetSeconds) <= Self.onsetSeconds
    }
    func endsRight(_ wanted: SungNote, _ found: SungNote) -> Bool {
      distance(wanted.offsetSeconds, found.offsetSeconds)
        <= max(
          Self.offsetShare * abs(wanted.offsetSeconds - wanted.onsetSeconds), Self.offsetSeconds)
    }
    func hasPitch(_ wanted: SungNote, _ found: SungNote) -> Bool {
      abs(1200 * (log2(wanted.f0Hz) - log2(found.f0Hz))) <= Self.cents
    }
    func rates(
      _ names: String..., fits: (SungNote, SungNote) -> Bool
    ) -> [(name: String, value: Double)] {
      guard !reference.isEmpty, !estimate.isEmpty else { return names.map { ($0, 0) } }
      let pairs = NoteMatching(reference, estimate, fits: fits).pairs
      let precision = Double(pairs.count) / Double(estimate.count)
      let recall = Double(pairs.count) / Double(reference.count)
      let f = pairs.isEmpty ? 0 : 2 * precision * recall / (precision + recall)
      let overlaps = pairs.map { reference[$0.reference].overlap(with: estimate[$0.estimate]) }
      let overlap = overlaps.isEmpty ? 0 : overlaps.reduce(0, +) / Double(overlaps.count)
      return Array(zip(names, [precision, recall, f, overlap])).map { ($0.0, $0.1) }
    }
    named =
      rates("Precision", "Recall", "F-measure", "Average_Overlap_Ratio") {
        startsRight($0, $1) && hasPitch($0, $1) && endsRight($0, $1)
      }
      + rates(
        "Precision_no_offset", "Recall_no_offset", "F-measure_no_offset",
        "Average_Overlap_Ratio_no_offset"
      ) { startsRight($0, $1) && hasPitch($0, $1) }
      + rates("Onset_Precision", "Onset_Recall", "Onset_F-measure", fits: startsRight)
      + rates("Offset_Precision", "Offset_Recall", "Offset_F-measure", fits: endsRight)
  }
}

extension SungNote {
  /// Share of the time of either note in which both last.
  fileprivate func overlap(with other: SungNote) -> Double {
    (min(offsetSeconds, other.offsetSeconds) - max(onsetSeconds, other.onsetSeconds))
      / (max(offsetSeconds, other.offsetSeconds) - min(onsetSeconds, other.onsetSeconds))
  }
}

/// The largest set of pairs of notes that fit, each note in one pair at most.
///
/// Searches in the order of mir_eval, so that of several largest sets it finds the same one.
///
/// - Source: Hopcroft and Karp, "An n^5/2 algorithm for maximum matchings in bipartite graphs", SIAM
///   Journal on Computing 2, 1973.
private struct NoteMatching {
  /// Indices, by rising reference.
  private(set) var pairs: [(reference: Int, estimate: Int)] = []
  /// The estimates that fit any reference, in order of the first.
  private var estimates: [Int] = []
  /// References that each of them fits.
  private var fitting: [Int: [Int]] = [:]
  private var matched: [Int: Int] = [:]  // estimate of each reference

  init(_ reference: [SungNote], _ estimate: [SungNote], fits: (SungNote, SungNote) -> Bool) {
    for (i, wanted) in reference.enumerated() {
      for (j, found) in estimate.enumerated() where fits(wanted, found) {
        if fitting[j] == nil { estimates.append(j) }
        fitting[j, default: []].append(i)
      }
    }
    for j in estimates {
      if let i = fitting[j]!.first(where: { matched[$0] == nil }) { matched[i] = j }
    }
    while augment() {}
    pairs = matched.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Extends the set along shortest alternating paths; returns false if there is none.
  private mutating func augment() -> Bool {
    /// The estimates that lead to each reference in the layer before.
    var leading: [Int: [Int]] = [:]
    /// The reference through which a path reaches an estimate; `nil` for one that is free.
    var through: [Int: Int?] = [:]
    let taken = Set(matched.values)
    var layer = estimates.filter { !taken.contains($0) }
    for j in layer { through[j] = .some(nil) }
    var free: [Int] = []
    while !layer.isEmpty, free.isEmpty {
      var (next, order): ([Int: [Int]], [Int]) = ([:], [])
      for j in layer {
        for i in fitting[j]! where leading[i] == nil {
          if next[i] == nil { order.append(i) }
          next[i, default: []].append(j)
        }
      }
      layer = []
      for i in order {
        leading[i] = next[i]
        if let j = matched[i] {
          layer.append(j)
          through[j] = .some(i)
        } else {
          free.append(i)
        }
      }
    }
    func rematch(_ i: Int) -> Bool {
      for j in leading.removeValue(forKey: i) ?? [] {
        guard let before = through.removeValue(forKey: j) else { continue }
        if before.map(rematch) ?? true {
          matched[i] = j
          return true
        }
      }
      return false
    }
    for i in free { _ = rematch(i) }
    return !free.isEmpty
  }
}
