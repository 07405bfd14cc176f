import Foundation
import Harmonizer

/// Measures each engine's cost beside plain delay lines in C, a lean one and one as in apps, in the
/// processor time of this thread.
///
/// Every round runs every subject once over the same phrase, in blocks, starting with another
/// subject each time, so that other load on the machine affects all equally. Other load only adds
/// time, so the least of the rounds is nearest to the engine's own cost; the median shows a typical
/// round. The 99.9th percentile of a block is given twice: over all blocks of all rounds, and over
/// the least time of each block in any round, which is the engine's own.
@main struct EngineCost {
  static let blockSize = 128
  static let voiceCounts = [4, 16]
  static let shifts = [4.0, 7, -5, 12]

  static func main() throws {
    let words = CommandLine.arguments.dropFirst()
    guard words.count <= 1, let rounds = Int(words.first ?? "9"), (3...1000).contains(rounds) else {
      FileHandle.standardError.write(Data("engine-cost [ROUNDS], 3 to 1000; 9 unless given\n".utf8))
      exit(64)
    }
    let phrase = Phrase.samples()
    let seconds = Double(phrase.count) / Phrase.sampleRateHz
    print("\(rounds) rounds of \(Int(seconds)) s, blocks of \(blockSize) at 48 kHz\n")
    for voices in voiceCounts {
      let subjects = try subjects(voices)
      var times = Array(repeating: [[Double]](), count: subjects.count)
      for round in 0..<rounds {
        for turn in subjects.indices {
          let at = (turn + round) % subjects.count
          times[at].append(blockSeconds(subjects[at].subject, phrase))
        }
      }
      print(table(voices, subjects.map(\.name), times, seconds))
    }
  }

  static func subjects(_ voices: Int) throws -> [(name: String, subject: any Subject)] {
    let shifts = (0..<voices).map { voice -> Double in
      Self.shifts[voice % 4] - 0.1 * Double(voice / 4)
    }
    let rateHz = Phrase.sampleRateHz
    func psola(_ settings: PSOLA.Settings) throws -> any Subject {
      BankSubject(
        try PSOLABank(shiftsSemitones: shifts, settings, sampleRateHz: rateHz),
        blockSize: blockSize)
    }
    let delayLine = try DelayLineBank(
      shiftsSemitones: shifts, DelayLineShifter.Settings(), sampleRateHz: rateHz)
    let vocoder = try Vocoder(shiftsSemitones: shifts, Vocoder.Settings(), sampleRateHz: rateHz)
    return [
      ("lean delay lines in C", LeanDelayLinesInC(shiftsSemitones: shifts, blockSize: blockSize)),
      ("delay lines in C", DelayLinesInC(shiftsSemitones: shifts, blockSize: blockSize)),
      ("delayline", BankSubject(delayLine, blockSize: blockSize)),
      ("psola", try psola(PSOLA.Settings())),
      ("psola without look-ahead", try psola(PSOLA.Settings { $0.lookAheadPeriods = 0 })),
      ("vocoder", BankSubject(vocoder, blockSize: blockSize)),
    ]
  }

  /// The processor time of each block of the phrase.
  static func blockSeconds(_ subject: any Subject, _ phrase: [Float]) -> [Double] {
    subject.reset()
    return stride(from: 0, to: phrase.count, by: blockSize).map { start in
      let before = ThreadClock.seconds
      subject.process(phrase, start..<min(start + blockSize, phrase.count))
      return ThreadClock.seconds - before - ThreadClock.ownSeconds
    }
  }

  static func table(
    _ voices: Int, _ names: [String], _ times: [[[Double]]], _ seconds: Double
  ) -> String {
    var rows = [
      "| \(voices) voices | share of real time, least | median | ratio to lean C, least | median"
        + " | ratio to C, least | block p99.9, µs | of all rounds |",
      "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    let totals = times.map { $0.map { $0.reduce(0, +) / seconds } }
    for (index, name) in names.enumerated() {
      let ratios = zip(totals[index], totals[0]).map { $0 / $1 }
      let least = totals[index].min() ?? 0
      let own = (0..<times[index][0].count).map { block in
        times[index].map { $0[block] }.min() ?? 0
      }
      let figures: [(Double, Int)] = [
        (least, 5), (quantile(totals[index], 0.5), 5), (least / (totals[0].min() ?? 1), 2),
        (quantile(ratios, 0.5), 2), (least / (totals[1].min() ?? 1), 2),
        (1e6 * quantile(own, 0.999), 0),
        (1e6 * quantile(times[index].flatMap(\.self), 0.999), 0),
      ]
      let cells = figures.map { String(format: "%.\($0.1)f", $0.0) }
      rows.append("| \(name) | \(cells.joined(separator: " | ")) |")
    }
    return rows.joined(separator: "\n") + "\n"
  }

  static func quantile(_ values: [Double], _ share: Double) -> Double {
    let sorted = values.sorted()
    let place = share * Double(sorted.count - 1)
    let (low, high) = (sorted[Int(place)], sorted[min(Int(place) + 1, sorted.count - 1)])
    return low + (place - place.rounded(.down)) * (high - low)
  }
}

/// The processor time of this thread.
enum ThreadClock {
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// The time between two consecutive readings, to be subtracted.
  static let ownSeconds: Double = {
    let pairs = (0..<1000).map { _ in
      let before = seconds
      return seconds - before
    }
    return EngineCost.quantile(pairs, 0.5)
  }()
}
