/// A value that is written as null where it is missing. Synthesized coding would leave out its key.
@propertyWrapper
public struct NullIfMissing<Value: Encodable & Sendable>: Encodable, Sendable {
  public var wrappedValue: Value?

  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
  }
}

extension NullIfMissing: Equatable where Value: Equatable {}
