import Corpus
import EvaluationSupport
import Testing

@testable import Probes
@testable import Subjects

/// Each drift is found by its name, and nothing else is.
@Suite struct SoakProbeTests {
  private func poor(
    _ subject: any Subject, settings: SubjectSettings = [:], minutes: Double = 1
  ) throws -> [ProbeFinding] {
    try SubjectProbe(
      of: ProbeBench(subject, settings: settings), aspects: [.soak], soakMinutes: minutes
    ).findings.filter { $0.verdict == .poor }
  }

  /// One sample an hour later, 1 dB an hour softer, 10 kB a minute larger, and slower.
  @Test(
    .enabled(if: ToyPlugin.compiler != nil, "no C compiler: apt-get install gcc"),
    arguments: [
      ("NONE", nil, 0...0), ("DRIFTS", "delay", 0.9...1.1), ("CREEPS", "delay", -1.1...(-0.9)),
      ("FADES", "level", -1.05...(-0.95)),
      ("LEAKS", "memory", 0.5...0.7), ("SLOWS", "time", 100...1e6),
    ] as [(String, String?, ClosedRange<Double>)])
  func aDriftHasItsName(fault: String, name: String?, perHour: ClosedRange<Double>) throws {
    let toy = ToyPlugin()
    // Other work on the machine moves the time of a block.
    let poor = try poor(toy.ladspa(fault).judged).filter { $0.name != "time" || name == "time" }
    #expect(poor.map(\.name) == [name].compactMap(\.self), "\(poor)")
    if let slope = poor.first?.value { #expect(perHour.contains(slope), "\(slope)") }
  }

  @Test(
    .enabled(if: ToyPlugin.compiler != nil, "no C compiler: apt-get install gcc"),
    arguments: [("GOES_FLAT", -10.0), ("GOES_SHARP", 10)])
  func aShifterThatLeavesItsPitchIsFound(fault: String, centsPerHour: Double) throws {
    let toy = ToyPlugin()
    let pitch = try #require(try poor(toy.shifter(fault).judged).first { $0.name == "pitch" })
    #expect(try abs(#require(pitch.value) - centsPerHour) < 2)
  }

  /// Engines in this process share its heap and its processor with other tests.
  @Test(arguments: ["psola", "vocoder", "delayline"])
  func theSoundOfTheReferenceStays(engine: String) throws {
    let poor = try poor(Subjects.subject(id: engine))
    #expect(poor.allSatisfy { ["memory", "time"].contains($0.name) }, "\(poor)")
  }

  /// A major third up, a window of 968 samples is swept in 3,724: 32.995 times in the 122,880 of a phrase. If
  /// phrases followed each other at once, the sweep would stand 1/200 of itself later each time, a quarter in
  /// two minutes.
  @Test func aSweepInStepWithPhrasesIsNoDrift() throws {
    let poor = try poor(
      Subjects.subject(id: "delayline"),
      settings: ["windowMs": .number(968.0 / 48), "crossfadeMs": .number(5)], minutes: 2)
    #expect(poor.allSatisfy { ["memory", "time"].contains($0.name) }, "\(poor)")
  }

  /// Second source: scipy.stats.linregress has a slope of 8 / 7 with a standard error of 0.082479, and
  /// scipy.stats.t.ppf(0.9995, 4) is 8.6103.
  @Test func theIntervalIsThatOfALine() {
    let line = DriftLine([0, 1, 2, 3, 4, 6].enumerated().map { (Double($0), $1) })
    #expect(abs(line.slope - 1.142857) < 1e-5)
    #expect(abs(line.upper - line.slope - 8.6103 * 0.082479) < 1e-3)
  }
}
