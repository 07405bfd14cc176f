/// Returns names as a list in a sentence, such as "pitch, tilt and clicks".
package func listed(_ names: [String]) -> String {
  names.count < 2
    ? names.joined() : names.dropLast().joined(separator: ", ") + " and \(names.last!)"
}
