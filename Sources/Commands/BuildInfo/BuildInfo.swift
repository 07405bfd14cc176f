/// The version, commit and sources of this build.
public enum BuildInfo {
  public static let version = "0.1.0"

  /// Twelve digits of the commit, followed by `+changes` if files differed from it; `unknown` if
  /// the sources were not a git checkout.
  public static var commit: String { notedCommit() }

  /// SHA-256 of the sources that render and measure cells.
  public static var sources: String { notedSources() }
}
