/// An error inside another error. It becomes text only when the outer one is printed or stored.
///
/// Two causes are equal if they read the same.
public struct Cause: Error, Equatable, CustomStringConvertible {
  public let error: any Error

  public init(_ error: any Error) { self.error = error }

  public var description: String { "\(error)" }

  public static func == (one: Cause, other: Cause) -> Bool {
    one.description == other.description
  }
}
