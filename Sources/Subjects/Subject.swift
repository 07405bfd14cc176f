import Corpus
import DSP
import Foundation
import Harmonizer

/// A system under test: something that makes a choir of a voice.
public protocol Subject: Sendable {
  var id: String { get }
  /// Differs whenever the same input and settings may give another output.
  var version: String { get }
  /// What is to be said of it before it is used, such as that it can't tell its version.
  var warnings: [String] { get }
  /// Digest of files that these settings name; empty where they name none.
  func content(of settings: SubjectSettings) -> String
  /// Throws where the settings can't be honoured, before anything runs.
  func validate(_ settings: SubjectSettings, for score: Score) throws
  /// The names of the settings that can be chosen where those of `settings` are (those of the
  /// engine that it names, say); `nil` where that is not known beforehand.
  func settingNames(beside settings: SubjectSettings) -> [String]?
  /// - Parameter score: what each voice is to sing, against the pitch of this very signal.
  func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering
  /// The same with the names of things, for whoever looks for what was rendered before.
  func render(_ request: RenderRequest) throws -> Rendering
}

extension Subject {
  /// Frames of a block, as the setting `blockSize` has them.
  static func blockSize(_ value: SettingValue, of id: String) throws -> Int {
    guard let number = value.number, let size = Int(exactly: number), 1...65_536 ~= size else {
      throw SubjectError.settings(
        subject: id, problem: "blockSize is \(value); choose a whole number from 1 to 65536")
    }
    return size
  }

  public var warnings: [String] { [] }

  public func content(of settings: SubjectSettings) -> String { "" }

  public func settingNames(beside settings: SubjectSettings) -> [String]? { nil }

  public func render(_ request: RenderRequest) throws -> Rendering {
    try render(request.signal, score: request.score, settings: request.settings)
  }
}

/// What a subject is asked for.
public struct RenderRequest: Sendable {
  public var signal: Signal
  public var score: ResolvedScore
  public var settings: SubjectSettings
  /// Its id in the corpus.
  public var recording: String
  /// What it is heard through.
  public var condition: String

  package init(
    signal: Signal, score: ResolvedScore, settings: SubjectSettings, recording: String,
    condition: String
  ) {
    self.signal = signal
    self.score = score
    self.settings = settings
    self.recording = recording
    self.condition = condition
  }
}

/// What a subject made of a recording.
public struct Rendering: Sendable {
  /// As long as the input and at its rate.
  public var mix: Signal
  /// The voices by themselves, in the order of the score.
  public var stems: [Signal]
  /// What the subject says of its own delay.
  public var reportedLatencyMs: Double?
  /// Time on a core, without the making of the subject; `nil` of sounds that were rendered elsewhere.
  public var cpuSeconds: Double?
  /// The most memory that a program held, where a program made it.
  public var peakMemoryMB: Double?
  public var truthLog: TruthLog?
  public var tuningLog: TuningLog?
  /// What is to be known beside the numbers.
  public var note: String?

  package init(
    mix: Signal, stems: [Signal], reportedLatencyMs: Double? = nil, cpuSeconds: Double? = nil,
    peakMemoryMB: Double? = nil, truthLog: TruthLog? = nil, tuningLog: TuningLog? = nil,
    note: String? = nil
  ) {
    self.mix = mix
    self.stems = stems
    self.reportedLatencyMs = reportedLatencyMs
    self.cpuSeconds = cpuSeconds
    self.peakMemoryMB = peakMemoryMB
    self.truthLog = truthLog
    self.tuningLog = tuningLog
    self.note = note
  }
}

/// The subjects that can be tested: those of this package, and those that files describe.
public enum Subjects {
  public static let all: [any Subject] = [
    ThroughEffects(ReferenceSubject()), ThroughEffects(AutoTunerSubject()),
  ]

  /// - Parameters:
  ///   - id: of one of this package; or of a file `ID.yaml` in `folder`; or the path of a file; or
  ///     `preset:` with a preset's name or file.
  ///   - folder: `subjects` of the corpus.
  public static func subject(id: String, in folder: URL? = nil) throws -> any Subject {
    if let own = all.first(where: { $0.id == id }) { return own }
    if id.hasPrefix(PresetSubject.prefix) { return try PresetSubject(id: id) }
    if id.hasSuffix(".yaml") || id.contains("/") {
      return try ExternalSubject(reading: URL(fileURLWithPath: id))
    }
    if let file = folder?.appendingPathComponent("\(id).yaml"),
      FileManager.default.fileExists(atPath: file.path)
    {
      return try ExternalSubject(reading: file)
    }
    let names = all.map(\.id) + described(in: folder)
    throw SubjectError.settings(
      subject: id,
      problem: "no such subject; there is \(names.joined(separator: ", ")), "
        + "or give the path of a subject's .yaml file, or \(PresetSubject.prefix)NAME")
  }

  /// The ids of those that files of `folder` describe.
  public static func described(in folder: URL?) -> [String] {
    guard let folder,
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    else { return [] }
    return names.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  }
}

extension Corpus {
  /// Where files describe subjects that are not of this package.
  public var subjectsFolder: URL { folder.appendingPathComponent("subjects") }
}
