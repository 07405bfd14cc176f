/// A reference to one value that cannot be copied: the place of an engine whose owner moves.
public final class Box<Value: ~Copyable> {
  public var value: Value

  public init(_ value: consuming Value) { self.value = value }
}
