import Foundation

/// Reads a file of the golden folder, which all tests share.
func sharedGolden<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value {
  let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  let file = tests.appendingPathComponent("AnalyzerTests/Golden/\(name)")
  return try JSONDecoder().decode(type, from: Data(contentsOf: file))
}
