import Foundation
import TestSupport
import Testing

@testable import Platform

@Suite struct GivenFileTests {
  @Test func aFileThatCannotBeReadNamesTheWayOut() throws {
    let folder = FileManager.default.temporaryDirectory
    let absent = folder.appendingPathComponent("\(UUID()).json")
    let error = #expect(throws: GivenFile.Unreadable.self) { try GivenFile.data(at: absent) }
    #expect(error?.description == "\(absent.path): there is no such file; check the path")
    let other = #expect(throws: GivenFile.Unreadable.self) { try GivenFile.data(at: folder) }
    #expect(other?.problem == "is a folder; name a file in it")
  }

  /// A pipe without a writer would be waited for.
  @Test(.timeLimit(.minutes(1))) func aPipeIsRefused() throws {
    let folder = try TemporaryFolder()
    mkfifo(folder.path("pipe"), 0o600)
    for path in [folder.path("pipe"), "/dev/zero"] {
      let error = #expect(throws: GivenFile.Unreadable.self) { try GivenFile.open(path) }
      #expect(error?.cause == .special)
    }
  }
}
