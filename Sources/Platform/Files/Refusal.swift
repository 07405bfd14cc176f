/// An error in words: the problem, its place and the remedy.
///
/// It suits whatever only people tell apart. An error that a program handles is a type of its own.
public struct Refusal: Error, Equatable, CustomStringConvertible {
  public let description: String

  public init(_ text: String) { description = text }

  /// - Parameters:
  ///   - place: a file, or the name of what is refused.
  ///   - line: the line of the file, from 1.
  public init(_ place: String, line: Int? = nil, _ problem: String) {
    self.init(place + (line.map { ":\($0)" } ?? "") + ": " + problem)
  }

  /// Names the place of another error.
  public init(_ place: String, _ cause: any Error) { self.init(place, errorText(cause)) }
}
