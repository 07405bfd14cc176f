import Foundation

/// The presets that come with the harmonizer, by name.
///
/// Nine are those of PitchPerfect, with the values of that app; docs/reference/effects.md#presets has the
/// sources. Degrees are of C major.
public enum PresetBank {
  /// `nil` where there is none of that name.
  public static func preset(named name: String) -> Preset? { all.first { $0.name == name } }

  public static let all: [Preset] = try! JSONDecoder().decode(  // the file is part of the program
    [Preset].self, from: Data(PackageResources.presets_json))
}
