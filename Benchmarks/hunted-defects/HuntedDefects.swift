import DSP
import Foundation
import Hunting
import Subjects

/// Hunts toy harmonizers, each with one of ten planted defects, and counts what is found.
///
/// A defect counts as found if a finding of its kind is gone when the sound toy renders the recipe:
/// a fault of the toy itself is none of the defect.
@main struct HuntedDefects {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 3, let seconds = Double(words[0]), let jobs = Int(words[1]),
      let seed = UInt64(words[2])
    else {
      FileHandle.standardError.write(Data("hunted-defects SECONDS JOBS SEED [NUMBER ...]\n".utf8))
      exit(64)
    }
    try await DefectHunt(
      seconds: seconds, jobs: jobs, seed: seed, chosen: words.dropFirst(3).compactMap { Int($0) }
    ).run()
  }
}

/// The hunts of all chosen toys, one after the other.
struct DefectHunt: Sendable {
  var seconds: Double
  var jobs: Int
  var seed: UInt64
  /// Numbers of defects from 1; none for all.
  var chosen: [Int]

  func run() async throws {
    let sound = try HuntBench(DefectiveToy())
    print("defect\tshare\tkind\tfound\tsounds\tseconds\taway\tsound_s\trecipe")
    var found = 0
    let shares = try Self.shares()
    for (index, defect) in PlantedDefect.all.enumerated()
    where chosen.isEmpty || chosen.contains(index + 1) {
      let share = shares[index]
      let bench = try HuntBench(DefectiveToy(defect: defect))
      var settings = Hunt.Settings()
      (settings.seed, settings.seconds, settings.jobs) = (seed, seconds, jobs)
      let hunt = Hunt(bench, settings)
      let start = Date()
      // Ends with the first sound that shows the defect and no fault of the toy itself.
      var seen = 0
      let caught = await hunt.search { caught in
        let new = caught.judged.dropFirst(seen).filter { $0.fault(defect.kind) != nil }
        seen = caught.judged.count
        return new.contains { sound.judge($0.point).fault(defect.kind) == nil }
      } _: { _ in
      }
      let searched = Date().timeIntervalSince(start)
      let findings = await hunt.findings(in: caught) { _ in }
      let own = findings.first { finding in
        finding.kind == defect.kind && sound.judge(finding.after.point).fault(defect.kind) == nil
      }
      found += own == nil ? 0 : 1
      let took = Date().timeIntervalSince(start)
      let recipe = own?.after
      let others = findings.filter { $0.kind != defect.kind }.map(\.kind.rawValue)
      print(
        [
          defect.name, String(format: "%.2f %%", 100 * share), defect.kind.rawValue,
          own == nil ? "no" : String(format: "after %.0f s", searched), "\(caught.judged.count)",
          String(format: "%.0f", took), recipe.map { "\($0.point.awayCount)" } ?? "–",
          recipe.map { String(format: "%.2f", $0.seconds) } ?? "–", recipe?.point.words ?? "–",
          others.isEmpty ? "" : "beside it: \(others.joined(separator: ", "))",
        ].joined(separator: "\t"))
      fflush(nil)
    }
    print("\(found) found")
  }

  /// Returns the share of ordinary performances on which each defect shows.
  private static func shares() throws -> [Double] {
    let shown = try HuntBench.ordinaryInputs(count: 1000, seed: 99) { signal, score in
      let input = PlantedDefect.Input(signal, score)
      return PlantedDefect.all.map { $0.shows(input) }
    }
    return PlantedDefect.all.indices.map { index in
      Double(shown.count { $0[index] }) / Double(shown.count)
    }
  }
}
