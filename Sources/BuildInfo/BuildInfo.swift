/// The version, commit and kind of this build.
public enum BuildInfo {
  public static let version = "0.1.0"

  /// Twelve digits of the commit, followed by `+changes` if files differed from it; `unknown` if
  /// the sources were not a git checkout.
  public static var commit: String { notedCommit() }

  /// `debug build` or `release build`.
  public static var kind: String {
    #if DEBUG
      "debug build"
    #else
      "release build"
    #endif
  }

  /// `0.1.0 (commit 0123456789ab, release build)`.
  public static var description: String { "\(version) (commit \(commit), \(kind))" }
}
