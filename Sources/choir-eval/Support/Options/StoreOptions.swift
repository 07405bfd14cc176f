import ArgumentParser
import Foundation

/// Where the corpus and the results are.
struct StoreOptions: ParsableArguments {
  private static let usual = (corpus: Installation.corpus, store: "Reports/results.sqlite")

  @Option(help: "Folder that holds manifest.csv and audio.", completion: .directory)
  var corpus = Self.usual.corpus
  @Option(
    help: "SQLite file of results; what is there is not computed again.", completion: .store)
  var store = Self.usual.store

  var corpusFolder: URL { URL(fileURLWithPath: corpus) }
  var storeFile: URL { URL(fileURLWithPath: store) }

  /// What another command has to be told to find the same; nothing where it would by itself.
  var words: [String] {
    (store == Self.usual.store ? [] : ["--store", store]) + Self.words(corpus: corpus)
  }

  static func words(corpus: String) -> [String] {
    corpus == Self.usual.corpus ? [] : ["--corpus", corpus]
  }
}
