import Analyzer
import AudioFile
import DSP
import Foundation

/// How one number came about: what it is, where in time it is worst, and what to listen to.
///
/// The cell is rendered again, as its run did; where the store kept the traces of the voices they say
/// the same.
public struct Explanation: Sendable {
  /// A place in time.
  public struct Instant: Encodable, Sendable {
    public var atSeconds: Double
    public var voice: Int?
    public var value: Double
    public var unit: String
    public var words: String
  }

  public let cell: CellResult
  public let metric: Metric
  /// As stored.
  public let measurements: [Measurement]
  /// As measured now; another value where program or subject changed since.
  public let remade: [Measurement]
  public let worst: [Instant]
  /// Why no instants are named, if so.
  public let noInstants: String?
  public let files: [URL]

  /// - Parameter folder: for the files to hear; none are written where it is `nil`.
  public init(
    of cell: CellResult, metric id: String, corpus: Corpus, into folder: URL?, most: Int = 8
  ) throws {
    guard let metric = Metric.metric(id: id) else {
      let ids = Metric.all.map(\.id).joined(separator: ", ")
      throw EvaluationError.settings(subject: id, problem: "is no metric; there is \(ids)")
    }
    if case .failed(let reason) = cell.outcome {
      throw EvaluationError.settings(
        subject: "the cell", problem: "has no numbers; it failed: \(reason)")
    }
    let scene = try Scene(of: cell, in: corpus)
    (self.cell, self.metric) = (cell, metric)
    measurements = cell.measurements[id] ?? []
    remade = metric.measure(scene.observation)
    (worst, noInstants) = scene.worst(for: metric, most: most)
    files = try folder.map { try scene.write(to: $0) } ?? []
  }

  /// The cells whose key begins with some words, or whose label has all of them in it.
  public static func cells(_ words: String, in run: StoredRun) -> [CellResult] {
    let byKey = run.cells.filter { $0.key.hasPrefix(words.lowercased()) }
    if !words.isEmpty, !byKey.isEmpty { return byKey }
    let parts = words.split(whereSeparator: { $0 == "/" || $0.isWhitespace })
    return run.cells.filter { cell in
      let names = cell.label.split(whereSeparator: \.isWhitespace)
      return parts.allSatisfy { part in names.contains { $0 == part } }
    }
  }
}

extension CellResult {
  /// For people: recording, condition, score and settings.
  public var label: String {
    let through = condition == Condition.clean.canonical ? "" : " · \(condition)"
    return "\(recording)\(through) · \(score.id) · \(settings.canonical)"
  }
}

/// A cell with all its sounds in hand.
private struct Scene {
  let observation: Observation
  let oracle: Oracle?

  init(of cell: CellResult, in corpus: Corpus) throws {
    let entry = try corpus.entry(id: cell.recording)
    let recording = try corpus.recording(entry)
    let condition = try Condition(cell.condition)
    let other = try condition.otherRecording.map {
      try corpus.recording(corpus.entry(id: $0)).signal
    }
    let heard = condition.applied(to: recording.signal, other: other)
    let jury = recording.truth == nil ? Jury.truth(of: recording.signal) : nil
    let lead =
      recording.truth ?? jury?.track ?? PitchTrack(hopSeconds: 0.005, f0Hz: [], voicing: [])
    let score = ResolvedScore(cell.score, lead: lead)
    let subject = try Subjects.subject(id: cell.subject, in: corpus.subjectsFolder)
    let rendering = try subject.render(
      RenderRequest(
        signal: heard, score: score, settings: cell.settings, recording: cell.recording,
        condition: cell.condition))
    oracle = try Oracle.performance(behind: entry).map {
      try Oracle($0, score, sampleRateHz: recording.signal.sampleRateHz)
    }
    observation = Observation(
      recording, score: score, rendering: rendering, heard: heard, jury: jury, oracle: oracle)
  }

  /// Where a metric is worst; or why nowhere in particular.
  func worst(for metric: Metric, most: Int) -> ([Explanation.Instant], String?) {
    let family = metric.id.split(separator: ".").first ?? ""
    switch family {
    case "pitch": return (pitchInstants(most), nil)
    case "voice": return (missingInstants(most), nil)
    case "latency" where metric.id == "latency.onset":
      do {
        let found = try EventDelay(of: observation.rendering.mix, from: observation.heard)
        let middle = found.estimate.medianMs
        let events = zip(found.eventSeconds, found.delaysMs).compactMap { time, delay in
          delay.map { (time, $0) }
        }
        let far = events.sorted { abs($0.1 - middle) > abs($1.1 - middle) }.prefix(most)
        return (
          far.map {
            Explanation.Instant(
              atSeconds: $0.0, voice: nil, value: $0.1, unit: "ms",
              words: "this beginning comes \(places($0.1)) ms late; the usual is \(places(middle))")
          }, nil
        )
      } catch { return ([], "\(error)") }
    default:
      return ([], "\(metric.id) is one number of the whole sound, with no instants of its own")
    }
  }

  /// The largest errors of each voice, none within 0.2 s of a larger one.
  private func pitchInstants(_ most: Int) -> [Explanation.Instant] {
    ranked(most) { voice, frame in
      let (heard, wanted) = (voice.heard.f0Hz[frame], voice.target.f0Hz[frame])
      guard heard > 0, wanted > 0 else { return nil }
      let error = cents(heard, over: wanted)
      return (error, "\(places(heard)) Hz, wanted \(places(wanted)) Hz")
    }
  }

  /// Where a voice should be heard and is not: the longest stretches.
  private func missingInstants(_ most: Int) -> [Explanation.Instant] {
    var found: [Explanation.Instant] = []
    for (index, voice) in observation.voices.enumerated() {
      let hop = voice.heard.hopSeconds
      var run = 0
      for frame in 0...min(voice.heard.count, voice.target.count) {
        let isInside = frame < min(voice.heard.count, voice.target.count)
        if isInside, voice.target.f0Hz[frame] > 0, voice.heard.f0Hz[frame] == 0 {
          run += 1
        } else if run > 0 {
          let ms = Double(run) * hop * 1000
          found.append(
            Explanation.Instant(
              atSeconds: Double(frame - run) * hop, voice: index, value: ms, unit: "ms",
              words: "not heard for \(places(ms, 0)) ms"))
          run = 0
        }
      }
    }
    return Array(found.sorted { $0.value > $1.value }.prefix(most))
  }

  private func ranked(
    _ most: Int, _ look: (VoiceObservation, Int) -> (cents: Double, words: String)?
  ) -> [Explanation.Instant] {
    var all: [Explanation.Instant] = []
    for (index, voice) in observation.voices.enumerated() {
      for frame in 0..<min(voice.heard.count, voice.target.count) {
        guard let (value, words) = look(voice, frame) else { continue }
        all.append(
          Explanation.Instant(
            atSeconds: Double(frame) * voice.heard.hopSeconds, voice: index, value: value,
            unit: "cents", words: words))
      }
    }
    var chosen: [Explanation.Instant] = []
    for candidate in all.sorted(by: { abs($0.value) > abs($1.value) }) {
      guard chosen.count < most else { break }
      let isNear = chosen.contains {
        $0.voice == candidate.voice && abs($0.atSeconds - candidate.atSeconds) < 0.2
      }
      if !isNear { chosen.append(candidate) }
    }
    return chosen
  }

  /// What went in, what came out, each voice, and what each was to be.
  func write(to folder: URL) throws -> [URL] {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var files: [URL] = []
    func write(_ name: String, _ sound: Signal) throws {
      let url = folder.appendingPathComponent("\(name).wav")
      let highest = sound.samples.reduce(Float(0)) { max($0, abs($1)) }
      let gain = min(1, 0.999 / max(highest, 1e-9))
      try Signal(sound.samples.map { $0 * gain }, sampleRateHz: sound.sampleRateHz)
        .write(to: url.path)
      files.append(url)
    }
    try write("input", observation.heard)
    try write("output", observation.rendering.mix)
    for (index, stem) in observation.rendering.stems.enumerated() {
      try write("voice-\(index + 1)", stem)
    }
    for (index, voice) in observation.voices.enumerated() {
      if let ideal = oracle?.stems[index].signal {
        try write("target-\(index + 1)", ideal)
      } else {
        try write("target-\(index + 1)", Self.hum(voice.target, like: voice.stem))
      }
    }
    return files
  }

  /// A soft tone that sings a track, where no perfect voice is to be had.
  private static func hum(_ track: PitchTrack, like stem: Signal) -> Signal {
    var (turns, gain) = (0.0, 0.0)
    let samples = stem.samples.indices.map { n -> Float in
      let frame = Int(Double(n) / stem.sampleRateHz / track.hopSeconds)
      let hz = frame < track.count ? track.f0Hz[frame] : 0
      gain += ((hz > 0 ? 0.2 : 0) - gain) * 0.002  // rises and falls in some 10 ms
      turns += hz / stem.sampleRateHz
      return Float(gain * (sin(2 * .pi * turns) + 0.3 * sin(4 * .pi * turns)))
    }
    return Signal(samples, sampleRateHz: stem.sampleRateHz)
  }
}
