/// What this program was built from.
public enum BuildInfo {
  public static let version = "0.1.0"

  /// Twelve digits of the commit, with `+changes` where files differed from it; `unknown` where the
  /// sources were no checkout of git.
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
