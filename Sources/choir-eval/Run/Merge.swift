import ArgumentParser
import CommandSupport
import Foundation
import Platform
import Sweep

struct Merge: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Merge the results of several stores, such as the shards of a run.",
    discussion: """
      Use it after running the shards of a plan on several machines. The merged rows are those of \
      one single run, except for times.

        choir-eval merge shard1.sqlite shard2.sqlite --store all.sqlite

      A store that can't be merged leaves the target unchanged. Cells with different numbers in two \
      stores are named: their subject is nondeterministic, or changed without a new version.

      Exit codes: 0 merged; 1 cells differ between stores; 2 could not merge; 64 misuse.
      """)

  @Argument(help: "SQLite files of results.", completion: .store) var stores: [String]
  @Option(help: "SQLite file to merge into; created if it doesn't exist.", completion: .store)
  var store: String
  @Flag(help: "Print the result as JSON.") var json = false

  func run() throws {
    // Checks that all stores exist before the first is merged.
    for part in stores where !FileManager.default.fileExists(atPath: part) {
      throw StoreError.merge(path: part, problem: "no such store; check the path")
    }
    let target = try ResultStore(URL(fileURLWithPath: self.store))
    var sum = MergeOutcome()
    for (index, part) in stores.enumerated() {
      do { sum += try target.merge(URL(fileURLWithPath: part)) } catch {
        if index > 0 {
          Terminal.printError(
            "merged before the error: \(stores[..<index].joined(separator: ", "))")
        }
        throw error
      }
    }
    if json {
      print(
        try JSON.text(
          [
            "schema": "choir-eval.merge/1", "into": store, "cells": sum.cells,
            "shared": sum.shared, "sounds": sum.sounds, "different": sum.different,
          ] as JSONObject))
    } else {
      print("\(store): \(counted(sum.cells, "cell")) added, \(sum.shared) were present already")
    }
    guard sum.different.isEmpty else {
      Terminal.printError(
        "\(sum.different.count) cells differ between two stores, the first is "
          + "\(sum.different[0].prefix(16)): a subject is nondeterministic, or changed its sound "
          + "without a new version; the numbers merged first are kept")
      throw ExitCode(1)
    }
  }
}
