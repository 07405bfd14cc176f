import ArgumentParser
import CommandSupport
import Corpus
import Foundation

extension CorpusCommand {
  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Import a data set with its ground truth and its licence.",
      discussion: """
        Use it to test on a published data set that you have downloaded. The data sets are \
        \(Dataset.all.map(\.name).joined(separator: ", ")). 'generic' is any folder of sound files \
        with annotations beside them: NAME.f0.csv, NAME.notes.csv, NAME.phones.csv, \
        NAME.words.csv, NAME.lyrics.txt, NAME.TextGrid, NAME.lab or NAME.txt.

          choir-eval corpus import vocadito ~/Downloads/vocadito --limit 10

        Recordings with missing parts are named, and the rest is imported. A failed import changes \
        nothing.
        """)

    @Argument(help: "Name of the data set.", completion: .datasets) var dataset: String
    @Argument(help: "Folder of the unpacked data set.", completion: .directory)
    var source: String
    @OptionGroup var place: CorpusOption
    @Flag(help: "Print JSON.") var json = false
    @Option(help: "Import this many recordings, spread over the data set.", in: 1...1_000_000)
    var limit: Int?
    @Flag(help: "Link to the sound files instead of copying them.") var link = false
    @Option(help: "Licence (SPDX) of your copy, if it differs from the published one.")
    var licence: String?
    @OptionGroup var quietness: Quietness

    func validate() throws {
      if let licence {
        do { _ = try Licence(licence) } catch { throw ValidationError("--licence: \(error)") }
      }
    }

    func run() throws {
      let known: Dataset
      do { known = try Dataset.named(dataset) } catch { throw ValidationError("\(error)") }
      let work = DatasetImport(
        known, from: URL(fileURLWithPath: source), limit: limit, linksSound: link,
        licence: licence)
      var bar: ProgressBar?
      let report = try work.run(into: place.folder) { done, total, id in
        if bar == nil { bar = ProgressBar(total: total + 1) }
        bar?.advance(to: id)
      }
      print(json ? try JSON.text(report) : Self.text(report))
    }

    private static func text(_ report: ImportReport) -> String {
      var lines = [
        "\(report.imported.count) of \(report.found) recordings of \(report.dataset) imported"
          + (report.present.isEmpty ? "" : ", \(report.present.count) were present already"),
        "licence: \(report.licence)"
          + ((try? Licence(report.licence)).map { ", \($0.inWords)" } ?? ""),
      ]
      let truth = report.annotated.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      lines.append("truth: " + (truth.isEmpty ? "none" : truth.joined(separator: ", ")))
      lines += list("missing", report.missing)
      lines += list("left out", report.refused.map { "\($0.id): \($0.reason)" })
      lines += list("remarks", report.remarks.map { "\($0.id): \($0.reason)" })
      return lines.joined(separator: "\n")
    }

    /// Lists the first ten items; `--json` has all of them.
    private static func list(_ title: String, _ items: [String]) -> [String] {
      guard !items.isEmpty else { return [] }
      let rest = items.count > 10 ? ["  and \(items.count - 10) more (--json names them)"] : []
      return ["\(title): \(items.count)"] + items.prefix(10).map { "  " + $0 } + rest
    }
  }
}

extension Licence {
  /// The licence's consequence for a report.
  var inWords: String {
    switch redistribution {
    case .free:
      needsAttribution ? "reports may include the audio with a credit" : "no conditions"
    case .noncommercial: "non-commercial reports may include the audio with a credit"
    case .none: "reports must not include the audio"
    }
  }
}
