import ArgumentParser
import CommandSupport
import DSP
import Foundation
import Platform
import Probes
import Subjects

/// Hunts toy harmonizers, each with one of ten planted defects, and counts what is found.
///
/// Time is the processor's: ten minutes of two cores are the same on a busy machine. A defect
/// counts as found if a finding of its kind is gone when the sound toy renders the recipe: a fault
/// of the toy itself is none of the defect.
struct HuntedDefects: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hunted-defects",
    abstract: "Hunt toy harmonizers with planted defects, and count what is found.")

  @Option(help: "Processor time of each search.") var seconds: Double
  @Option(help: "Sounds to judge at once.", in: Bounds.jobs) var jobs = Bounds.defaultJobs
  @Option(help: "Seed of the searches.", in: Bounds.seed) var seed: UInt64 = 1
  @Argument(help: "Numbers of defects from 1; all unless given.") var defects: [Int] = []

  func run() async throws {
    try await DefectHunt(seconds: seconds, jobs: jobs, seed: seed, chosen: defects).run()
  }
}

/// The hunts of all chosen toys, one after the other.
struct DefectHunt: Sendable {
  /// Processor time of each search, in seconds.
  var seconds: Double
  var jobs: Int
  var seed: UInt64
  /// Numbers of defects from 1; none for all.
  var chosen: [Int]

  func run() async throws {
    let sound = try HuntBench(DefectiveToy())
    print(
      "defect\tshare\tkind\tfound\tsounds\tshown\tsearch_s\tall_s\taway\tsound_s\trecipe\tbeside it"
    )
    var found = 0
    let shares = Self.shares()
    for (index, defect) in ToyDefect.all.enumerated()
    where chosen.isEmpty || chosen.contains(index + 1) {
      let outcome = try await hunt(defect, besides: sound)
      found += outcome.recipe == nil ? 0 : 1
      print(
        ([defect.name, String(format: "%.2f %%", 100 * shares[index])] + outcome.cells)
          .joined(separator: "\t"))
      fflush(nil)
    }
    print("\(found) found")
  }

  private func hunt(_ defect: ToyDefect, besides sound: HuntBench) async throws -> HuntOutcome {
    let shown = Tally()
    let bench = try HuntBench(DefectiveToy(defect: defect, shown: shown))
    var settings = Hunt.Settings()
    (settings.seed, settings.seconds, settings.jobs) = (seed, nil, jobs)
    let hunt = Hunt(bench, settings)
    let start = Self.processorSeconds
    // Ends with the first sound that shows the defect and no fault of the toy itself.
    var seen = 0
    let caught = await hunt.search { caught in
      let new = caught.judged.dropFirst(seen).filter { $0.fault(defect.kind) != nil }
      seen = caught.judged.count
      return new.contains { sound.judge($0.point).fault(defect.kind) == nil }
        || Self.processorSeconds - start > seconds
    } _: { _ in
    }
    let shownInSearch = shown.count
    let searchSeconds = Self.processorSeconds - start
    let findings = await hunt.findings(in: caught, of: [defect.kind]) { _ in }
    let own = findings.first { finding in
      finding.kind == defect.kind && sound.judge(finding.after.point).fault(defect.kind) == nil
    }
    return HuntOutcome(
      defect: defect, recipe: own?.after, sounds: caught.judged.count, shown: shownInSearch,
      searchSeconds: searchSeconds, seconds: Self.processorSeconds - start,
      others: FaultKind.allCases.filter { $0 != defect.kind && caught.worst($0) != nil })
  }

  /// Processor time of this process, in seconds.
  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Returns the share of ordinary performances on which each defect shows.
  private static func shares() -> [Double] {
    var random = SeededGenerator(seed: 99)
    let points = (0..<1000).map { _ in OrdinarySinging.point(&random).normalized }
    let shown = points.concurrentMap { point -> [Bool]? in
      guard let sung = try? SungPoint(point) else { return nil }
      let input = ToyDefect.Input(sung.input, sung.score)
      return ToyDefect.all.map { $0.shows(input) }
    }.compactMap(\.self)
    return ToyDefect.all.indices.map { index in
      Double(shown.count { $0[index] }) / Double(shown.count)
    }
  }
}

/// The hunt of one toy.
struct HuntOutcome {
  var defect: ToyDefect
  /// The simplest sound that shows the defect; `nil` if it was not found.
  var recipe: Judgement?
  var sounds: Int
  /// Number of those on which the defect acted, whether it was heard or not.
  var shown: Int
  var searchSeconds: Double
  /// Time of the search and of shrinking.
  var seconds: Double
  var others: [FaultKind]

  var cells: [String] {
    [
      defect.kind.rawValue, recipe == nil ? "no" : "yes", "\(sounds)", "\(shown)",
      String(format: "%.0f", searchSeconds), String(format: "%.0f", seconds),
      recipe.map { "\($0.point.awayCount)" } ?? "–",
      recipe.map { String(format: "%.2f", $0.seconds) } ?? "–", recipe?.point.words ?? "–",
      others.map(\.rawValue).joined(separator: ", "),
    ]
  }
}
