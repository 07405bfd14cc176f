import Corpus
import Platform

/// The values to try of each setting, in the order of the plan; those of `effects` may be a design
/// (`EffectAxis`).
public struct SettingAxes: Codable, Equatable, Sendable {
  public struct Axis: Codable, Equatable, Sendable {
    public var name: String
    public var values: [SettingValue]
  }

  public var axes: [Axis]

  public init(_ axes: [Axis]) { self.axes = axes }

  public var names: [String] { axes.map(\.name) }

  /// All combinations; the last axis changes fastest.
  package var combinations: [SubjectSettings] {
    axes.reduce([[:]]) { soFar, axis in
      soFar.flatMap { partial in
        axis.values.map { value in partial.merging([axis.name: value]) { $1 } }
      }
    }
  }

  /// Reads a plan's mapping, or the list that `encode` writes.
  public init(from decoder: any Decoder) throws {
    if let list = try? decoder.singleValueContainer().decode([Axis].self) {
      axes = list
    } else {
      let mapping = try decoder.container(keyedBy: Place.self)
      axes = try mapping.allKeys.map { name in
        let values =
          name.stringValue == "effects"
          ? try mapping.decode(EffectAxis.self, forKey: name).values
          : try mapping.decode([SettingValue].self, forKey: name)
        return Axis(name: name.stringValue, values: values)
      }
    }
  }

  /// Writes a list, because JSON loses the order of a mapping.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(axes)
  }
}
