import Corpus
import DSP
import Foundation
import Synchronization
import Testing

@testable import Probes

@Suite struct HuntTests {
  /// A plain sound at an interval that no plain performance of the bench has, or another.
  private func point(_ interval: Double = 6) -> HuntPoint {
    var point = HuntPoint.plain
    point[.interval] = interval
    return point
  }

  @Test(arguments: [
    (PlantedSubject.Fault.dropout, FaultKind.dropout), (.octaveUp, .octaveSlip), (.click, .click),
    (.refusal, .failure),
  ])
  func aFaultIsJudgedWhereItIs(fault: PlantedSubject.Fault, kind: FaultKind) throws {
    let bench = try HuntBench(PlantedSubject(fault: fault) { $1 == 6 })
    #expect(bench.judge(point()).faults.map(\.kind) == [kind])
    #expect(bench.judge(point(5)).faults.isEmpty)
  }

  /// A dropout of 120 ms is twelve times as long as what is just heard, 10 ms; the tracker's window of
  /// 50 ms blurs both ends.
  @Test func aSeverityCountsThresholdsOfHearing() throws {
    let bench = try HuntBench(PlantedSubject(fault: .dropout) { $1 == 6 })
    let fault = try #require(bench.judge(point()).fault(.dropout))
    #expect(7...17 ~= fault.severity)
    // The middle of the muted stretch.
    #expect(abs(fault.atSeconds - 0.56) < 0.03)
  }

  /// Every sixth rendering fails, the next one of the same sound does not: the hunt goes on and counts it.
  @Test func aFailureThatDoesNotRepeatIsCounted() throws {
    let calls = Mutex(0)
    let subject = PlantedSubject(fault: .refusal) { _, _ in
      calls.withLock { count in
        count += 1
        return count % 6 == 0
      }
    }
    let bench = try HuntBench(subject, kinds: [.failure])
    #expect(bench.plainLapses == ["is out of order"])
    var caught = JudgedSounds()
    caught.add((0..<11).map { _ in bench.judge(point()) }, ordinary: 0)
    #expect(!caught.judged.contains { !$0.faults.isEmpty })
    // 7 calls before, and 13 for 11 sounds of which the calls 12 and 18 fail.
    let result = try HuntResult(
      subject: "planted", bench: bench, seed: 1, caught: caught, findings: [],
      command: "choir-eval hunt planted")
    #expect(result.lapses.count == 3)
    #expect(result.lapsesInWords?.hasPrefix("It failed on 3 sounds and not when") == true)
  }

  @Test func onlyTheKindsAskedForAreJudged() throws {
    let subject = PlantedSubject(fault: .octaveUp) { $1 == 6 }
    let bench = try HuntBench(subject, kinds: [.dropout, .failure])
    #expect(bench.judge(point()).faults.isEmpty)
    // No ideal was sung to tell the law of the formants.
    #expect(bench.plain.formants == nil)
  }

  /// The fault needs a high lead and a descending interval; all else is plain after shrinking.
  @Test func aFaultShrinksToWhatItNeeds() async throws {
    let subject = PlantedSubject(fault: .dropout) { hz, semitones in hz > 350 && semitones < 0 }
    let bench = try HuntBench(subject, kinds: [.dropout, .failure])
    var complicated = HuntPoint.plain
    for (parameter, value) in [
      (HuntParameter.voice, 7.0), (.note, 72), (.notes, 1), (.seconds, 1.2), (.vowel, 3),
      (.vibratoCents, 60), (.levelDb, -6), (.interval, -9), (.seed, 40), (.shimmerPercent, 2),
    ] {
      complicated[parameter] = value
    }
    let first = bench.judge(complicated)
    try #require(first.fault(.dropout) != nil)
    let shrinking = Shrinking(kind: .dropout, jobs: 2, combines: true) { bench.judge($0) }
    let after = await shrinking.shrunk(first)
    #expect(Set(after.point.away).subtracting([.seconds]) == [.note, .interval])
    #expect(after.point.awayCount <= 3)
    // F4 is 349 Hz: the lowest note of the search's steps above 350 Hz lies near it.
    #expect(65.5...69 ~= after.point[.note]!)
    #expect(after.point[.interval]! >= -3)
  }

  /// A fault of a soft voice on one vowel and interval, however the softness is reached: a swell and a level
  /// make up for each other, so one of them is enough.
  private func softness(_ point: HuntPoint) -> Judgement {
    let softness = (point[.swellDb] ?? 0) - (point[.levelDb] ?? 0)
    let isFaulty = point[.vowel] == 3 && point[.interval] == -9 && softness >= 20
    let fault = HuntFault(
      kind: .dropout, voice: 0, atSeconds: 0.3, amount: 100, words: "planted", confidence: 1)
    return Judgement(point: point, seconds: 1, faults: isFaulty ? [fault] : [], hints: [])
  }

  private var softPoint: HuntPoint {
    var point = HuntPoint.plain
    for (parameter, value) in [
      (HuntParameter.vowel, 3.0), (.interval, -9), (.swellDb, 12), (.levelDb, -12),
    ] {
      point[parameter] = value
    }
    return point
  }

  @Test func parametersMakeUpForEachOther() async throws {
    let shrinking = Shrinking(kind: .dropout, jobs: 1, combines: true) { softness($0) }
    let after = await shrinking.shrunk(softness(softPoint))
    #expect(after.fault(.dropout) != nil)
    #expect(after.point.awayCount == 3)
    #expect(after.point.away.filter { [.swellDb, .levelDb].contains($0) }.count == 1)
  }

  /// A hunt that is stopped gives what it found.
  @Test func aStoppedHuntIsNotShrunk() async {
    let shrinking = Shrinking(kind: .dropout, jobs: 1, combines: true) { softness($0) }
    let work = Task {
      while !Task.isCancelled { await Task.yield() }
      return await shrinking.shrunk(softness(softPoint)).point
    }
    work.cancel()
    #expect(await work.value == softPoint)
  }

  /// A fault of ten thresholds, where plain performances have more, is not followed to simpler sounds.
  @Test func whatPlainPerformancesShowIsNoFault() async throws {
    let shrinking = Shrinking(kind: .dropout, jobs: 1, combines: true, beyond: 11) { softness($0) }
    #expect(await shrinking.shrunk(softness(softPoint)).point == softPoint)
  }

  /// A generation follows from the seed and those before, whatever the number of jobs.
  @Test func aHuntIsTheSameWithMoreJobs() async throws {
    let subject = PlantedSubject(fault: .click) { hz, _ in hz > 300 }
    let bench = try HuntBench(subject, kinds: [.click, .failure])
    var settings = Hunt.Settings()
    (settings.seed, settings.maxSounds, settings.share) = (3, 14, 2)
    settings.seconds = nil
    settings.jobs = 1
    let one = await Hunt(bench, settings).search { _ in }
    settings.jobs = 2
    let two = await Hunt(bench, settings).search { _ in }
    #expect(one.judged.map(\.point) == two.judged.map(\.point))
    #expect(one.judged.map(\.faults) == two.judged.map(\.faults))
    #expect(one.worst(.click) != nil)
  }

  /// Eight ordinary performances in each generation; a refusal on all of them is a rate of 1.
  @Test func aRateIsThatOfOrdinarySinging() async throws {
    var random = SeededGenerator(seed: 1)
    let space = try HuntSpace(of: PlantedSubject(), settings: [:], axes: [], givesStems: true)
    _ = space.ordinary(&random)
    var caught = JudgedSounds()
    let fault = HuntFault(kind: .click, voice: 0, atSeconds: 0, amount: 2, words: "", confidence: 1)
    let faulty = Judgement(point: .plain, seconds: 1.5, faults: [fault], hints: [])
    let sound = Judgement(point: .plain, seconds: 1.5, faults: [], hints: [])
    // Two ordinary performances, one of them faulty, and a faulty one that is not ordinary.
    caught.add([faulty, sound, faulty], ordinary: 2)
    #expect(caught.rate(.click)?.share == 0.5)
    #expect(caught.ordinaryMinutes == 0.05)
  }
}
