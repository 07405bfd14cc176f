import Evaluation

/// Prints on standard output what names and messages of subjects, files and stores may be part of:
/// nothing in it can steer a terminal. In this program in place of Swift's own.
func print(_ item: some CustomStringConvertible, terminator: String = "\n") {
  print(item.description.printable as Any, terminator: terminator)
}

/// Prints text whose own colours stay; what comes from elsewhere was made printable before.
func printPainted(_ text: String) { print(text as Any) }
