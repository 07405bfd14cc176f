import Analyzer
import Corpus
import DSP
import Foundation
import Metrics
import Platform
import Subjects
import Sweep

/// A cell rendered again as its run did, with all its sounds and their analysis.
///
/// - Cost: that of the cell without its metrics, which are measured on request.
public struct CellReplay: Sendable {
  public let cell: CellResult
  public let observation: Observation
  let oracle: Oracle?
  /// The subject as installed now.
  let subject: any Subject

  /// - Parameter run: the run that holds the cell; its plan names the subject files.
  /// - Throws: if the cell failed, or its recording or subject no longer exists.
  public init(of cell: CellResult, of run: StoredRun, in corpus: Corpus) throws {
    if case .failed(let reason) = cell.outcome {
      throw Refusal("the cell", "has no measurements because it failed: \(reason)")
    }
    self.cell = cell
    let entry = try corpus.entry(id: cell.recording)
    let recording = try corpus.recording(entry)
    let condition = try Condition(cell.condition)
    let other = try condition.otherRecording.map {
      try corpus.recording(corpus.entry(id: $0)).signal
    }
    let input = condition.applied(to: recording.signal, other: other)
    let jury = recording.truth == nil ? PitchConsensus.truth(of: recording.signal) : nil
    let lead = recording.truth ?? jury?.track ?? PitchTrack(hopSeconds: 0.005, f0Hz: [])
    let score = ResolvedScore(cell.score, lead: lead)
    let named = run.plan.subjects.lazy.compactMap {
      try? Subjects.subject(id: $0.id, in: corpus.subjectsFolder)
    }.first { $0.id == cell.subject }
    do {
      subject = try named ?? Subjects.subject(id: cell.subject, in: corpus.subjectsFolder)
    } catch {
      let files = run.plan.subjects.map(\.id).filter { $0.hasSuffix(".yaml") && !$0.hasPrefix("/") }
      guard !files.isEmpty else { throw error }
      throw Refusal(
        cell.subject,
        "the run names it by \(files.joined(separator: ", ")), from the folder where it was made; go there"
      )
    }
    let rendering = try subject.renderAfterSilence(
      RenderRequest(
        signal: input, score: score, settings: cell.settings, recording: cell.recording,
        condition: cell.condition))
    oracle = try Oracle.performance(behind: entry).map {
      try Oracle($0, score, sampleRateHz: recording.signal.sampleRateHz)
    }
    observation = Observation(
      recording, score: score, rendering: rendering, heard: input, jury: jury, oracle: oracle,
      subject: cell.subject, settings: cell.settings)
  }

  /// Returns the instants at which a metric is worst.
  ///
  /// - Throws: the reason why there are none, or why the delays of onsets can't be measured.
  public func worst(for metric: Metric, most: Int) throws -> [Explanation.Instant] {
    let family = metric.id.split(separator: ".").first ?? ""
    switch family {
    case "pitch": return observation.outOfTune(most: most)
    case "voice": return observation.missing(most: most)
    case "clicks": return observation.clicks(most: most)
    case "latency" where metric.id == "latency.onset":
      let found = try EventDelay(of: observation.rendering.mix, from: observation.heard)
      let middle = found.estimate.medianMs
      let far = found.measured.sorted { abs($0.1 - middle) > abs($1.1 - middle) }.prefix(most)
      return far.map {
        Explanation.Instant(
          atSeconds: $0.0, voice: nil, value: $0.1, unit: "ms",
          words: "this onset is \(fixed($0.1)) ms late; the median is \(fixed(middle)) ms")
      }
    default:
      throw Refusal("\(metric.id) describes the whole sound and has no instants")
    }
  }
}

extension CellReplay {
  /// Target sound of a voice: the oracle's voice for synthetic recordings, otherwise a hum at the
  /// target pitch.
  public func target(ofVoice voice: Int) -> Signal {
    if let oracle, voice < oracle.stems.count { return oracle.stems[voice].signal }
    let voice = observation.voices[voice]
    return Self.hum(voice.target, like: voice.stem ?? observation.rendering.mix)
  }

  /// True if `target` is the oracle's voice.
  public var hasIdeal: Bool { oracle != nil }

  /// The stem of a voice; the mix where there is none, or for no voice.
  public func sound(ofVoice voice: Int?) -> Signal {
    let stems = observation.rendering.stems
    return voice.flatMap { stems.indices.contains($0) ? stems[$0] : nil }
      ?? observation.rendering.mix
  }

  /// Pitch of each voice beside its target.
  public var traces: [VoiceTrace] { observation.traces }

  /// Names of the files that `write` makes for this number of voices.
  static func fileNames(voices: Int) -> [String] {
    (["input", "output"]
      + (1...max(1, voices)).flatMap { ["voice-\($0)", "target-\($0)"] }).map { "\($0).wav" }
  }

  /// Writes the input, the output, each voice and each target as WAV files.
  func write(to folder: URL) throws -> [URL] {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var files: [URL] = []
    func write(_ name: String, _ sound: Signal) throws {
      let url = folder.appendingPathComponent("\(name).wav")
      try sound.withoutClipping.write(to: url.path)
      files.append(url)
    }
    try write("input", observation.heard)
    try write("output", observation.rendering.mix)
    for (index, stem) in observation.rendering.stems.enumerated() {
      try write("voice-\(index + 1)", stem)
    }
    for index in observation.voices.indices {
      try write("target-\(index + 1)", target(ofVoice: index))
    }
    return files
  }

  /// A soft tone that follows a pitch track; stands in where there is no ideal voice.
  private static func hum(_ track: PitchTrack, like stem: Signal) -> Signal {
    var (turns, gain) = (0.0, 0.0)
    let samples = stem.samples.indices.map { n -> Float in
      let frame = Int(Double(n) / stem.sampleRateHz / track.hopSeconds)
      let hz = frame < track.count ? track.f0Hz[frame] : 0
      gain += ((hz > 0 ? 0.2 : 0) - gain) * 0.002  // rises and falls in about 10 ms
      turns += hz / stem.sampleRateHz
      return Float(gain * (sin(2 * .pi * turns) + 0.3 * sin(4 * .pi * turns)))
    }
    return Signal(samples, sampleRateHz: stem.sampleRateHz)
  }
}
