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

/// Expects an error whose text has these words, and returns the text.
@discardableResult public func expectError(
  _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ work: () throws -> Any
) -> String {
  let error = #expect(throws: (any Error).self, "\(words)", sourceLocation: sourceLocation) {
    _ = try work()
  }
  guard let error else { return "" }
  let text = (error as? YAMLProblem)?.text ?? "\(error)"
  #expect(text.contains(words), "\(text)", sourceLocation: sourceLocation)
  return text
}
