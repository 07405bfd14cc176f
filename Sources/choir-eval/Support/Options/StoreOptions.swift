import ArgumentParser
import Foundation

/// Paths of the corpus and of the results.
struct StoreOptions: ParsableArguments {
  private static let defaults = (corpus: Installation.corpus, store: "Reports/results.sqlite")

  @Option(help: "Corpus folder, with manifest.csv and audio.", completion: .directory)
  var corpus = Self.defaults.corpus
  @Option(
    help: "SQLite file of results; stored cells are not computed again.", completion: .store)
  var store = Self.defaults.store

  var corpusFolder: URL { URL(fileURLWithPath: corpus) }
  var storeFile: URL { URL(fileURLWithPath: store) }

  /// Options that make another command use the same files; empty for the defaults.
  var words: [String] {
    (store == Self.defaults.store ? [] : ["--store", store]) + Self.words(corpus: corpus)
  }

  static func words(corpus: String) -> [String] {
    corpus == Self.defaults.corpus ? [] : ["--corpus", corpus]
  }
}
