/// Returns a number with its noun, such as "1 cell" and "2 cells".
package func counted(_ count: Int, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}
