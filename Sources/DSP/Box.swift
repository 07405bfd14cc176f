/// A reference to one noncopyable value, for an engine whose owner moves.
public final class Box<Value: ~Copyable> {
  public var value: Value

  public init(_ value: consuming Value) { self.value = value }
}
