import Foundation
import Platform

/// A child process that exchanges lines of text with this one; it ends with this object.
final class LineProtocolProcess {
  enum Failure: Error, Equatable, CustomStringConvertible {
    case program(String, ChildProcess.Failure)
    case unexpected(String, line: String, wanted: String)

    var description: String {
      switch self {
      case .program(let program, let failure): "'\(program)' did not answer: \(failure)"
      case .unexpected(let program, let line, let wanted):
        "'\(program)' wrote '\(line)', expected \(wanted)"
      }
    }
  }

  private let program: String
  private let connection: SupervisedConnection

  init(_ arguments: [String], timeoutSeconds: Int) throws {
    program = arguments[0]
    do {
      connection = try SupervisedConnection(
        program, Array(arguments.dropFirst()), ChildEnvironment.ofThisProcess,
        folder: SelfProcess.folder, memoryMB: 0, timeoutSeconds: Double(timeoutSeconds))
    } catch let failure as ChildProcess.Failure { throw Failure.program(program, failure) }
  }

  func write(_ line: String) throws {
    let bytes = Array("\(line)\n".utf8)
    do { try bytes.withUnsafeBytes { try connection.write($0) } } catch {
      throw failure(error)
    }
  }

  /// Waits for the next line.
  func line() throws -> String {
    do { return try connection.line() } catch { throw failure(error) }
  }

  private func failure(_ error: any Error) -> any Error {
    (error as? ChildProcess.Failure).map { Failure.program(program, $0) } ?? error
  }
}
