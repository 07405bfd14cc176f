/// Joins a number and a noun: "1 cell", "2 cells".
package func count(_ number: Int, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}
