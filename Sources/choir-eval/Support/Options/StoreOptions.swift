import ArgumentParser
import Foundation

/// Paths of the corpus and of the results.
struct StoreOptions: ParsableArguments {
  private static let usual = (corpus: Installation.corpus, store: "Reports/results.sqlite")

  @Option(help: "Corpus folder, with manifest.csv and audio.", completion: .directory)
  var corpus = Self.usual.corpus
  @Option(
    help: "SQLite file of results; stored cells are not computed again.", completion: .store)
  var store = Self.usual.store

  var corpusFolder: URL { URL(fileURLWithPath: corpus) }
  var storeFile: URL { URL(fileURLWithPath: store) }

  /// Options that make another command use the same files; empty for the defaults.
  var words: [String] {
    (store == Self.usual.store ? [] : ["--store", store]) + Self.words(corpus: corpus)
  }

  static func words(corpus: String) -> [String] {
    corpus == Self.usual.corpus ? [] : ["--corpus", corpus]
  }
}
