import Foundation

/// Both ends of a pipe or socket; an end is closed with this object unless it was taken.
final class Endpoints {
  private(set) var ours: Int32
  private(set) var theirs: Int32

  /// A pipe that is read here.
  init(pipeFor program: String) throws(ChildProcess.Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .notStarted(program, code: errno) }
    // A program that starts meanwhile inherits them, but its supervisor closes all that it does not know.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (ours, theirs) = (ends[0], ends[1])
  }

  /// A socket for both directions. Unlike a pipe without a reader, it lets this process live.
  init(socketFor program: String) throws(ChildProcess.Failure) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .notStarted(program, code: errno) }
    (ours, theirs) = (ends[0], ends[1])
  }

  deinit {
    closeTheirs()
    if ours >= 0 { close(ours) }
  }

  func closeTheirs() {
    if theirs >= 0 { close(theirs) }
    theirs = -1
  }

  func releaseOurs() -> FileDescriptor {
    defer { ours = -1 }
    return FileDescriptor(ours)
  }
}
