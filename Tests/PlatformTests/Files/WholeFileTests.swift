import Foundation
import TestSupport
import Testing

@testable import Platform

@Suite struct WholeFileTests {
  private let folder = try! TemporaryFolder()

  @Test func theFileAppearsWithItsEnd() throws {
    let file = try WholeFile(folder.path("a.csv"))
    try file.append(Data("half".utf8))
    // Where the file system has files without names, a kill now leaves nothing at all.
    #expect(!folder.contents.contains("a.csv"))
    try file.append(Data(" and half".utf8))
    try file.finish()
    #expect(try String(contentsOf: folder.file("a.csv"), encoding: .utf8) == "half and half")
    #expect(folder.contents == ["a.csv"])
  }

  @Test func aReplacedFileKeepsItsPermissionsAndLinks() throws {
    try folder.write("old", to: "secret")
    chmod(folder.path("secret"), 0o600)
    symlink("secret", folder.path("link"))
    try WholeFile.write("new", to: folder.path("link"))
    #expect(try String(contentsOf: folder.file("secret"), encoding: .utf8) == "new")
    #expect(FileStatus(folder.path("secret"))?.permissions == 0o600)
    #expect(FileStatus(ofLink: folder.path("link"))?.kind == S_IFLNK)
    #expect(folder.contents == ["link", "secret"])
  }

  @Test func aFailureLeavesTheOldFile() throws {
    try folder.write("old", to: "a")
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try WholeFile.write(to: folder.path("a")) { put in
        try put("new")
        throw Stop()
      }
    }
    #expect(try String(contentsOf: folder.file("a"), encoding: .utf8) == "old")
    #expect(folder.contents == ["a"])
  }

  @Test func linksThatLeadBackAreRefused() throws {
    symlink("loop", folder.path("loop"))
    symlink("b", folder.path("a"))
    symlink("a/x", folder.path("b"))
    for name in ["loop", "a", "b/c", "loop/x"] {
      #expect(throws: WriteError.self) { try WholeFile.write("", to: folder.path(name)) }
      #expect(throws: GivenFile.Unreadable.self) { try GivenFile.data(at: folder.file(name)) }
    }
    #expect(LinkPath.resolved(folder.path("loop")) == nil)
    #expect(folder.contents == ["a", "b", "loop"])
  }

  @Test func devicesAreWrittenDirectly() throws {
    try WholeFile.write("nothing", to: "/dev/null")
    #expect(FileStatus("/dev/null")?.kind == S_IFCHR)
    #expect(throws: WriteError("/dev/full", ENOSPC)) { try WholeFile.write("x", to: "/dev/full") }
  }
}
