import Evaluation

/// Prints on standard output what names and messages of subjects, files and stores may be part of:
/// nothing in it can steer a terminal. In this program in place of Swift's own, which doesn't say when
/// a disk is full; what is lost is told when the command ends.
func print(_ item: some CustomStringConvertible, terminator: String = "\n") {
  try? StandardOutput.write(item.description.printable + terminator)
}

/// Prints text whose own colours stay; what comes from elsewhere was made printable before.
func printPainted(_ text: String) { try? StandardOutput.write(text + "\n") }
