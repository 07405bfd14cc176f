import Foundation

/// An error inside another error. It becomes text only when the outer one is printed or stored.
///
/// Two causes are equal if they read the same.
public struct Cause: Error, Equatable, CustomStringConvertible {
  public let error: any Error

  public init(_ error: any Error) { self.error = error }

  public var description: String { errorText(error) }

  public static func == (one: Cause, other: Cause) -> Bool {
    one.description == other.description
  }
}

/// Returns the text of an error for people. The system's errors become a sentence with the path and
/// the reason.
package func errorText(_ error: any Error) -> String {
  guard error is CocoaError || error is POSIXError || type(of: error) == NSError.self else {
    return "\(error)"
  }
  let facts = error as NSError
  let deepest = facts.userInfo[NSUnderlyingErrorKey] as? NSError ?? facts
  let reason =
    deepest.domain == NSPOSIXErrorDomain
    ? String(cString: strerror(Int32(deepest.code))) : facts.localizedDescription
  let path =
    facts.userInfo[NSFilePathErrorKey] as? String
    ?? (facts.userInfo[NSURLErrorKey] as? URL)?.path
  return (path.map { "\($0): " } ?? "") + reason
    + "; check the path, its permissions and the free space"
}
