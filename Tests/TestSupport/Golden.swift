import Foundation

/// Reads a JSON file of `Tests/Golden`; the script that made it is named inside.
package func golden<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value {
  try JSONDecoder().decode(type, from: Data(contentsOf: Repository.file("Tests/Golden/\(name)")))
}
