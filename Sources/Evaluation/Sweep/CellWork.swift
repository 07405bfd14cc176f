import Corpus
import DSP
import Foundation
import Metrics
import Platform
import Subjects
import Synchronization

/// The result of a finished cell.
package struct FinishedCell: Sendable {
  package var result: CellResult
  var traces: [VoiceTrace]
}

/// Renders and measures cells, and caches recordings.
package struct CellWork: Sendable {
  let corpus: Corpus
  /// Subjects by id.
  let subjects: [String: any Subject]
  /// Store of the sounds of cells to listen to.
  let sounds: RenderedAudioStore
  /// Keys of the cells that are rendered twice, to learn whether chance moves their subject.
  private let repeated: Set<String>
  let time: WorkTime
  private let recordings: RecordingCache

  package init(
    corpus: Corpus, subjects: [String: any Subject], sounds: RenderedAudioStore,
    repeating repeated: Set<String> = []
  ) {
    self.corpus = corpus
    self.subjects = subjects
    self.sounds = sounds
    self.repeated = repeated
    time = WorkTime()
    recordings = RecordingCache(time: time)
  }

  /// Returns a copy for another subject with the same cached recordings.
  package func with(_ subject: any Subject) -> CellWork {
    CellWork(self, [subject.id: subject], sounds, repeated)
  }

  /// Returns a copy for the subjects and the store of another sweep over the same recordings.
  func with(_ sweep: Sweep) -> CellWork {
    CellWork(self, sweep.subjects, sweep.store.sounds, sweep.repeated)
  }

  private init(
    _ other: CellWork, _ subjects: [String: any Subject], _ sounds: RenderedAudioStore,
    _ repeated: Set<String>
  ) {
    (corpus, time, recordings) = (other.corpus, other.time, other.recordings)
    (self.subjects, self.sounds, self.repeated) = (subjects, sounds, repeated)
  }

  /// Renders and measures a cell. It never throws: an error becomes the cell's result.
  ///
  /// - Parameter voices: voices to judge; by default all.
  package func finish(
    _ cell: Cell, keepingSound: Bool, judging voices: Set<Int>? = nil
  ) async -> FinishedCell {
    var result = CellResult(
      key: cell.key, recording: cell.recording.id, kind: cell.recording.kind,
      condition: cell.condition.canonical, score: cell.score, subject: cell.subjectID,
      settings: cell.settings, sampleRateHz: 0, outcome: .failed(""),
      provenance: subjects[cell.subjectID].map(Provenance.here))
    do {
      let heard = try await recordings.take(cell, from: corpus)
      result.sampleRateHz = heard.recording.signal.sampleRateHz
      let rendering: Rendering
      do { rendering = try render(cell, heard) } catch {
        result.subjectFailure = "\(error)"
        throw error
      }
      (result.note, result.remarks) = (rendering.note, rendering.remarks)
      if repeated.contains(cell.key) {
        result.isRandom = (try? render(cell, heard))?.mix.samples != rendering.mix.samples
        if result.isRandom == true {
          let words = "the output differs from one rendering to the next"
          result.note = [result.note, words].compactMap(\.self).joined(separator: "; ")
        }
      }
      let observation = try await observation(of: cell, heard, rendering, judging: voices)
      let measured = time.note(.judges) {
        let kind = observation.kind(under: cell.condition)
        let unmeasured = subjects[cell.subjectID]?.external?.file.unmeasured ?? [:]
        return cell.metrics.ofRenderings.map { metric in
          let reason =
            unmeasured[metric.id]
            ?? MetricFamily.family(of: metric.id).flatMap { unmeasured[$0.id] }
          let gap = reason.map { [MetricResult.undefined(.notObservable, $0)] }
          return (metric.id, gap ?? metric.results(of: observation, on: kind))
        }
      }
      result.outcome = .measured(Measurements(Dictionary(uniqueKeysWithValues: measured)))
      guard keepingSound else { return FinishedCell(result: result, traces: []) }
      result.sounds = try sounds.keep(
        cell, input: observation.heard, rendering: observation.rendering, oracle: observation.oracle
      )
      return FinishedCell(result: result, traces: observation.traces)
    } catch {
      result.outcome = .failed("\(error)")
      return FinishedCell(result: result, traces: [])
    }
  }

  /// Renders a cell and aligns it, ready for its metrics.
  package func observe(_ cell: Cell) async throws -> Observation {
    let heard = try await recordings.take(cell, from: corpus)
    return try await observation(of: cell, heard, render(cell, heard))
  }

  private func observation(
    of cell: Cell, _ heard: HeardRecording, _ rendering: Rendering,
    judging voices: Set<Int>? = nil
  ) async throws -> Observation {
    let score = ResolvedScore(cell.score, lead: heard.lead)
    let rateHz = heard.recording.signal.sampleRateHz
    let oracle = try await recordings.oracle(of: cell, score, rateHz: rateHz)
    let contract = contract(of: cell, sampleRateHz: rateHz)
    return time.note(.judges) {
      Observation(
        heard.recording, score: score, rendering: rendering, heard: heard.signal, jury: heard.jury,
        oracle: oracle, leadSound: heard.sound, contract: contract, judging: voices,
        subject: cell.subjectID, settings: cell.settings)
    }
  }

  /// Processor time spent so far, on subjects and on judges.
  package var spentSeconds: (subject: Double, judges: Double) { time.spent }

  /// Tests the live contract of a probe cell, if it is to be measured.
  private func contract(of cell: Cell, sampleRateHz: Double) -> Result<LiveContract, Undefined>? {
    let family = Set(Metric.contract.map(\.id))
    guard cell.recording.isProbe,
      cell.metrics.metrics.contains(where: { family.contains($0.id) })
    else { return nil }
    return time.note(.subject) {
      LiveContract.tried(
        on: subjects[cell.subjectID]!, singing: cell.score, settings: cell.subjectSettings,
        sampleRateHz: sampleRateHz)
    }
  }

  /// Runs one round of careful timing and returns it with the sound's duration. It is `nil` if
  /// rendering fails or the sounds were rendered elsewhere.
  ///
  /// - Parameter counting: true to measure memory, which is the same in each round.
  func cost(of cell: Cell, counting: Bool) async -> (round: CostRound, soundSeconds: Double)? {
    guard let heard = try? await recordings.take(cell, from: corpus) else { return nil }
    guard let rendering = try? render(cell, heard), let cpuSeconds = rendering.cpuSeconds
    else { return nil }
    var round = CostRound(cpuSeconds: cpuSeconds, peakMemoryMB: rendering.peakMemoryMB)
    if let live = subjects[cell.subjectID] as? any LiveSubject {
      do {
        round.blocks = try time.note(.subject) {
          try BlockCost(
            of: live, singing: ResolvedScore(cell.score, lead: heard.lead), of: heard.signal,
            settings: cell.subjectSettings,
            counting: counting)
        }
      } catch { round.noBlocks = "\(error)" }
    } else {
      round.noBlocks = "runs in a process of its own: its blocks can't be seen"
    }
    return (round, heard.signal.durationSeconds)
  }

  private func render(_ cell: Cell, _ heard: HeardRecording) throws -> Rendering {
    let score = ResolvedScore(cell.score, lead: heard.lead)
    let request = RenderRequest(
      signal: heard.signal, score: score, settings: cell.subjectSettings,
      recording: cell.recording.id, condition: cell.condition.canonical)
    let subject = subjects[cell.subjectID]!  // cells are created from these
    let rendering = try time.note(.subject) { try subject.renderAfterSilence(request) }
    // A program's processor time is not on this thread.
    if subject.external != nil { time.add(rendering.cpuSeconds ?? 0, to: .subject) }
    try Self.check(rendering, against: heard.signal, voices: score.voices.count)
    return rendering
  }

  /// Checks the form of a rendering; the error names the fault.
  private static func check(
    _ rendering: Rendering, against input: Signal, voices voiceCount: Int
  ) throws {
    func fail(_ problem: String) -> Refusal {
      Refusal("the subject", problem)
    }
    let stems = rendering.stems
    guard stems.isEmpty || stems.count == voiceCount else {
      throw fail("returned \(counted(stems.count, "voice")), expected \(voiceCount)")
    }
    let sides = rendering.stereo.map { [$0.left, $0.right] } ?? []
    for sound in [rendering.mix] + sides + stems {
      guard sound.sampleRateHz == input.sampleRateHz else {
        throw fail("returned \(sound.sampleRateHz) Hz, expected \(input.sampleRateHz) Hz")
      }
      guard sound.count == input.count else {
        throw fail("returned \(sound.count) samples, expected \(input.count)")
      }
      if let bad = sound.firstNonFinite {
        throw fail("returned \(sound.samples[bad]) at sample \(bad)")
      }
    }
  }
}

/// Processor time of the subject and of the judges, that is, the analysis.
final class WorkTime: Sendable {
  enum Worker: Sendable { case subject, judges }

  private let seconds = Mutex<(subject: Double, judges: Double)>((0, 0))

  /// Runs `work` and adds the processor time of this thread.
  func note<Value>(_ worker: Worker, _ work: () throws -> Value) rethrows -> Value {
    let before = ThreadClock.seconds
    defer { add(ThreadClock.seconds - before, to: worker) }
    return try work()
  }

  func add(_ spent: Double, to worker: Worker) {
    seconds.withLock { seconds in
      switch worker {
      case .subject: seconds.subject += spent
      case .judges: seconds.judges += spent
      }
    }
  }

  var spent: (subject: Double, judges: Double) { seconds.withLock { $0 } }
}
