import Subjects

/// The facts of a subject that decide which figures a check can have.
package struct CheckedSubject: Encodable, Sendable {
  package let id: String
  package let version: String
  /// Path of its description, or its id if it is part of this package.
  package let source: String
  /// `nil` for subjects of this package.
  package let kind: SubjectFile.Kind?
  /// True if each voice can be heard by itself.
  package let givesStems: Bool
  /// Latency that its description states.
  package let statedLatencyMs: Double?
  /// True for recordings that leave some figures undefined, such as those of a test tape.
  package let isRecorded: Bool

  /// - Parameter name: the subject as the user typed it.
  package init(_ subject: any Subject, named name: String) {
    (id, version) = (subject.id, subject.version)
    let external = subject.external
    let isMix = subject is MixSubject
    let bare = isMix ? String(name.dropFirst(MixSubject.prefix.count)) : name
    source = external != nil && !bare.hasSuffix(".yaml") ? "\(bare).yaml" : bare
    kind = external?.file.kind
    givesStems =
      !isMix
      && external.map { $0.capabilities.contains("stems") || Self.hasFileOfEachVoice($0.file) }
        ?? true
    statedLatencyMs = external?.file.latencyMs
    isRecorded = external?.file.unmeasured != nil
  }

  /// True if a folder holds a file of each voice, named by its interval or number.
  private static func hasFileOfEachVoice(_ file: SubjectFile) -> Bool {
    ["semitones", "ratio", "cents", "voice"].contains { file.files?.contains("{\($0)}") ?? false }
  }

  /// True if its sounds were rendered elsewhere, so that nothing can be sent to it.
  package var isFolder: Bool { kind == .folder }

  /// True if it runs in blocks in `choir-host`, so that the instrument can play it.
  package var isPlugin: Bool { kind?.isPlugin ?? false }

  /// True if it gets whole files, and may have removed its own delay from the answer.
  package var takesWholeFiles: Bool { kind == .command || isFolder && !isRecorded }
}
