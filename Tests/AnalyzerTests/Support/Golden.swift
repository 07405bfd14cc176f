import Foundation

/// Decodes a file in the folder `Golden` beside the tests.
func golden<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value {
  let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Golden")
  return try JSONDecoder().decode(
    type, from: Data(contentsOf: folder.appendingPathComponent(name)))
}
