extension KeyedDecodingContainer {
  /// Replaces `value` if the container has one for the key.
  package func read<Value: Decodable>(_ value: inout Value, _ key: Key) throws {
    if let known = try decodeIfPresent(Value.self, forKey: key) { value = known }
  }
}
