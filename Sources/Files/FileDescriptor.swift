import Foundation

/// An open file or socket, closed with its last reference.
package final class FileDescriptor: Sendable {
  package let number: Int32

  /// - Parameter number: an open descriptor, which this object owns from now on.
  package init(_ number: Int32) { self.number = number }

  deinit { close(number) }
}
