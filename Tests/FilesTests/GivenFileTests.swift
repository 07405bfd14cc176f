import Foundation
import Testing

@testable import Files

@Suite struct GivenFileTests {
  @Test func aFileThatCannotBeReadNamesTheWayOut() throws {
    let folder = FileManager.default.temporaryDirectory
    let absent = folder.appendingPathComponent("\(UUID()).json")
    let error = #expect(throws: GivenFile.Unreadable.self) { try GivenFile.data(at: absent) }
    #expect(error?.description == "\(absent.path): there is no such file; check the path")
    let other = #expect(throws: GivenFile.Unreadable.self) { try GivenFile.data(at: folder) }
    #expect(other?.problem == "can't be read; check that it is a file and that you may read it")
  }
}
