/// Why an import, or the adding of a recording, came to nothing. The corpus is then as it was.
public enum ImportError: Error, Equatable, CustomStringConvertible {
  case unknownDataset(name: String, known: [String])
  case noSuchPlace(path: String)
  /// Nothing at the path looks like the data set.
  case notThisDataset(name: String, path: String, expected: [String], found: [String])
  case noUnzip
  case archive(path: String, problem: String)
  case linkIntoArchive(path: String)
  /// Not one clip could be taken; the reasons of the first few.
  case nothingImported(name: String, reasons: [String])
  case sameID(id: String, first: String, second: String)
  case fileInTheWay(path: String)
  case idTaken(id: String)
  case row(problem: String)
  case write(path: String, problem: String)

  public var description: String {
    switch self {
    case .unknownDataset(let name, let known):
      "there is no importer for '\(name)'; there are \(known.joined(separator: ", "))"
    case .noSuchPlace(let path): "\(path) is neither a folder nor a ZIP file"
    case .notThisDataset(let name, let path, let expected, let found):
      "\(path) does not look like \(name): expected \(expected.joined(separator: " and ")) in it "
        + "or at most three folders down; found "
        + (found.isEmpty ? "nothing" : found.joined(separator: ", "))
    case .noUnzip: "unzip is not installed; apt-get install unzip, or give an unpacked folder"
    case .archive(let path, let problem):
      "\(path) can't be read as a ZIP file: \(problem); unpack it and give the folder"
    case .linkIntoArchive(let path):
      "\(path) is an archive, into which no link can lead; leave out --link, or unpack it"
    case .nothingImported(let name, let reasons):
      "not one recording of \(name) could be imported: \(reasons.joined(separator: "; "))"
    case .sameID(let id, let first, let second):
      "\(first) and \(second) would both be '\(id)'; rename one"
    case .fileInTheWay(let path):
      "\(path) is there already and not in the manifest; move it away (corpus verify names all such)"
    case .idTaken(let id): "the corpus has a recording '\(id)' already; choose another with --id"
    case .row(let problem): problem
    case .write(let path, let problem):
      "\(path) could not be written: \(problem); the corpus is as it was"
    }
  }
}
