import ArgumentParser
import Foundation

/// Paths of the corpus and of the results.
package struct StoreOptions: ParsableArguments {
  private static let defaults = (corpus: Installation.corpus, store: "Reports/results.sqlite")

  @Option(help: "Corpus folder, with manifest.csv and audio.", completion: .directory)
  package var corpus = Self.defaults.corpus
  @Option(
    help: "SQLite file of results; stored cells are not computed again.", completion: .store)
  package var store = Self.defaults.store

  package init() {}

  package var corpusFolder: URL { URL(fileURLWithPath: corpus) }
  package var storeFile: URL { URL(fileURLWithPath: store) }

  /// True if another store than the default is named.
  package var hasOwnStore: Bool { store != Self.defaults.store }

  /// Options that make another command use the same files; empty for the defaults.
  package var words: [String] {
    (store == Self.defaults.store ? [] : ["--store", store]) + Self.words(corpus: corpus)
  }

  package static func words(corpus: String) -> [String] {
    corpus == Self.defaults.corpus ? [] : ["--corpus", corpus]
  }
}
