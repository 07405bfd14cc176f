import Platform
import Testing

/// Expects a `Refusal` whose text has these words.
public func expectRefusal(
  _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ work: () throws -> Any
) {
  let error = #expect(throws: Refusal.self, sourceLocation: sourceLocation) { _ = try work() }
  if let error {
    #expect(error.description.contains(words), "\(error)", sourceLocation: sourceLocation)
  }
}
