import Foundation

/// Reads a JSON file of `Tests/Golden`; the script that made it is named inside.
package func golden<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value {
  let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
  return try JSONDecoder().decode(
    type, from: Data(contentsOf: tests.appendingPathComponent("Golden/\(name)")))
}
