import Foundation

/// The environment of a program under test: a few variables that every program needs, and those that
/// the subject's file names.
package enum ChildEnvironment {
  /// Variables for the paths of programs, home and temporary files, and for the locale.
  static let names = [
    "PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE",
    "LC_NUMERIC",
  ]

  /// The variables of `names` that are set.
  package static var passedOn: [String: String] { ofThisProcess.filter { names.contains($0.key) } }

  /// All variables, for programs of this package.
  package static var ofThisProcess: [String: String] { ProcessInfo.processInfo.environment }
}
