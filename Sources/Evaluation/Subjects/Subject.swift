import Corpus
import DSP
import Foundation
import Harmonizer
import Platform

/// A system under test: a program or engine that turns one voice into a choir.
public protocol Subject: Sendable {
  var id: String { get }
  /// The version; differs whenever the same input and settings may give another output.
  var version: String { get }
  /// Warnings to print before a run, for example about an unknown version.
  var warnings: [String] { get }
  /// Returns a digest of the files that the settings name; empty if they name none.
  func content(of settings: SubjectSettings) -> String
  /// Throws if the settings are invalid, before anything runs.
  func validate(_ settings: SubjectSettings, for score: Score) throws
  /// Returns the names of all settings that are valid beside `settings`, such as those of its engine;
  /// `nil` if they are not known beforehand.
  func settingNames(beside settings: SubjectSettings) -> [String]?
  /// Renders a signal. A subject implements this or the next.
  ///
  /// - Parameter score: the targets of the voices, resolved with the pitch of this signal.
  func render(_ signal: Signal, score: ResolvedScore, settings: SubjectSettings) throws -> Rendering
  /// Renders a request, whose names let a subject find files that were rendered elsewhere.
  func render(_ request: RenderRequest) throws -> Rendering
}

extension Subject {
  /// Returns the frames of a block from the setting `blockSize`.
  static func blockSize(_ value: SettingValue, of id: String) throws -> Int {
    guard let number = value.number, let size = Int(exactly: number), 1...65_536 ~= size else {
      throw Refusal(id, "blockSize is \(value); choose a whole number from 1 to 65536")
    }
    return size
  }

  public var warnings: [String] { [] }

  public func content(of settings: SubjectSettings) -> String { "" }

  public func settingNames(beside settings: SubjectSettings) -> [String]? { nil }

  public func render(_ request: RenderRequest) throws -> Rendering {
    try render(request.signal, score: request.score, settings: request.settings)
  }

  public func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    try render(RenderRequest(signal: signal, score: score, settings: settings))
  }
}

/// A rendering to be made.
public struct RenderRequest: Sendable {
  public var signal: Signal
  public var score: ResolvedScore
  public var settings: SubjectSettings
  /// The recording's id in the corpus.
  public var recording: String
  /// The canonical text of the condition.
  public var condition: String
  /// Later scores, to whose control values the host of a plugin turns while sound runs. Other
  /// subjects sing `score` alone.
  package var turns: [(atSeconds: Double, score: ResolvedScore)] = []

  package init(
    signal: Signal, score: ResolvedScore, settings: SubjectSettings, recording: String = "",
    condition: String = ""
  ) {
    (self.signal, self.score, self.settings) = (signal, score, settings)
    (self.recording, self.condition) = (recording, condition)
  }
}

/// A subject's output for a recording.
public struct Rendering: Sendable {
  /// The mix, as long as the input and at its rate.
  public var mix: Signal
  /// The stems of the voices, in the order of the score.
  public var stems: [Signal]
  /// The mix in stereo, whose mean is `mix`; `nil` for a subject that is judged in mono.
  public var stereo: StereoSound?
  /// The latency that the subject states.
  public var reportedLatencyMs: Double?
  /// Processor time without the subject's creation; `nil` for sounds that were rendered elsewhere.
  public var cpuSeconds: Double?
  /// Peak memory of the program; `nil` if no program ran.
  public var peakMemoryMB: Double?
  public var truthLog: TruthLog?
  public var tuningLog: TuningLog?
  /// True if the mix holds the dry voice beside the voices of the score.
  public var holdsDryVoice: Bool
  /// A remark for the report.
  public var note: String?
  /// Lines that the program wrote to standard error although it succeeded.
  package var remarks: [String] = []

  public init(
    mix: Signal, stems: [Signal], reportedLatencyMs: Double? = nil, cpuSeconds: Double? = nil,
    peakMemoryMB: Double? = nil, truthLog: TruthLog? = nil, tuningLog: TuningLog? = nil,
    holdsDryVoice: Bool = false, note: String? = nil
  ) {
    (self.mix, self.stems, self.holdsDryVoice) = (mix, stems, holdsDryVoice)
    self.reportedLatencyMs = reportedLatencyMs
    (self.cpuSeconds, self.peakMemoryMB) = (cpuSeconds, peakMemoryMB)
    (self.truthLog, self.tuningLog, self.note) = (truthLog, tuningLog, note)
  }
}

/// The subjects that can be tested: those of this package and those described by files.
public enum Subjects {
  public static let all: [any Subject] =
    [ThroughEffects(ReferenceSubject()), ThroughEffects(AutoTunerSubject())]
    + ChoirEngine.names.map { ThroughEffects(ReferenceSubject(engine: $0)) }

  /// Finds a subject.
  ///
  /// - Parameters:
  ///   - id: the id of a subject of this package, such as an engine's name, or of a file `ID.yaml`
  ///     in `folder`; the path of a file; `preset:` with a preset's name or file; or `mix:` with
  ///     any other of these.
  ///   - folder: the corpus's folder `subjects`.
  public static func subject(id: String, in folder: URL? = nil) throws -> any Subject {
    if let own = all.first(where: { $0.id == id }) { return own }
    if id.hasPrefix(PresetSubject.prefix) { return try PresetSubject(id: id) }
    if id.hasPrefix(MixSubject.prefix) {
      let source = String(id.dropFirst(MixSubject.prefix.count))
      return MixSubject(try subject(id: source, in: folder))
    }
    if id.hasSuffix(".yaml") || id.contains("/") {
      return try ExternalSubject(reading: URL(fileURLWithPath: id)).judged
    }
    if let file = folder?.appendingPathComponent("\(id).yaml"),
      FileManager.default.fileExists(atPath: file.path)
    {
      return try ExternalSubject(reading: file).judged
    }
    let names = all.map(\.id) + described(in: folder)
    throw Refusal(
      id,
      "there is no such subject; choose \(names.joined(separator: ", ")), the path of a subject's "
        + ".yaml file, \(PresetSubject.prefix)NAME, or \(MixSubject.prefix) before any of these")
  }

  /// Returns the ids of the subjects that files in `folder` describe.
  public static func described(in folder: URL?) -> [String] {
    guard let folder,
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    else { return [] }
    return names.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  }
}

extension Corpus {
  /// The folder of files that describe subjects outside this package.
  public var subjectsFolder: URL { folder.appendingPathComponent("subjects") }
}
