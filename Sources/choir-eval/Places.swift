import ArgumentParser
import Foundation

/// Where the corpus and the results are.
struct Places: ParsableArguments {
  @Option(help: "Folder that holds manifest.csv and audio.") var corpus = "Corpus"
  @Option(help: "SQLite file of results; what is there is not computed again.")
  var store = "Reports/results.sqlite"

  var corpusFolder: URL { URL(fileURLWithPath: corpus) }
  var storeFile: URL { URL(fileURLWithPath: store) }
}
