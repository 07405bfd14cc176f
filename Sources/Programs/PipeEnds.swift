import ChildSupervisor
import Foundation

/// A pipe, closed with this object.
final class PipeEnds {
  let read: Int32
  private(set) var write: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard child_pipe(&ends) == 0 else {
      throw ChildProcess.Failure.notStarted("pipe", reason: String(cString: strerror(errno)))
    }
    (read, write) = (ends[0], ends[1])
  }

  func closeWrite() {
    if write >= 0 { close(write) }
    write = -1
  }

  deinit {
    closeWrite()
    close(read)
  }
}
