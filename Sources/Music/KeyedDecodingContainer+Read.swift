extension KeyedDecodingContainer {
  /// Reads a value where there is one.
  package func read<Value: Decodable>(_ value: inout Value, _ key: Key) throws {
    if let known = try decodeIfPresent(Value.self, forKey: key) { value = known }
  }
}
