import Foundation

/// Returns a number with a fixed count of decimals.
package func fixed(_ value: Double, _ decimals: Int = 1) -> String {
  String(format: "%.\(decimals)f", value)
}
