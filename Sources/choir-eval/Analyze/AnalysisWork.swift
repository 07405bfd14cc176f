import Analyzer
import ArgumentParser
import AudioFile
import CommandSupport
import DSP
import Foundation
import Platform
import Probes
import Reporting
import Subjects

/// The method that finds the formants of a CSV file.
enum FormantMethod: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// `FormantReader`.
  case fit
  /// `FormantTracker`.
  case tracker
  /// `EnvelopeAnalyzer`.
  case envelope
}

/// A file that describes one recording.
enum AnalysisFile: String, CaseIterable, Sendable {
  case f0, pitch, formants, notes, chords, epochs, envelope, voices, picture

  /// Ending of its name.
  var suffix: String { self == .picture ? "svg" : "\(rawValue).csv" }
}

/// Files to write, as typed: `f0,notes`.
struct AnalysisFiles: ExpressibleByArgument {
  let kinds: [AnalysisFile]

  init?(argument: String) {
    let words = argument.split(separator: ",")
    kinds = words.compactMap { AnalysisFile(rawValue: String($0)) }.uniqued()
    if kinds.count < words.count || words.isEmpty { return nil }
  }

  static var allValueStrings: [String] { AnalysisFile.allCases.map(\.rawValue) }
}

/// The measurements of a recording besides its pitch, as typed: `level,notes`.
struct AnalysisParts: ExpressibleByArgument, Sendable {
  let parts: VoiceProfile.Parts

  private static let names: [(String, VoiceProfile.Parts)] = [
    ("level", .level), ("notes", .notes), ("formants", .formants), ("quality", .quality),
    ("faults", .faults), ("judge", .secondJudge), ("pitch", []),
  ]

  init?(argument: String) {
    var parts: VoiceProfile.Parts = []
    for word in argument.split(separator: ",") {
      guard let known = Self.names.first(where: { $0.0 == word }) else { return nil }
      parts.formUnion(known.1)
    }
    self.parts = parts
  }

  static var allValueStrings: [String] { names.map(\.0) }
}

/// The work of `choir-eval analyze` on one recording.
struct AnalysisWork: Sendable {
  var hopMs: Double
  var formantsBy: FormantMethod
  /// Settings of the streaming tracker; `nil` to use the offline one.
  var live: StreamingPitchTracker.Settings?
  var parts: VoiceProfile.Parts = .all
  /// File of the pitch that each voice of a mix is expected to sing.
  var voicesF0: String?

  private var tracker: PitchTracker.Settings {
    var settings = PitchTracker.Settings()
    settings.hopMs = hopMs
    return settings
  }

  func validate() throws(SettingsError) {
    try tracker.validate()
    try live?.validate()
  }

  /// Measures one recording and writes the requested files.
  ///
  /// - Parameter files: paths of the files to write.
  func done(on file: String, writing files: [AnalysisFile: String]) throws -> RecordingSummary {
    var parts = parts
    if files[.notes] != nil { parts.insert(.notes) }
    if files[.picture] != nil || (files[.formants] != nil && formantsBy == .fit) {
      parts.insert(.formants)
    }
    let channels = try RecordingChannels(of: file, parts)
    let sound = try channels.voice()
    Terminal.warn(sound.remarks, about: file)
    let began = ThreadClock.seconds
    let track = try track(sound)
    let tookSeconds = ThreadClock.seconds - began
    let profile = try VoiceProfile(of: sound, track: track, parts)
    var voicesTookMs: Double?
    for kind in AnalysisFile.allCases {
      guard let path = files[kind] else { continue }
      switch kind {
      case .voices:
        voicesTookMs = try VoicesTable(reading: voicesF0 ?? "").write(
          of: sound, hopMs: hopMs, to: path)
      case .picture:
        let picture = try VoicePicture(of: VoiceOutline(of: sound, profile), title: file)
        try WholeFile.write(picture.svg(), to: path)
      default: try table(kind, of: sound, profile)?.write(to: path)
      }
    }
    return RecordingSummary(
      file: file, profile, channels, pitchTookSeconds: tookSeconds, voicesTookMs: voicesTookMs)
  }

  private func table(
    _ kind: AnalysisFile, of sound: some SoundSource, _ profile: VoiceProfile
  ) throws -> AnalysisTable? {
    let track = profile.track
    return switch kind {
    case .f0: profile.f0Table
    case .pitch: profile.pitchTable
    case .notes: profile.noteTable
    case .chords:
      try AnalysisTable.chords(
        of: Signal(sound.samples(0..<sound.count), sampleRateHz: sound.sampleRateHz))
    case .epochs:
      AnalysisTable.epochs(try epochs(of: sound, track), sampleRateHz: sound.sampleRateHz)
    case .formants:
      switch formantsBy {
      case .fit: profile.formantTable
      case .tracker: AnalysisTable.trackedFormants(of: sound, track)
      case .envelope: try AnalysisTable.envelopeFormants(of: sound, track, EnvelopeAnalyzer())
      }
    case .envelope: try AnalysisTable.envelopes(of: sound, track, EnvelopeAnalyzer())
    case .voices, .picture: nil
    }
  }

  private func track(_ sound: some SoundSource) throws -> PitchTrack {
    if let live {
      return try StreamingPitchTracker.track(of: sound, live, hopSeconds: hopMs / 1000)
    }
    return try PitchTracker(tracker).track(sound)
  }

  private func epochs(of sound: some SoundSource, _ track: PitchTrack) throws -> [Epoch] {
    guard let live else { return try EpochFinder().epochs(of: sound, track: track) }
    var settings = EpochTracker.Settings()
    settings.pitch.lookAheadMs = live.lookAheadMs
    var tracker = try EpochTracker(settings, sampleRateHz: sound.sampleRateHz)
    return try tracker.epochs(in: sound)
  }
}
