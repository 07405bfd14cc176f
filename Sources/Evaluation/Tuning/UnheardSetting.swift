import Corpus

/// A parameter whose values make no difference that is heard.
public struct UnheardSetting: Encodable, Equatable, Sendable {
  public var name: String
  /// True if it does not even change the last bit of a sound, so that the program ignores it.
  public var isIgnored: Bool

  /// The parameter in words: `The program ignores window: …`.
  public var words: String {
    isIgnored
      ? "The program ignores \(name): its values give the same sound, so the first stands for all."
      : "\(name) changes nothing that is heard: the audible totals differ by less than "
        + "\(TuneRule.smallestStep) steps."
  }

  /// Least change of level that is heard (Zwicker and Fastl, "Psychoacoustics", 2007, chapter 7).
  private static let smallestLevelDb = 1.0

  /// Returns the parameters that change the audible total by less than a tenth of a step, and the level by less
  /// than a decibel, in every pair of settings that differ in nothing else.
  ///
  /// - Parameter levelsDb: level of the voices of each point; `nil` where it is unknown.
  static func all(of points: [TuneAnswer.Point], levelsDb: [Double?]) -> [UnheardSetting] {
    let names = points.flatMap(\.settings.keys).uniqued().sorted()
    return names.compactMap { name in
      let groups = Dictionary(grouping: points.indices) { index in
        var others = points[index].settings
        others[name] = nil
        return SettingChoice(subject: points[index].subject, settings: others)
      }.values.filter { $0.count > 1 }
      guard !groups.isEmpty else { return nil }
      let isIgnored = groups.allSatisfy { group in
        Set(group.map { points[$0].sameAs ?? $0 }).count == 1
      }
      let isUnheard = groups.allSatisfy { group in
        let faults = group.compactMap { points[$0].faults }
        let levels = group.compactMap { levelsDb[$0] }
        return faults.count == group.count
          && faults.max()! - faults.min()! < TuneRule.smallestStep
          && (levels.max() ?? 0) - (levels.min() ?? 0) < smallestLevelDb
      }
      return isIgnored || isUnheard ? UnheardSetting(name: name, isIgnored: isIgnored) : nil
    }
  }
}
