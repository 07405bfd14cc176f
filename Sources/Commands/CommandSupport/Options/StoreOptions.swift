import ArgumentParser
import Corpus
import Foundation

/// The folder of the corpus.
package struct CorpusOption: ParsableArguments {
  @Option(help: "Corpus folder, with manifest.csv and audio.", completion: .directory)
  package var corpus = Installation.corpus

  package init() {}

  package var folder: URL { URL(fileURLWithPath: corpus) }
  /// Folder of the files that describe subjects.
  package var subjects: URL { folder.appendingPathComponent("subjects") }

  package func read() throws -> Corpus { try Corpus(folder: folder) }

  /// Options that make another command use the same corpus; empty for the default.
  package var words: [String] { corpus == Installation.corpus ? [] : ["--corpus", corpus] }
}

/// Paths of the corpus and of the results.
package struct StoreOptions: ParsableArguments {
  private static let defaultStore = "Reports/results.sqlite"

  @OptionGroup package var place: CorpusOption
  @Option(help: "SQLite file of results; stored cells are not computed again.", completion: .store)
  package var store = Self.defaultStore

  package init() {}

  package var storeFile: URL { URL(fileURLWithPath: store) }

  /// Options that make another command use the same files; empty for the defaults.
  package var words: [String] {
    (store == Self.defaultStore ? [] : ["--store", store]) + place.words
  }
}
