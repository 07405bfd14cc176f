import Foundation

/// The build of this toolkit that measures.
///
/// Subjects, judges and synthetic recordings run in the process, so everything that is kept holds the
/// digest of the toolkit that made it. `main` knows its build and runs as it; other
/// programs, such as tests, are known by their executable.
public struct Toolkit: Codable, Hashable, Sendable {
  public var version: String
  /// Commit of the sources; `unknown` outside of a git checkout.
  public var commit: String
  /// `debug build` or `release build`.
  public var kind: String
  /// Digest of the sources on which measurements depend, and of the kind of build. It is the same on
  /// every machine; a commit that changes no such source leaves it.
  public var digest: String

  public init(version: String, commit: String, kind: String, digest: String) {
    (self.version, self.commit, self.kind, self.digest) = (version, commit, kind, digest)
  }

  /// - Parameter sources: digest of the sources on which measurements depend.
  public init(version: String, commit: String, sources: String) {
    self.init(
      version: version, commit: commit, kind: Self.kind,
      digest: Digest.sha256("\(sources) \(Self.kind)"))
  }

  /// Text such as `0.1.0 (commit 0123456789ab, release build)`.
  public var description: String { "\(version) (commit \(commit), \(kind))" }

  /// Text such as `choir-eval 0.1.0 (commit 0123456789ab, release build)`.
  public var program: String { "choir-eval \(description)" }

  /// Kind of this build.
  public static var kind: String {
    #if DEBUG
      "debug build"
    #else
      "release build"
    #endif
  }

  // MARK: This toolkit

  /// The toolkit at work.
  public static var current: Toolkit { chosen ?? ofExecutable }

  @TaskLocal private static var chosen: Toolkit?

  /// The running executable, whose sources are unknown.
  private static let ofExecutable: Toolkit = {
    let file = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return Toolkit(
      version: file.lastPathComponent, commit: "unknown",
      sources: (try? Digest.sha256(ofFile: file)) ?? UUID().uuidString)
  }()

  /// Runs an operation that measures as another toolkit.
  public func run<Value>(
    isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Value
  ) async rethrows -> Value {
    try await Self.$chosen.withValue(self, operation: operation, isolation: isolation)
  }
}
