/// A key, pedal or wheel movement with its time in seconds.
public struct NoteEvent: Equatable, Sendable, BitwiseCopyable {
  public typealias Action = KeyAction

  public var atSeconds: Double
  public var action: Action

  public init(atSeconds: Double, _ action: Action) {
    (self.atSeconds, self.action) = (atSeconds, action)
  }
}
