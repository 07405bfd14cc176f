import AudioFile
import DSP
import Foundation
import Mustache
import Platform

/// Writer of a listening test: a folder `page` for the listeners, which opens from disk in any browser
/// and tells nothing about its sounds, and beside it the key, which the experimenter keeps.
package struct ListeningTestWriter: Sendable {
  package init() {}

  /// Writes to `folder` and replaces an earlier test there.
  ///
  /// - Throws: a `Refusal`, and errors of reading sounds.
  package func write(_ plan: ListeningTestDesign.Plan, to folder: URL) throws {
    try ReportFiles.replace(folder) { try build(plan, in: $0) }
  }

  /// True if a folder is missing, empty, or holds a test.
  package static func isReplaceable(_ folder: URL) -> Bool {
    let manager = FileManager.default
    guard manager.fileExists(atPath: folder.path) else { return true }
    guard let names = try? manager.contentsOfDirectory(atPath: folder.path) else { return false }
    return names.isEmpty
      || names.contains(ListeningTest.keyFile) && names.contains(ListeningTest.pageFolder)
  }

  private func build(_ plan: ListeningTestDesign.Plan, in draft: URL) throws {
    let page = draft.appendingPathComponent(ListeningTest.pageFolder)
    for name in ["sounds", "scripts"] {
      try FileManager.default.createDirectory(
        at: page.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    var library = MustacheLibrary()
    for (name, bytes) in [
      ("test", PackageResources.test_mustache),
      ("rated-sound", PackageResources.rated_sound_mustache),
    ] {
      try library.register(String(decoding: bytes, as: UTF8.self), named: name)
    }
    try writeSounds(of: plan, to: page, library)
    func save(_ bytes: some Sequence<UInt8>, as name: String) throws {
      try Data(bytes).write(to: page.appendingPathComponent(name))
    }
    try save(PageScripts.sounds, as: "scripts/sounds.js")
    try save(PackageResources.test_js, as: "scripts/test.js")
    try save(PackageResources.test_css, as: "test.css")
    try save((library.render(view(of: plan), withTemplate: "test") ?? "").utf8, as: "index.html")
    try JSONEncoder.readable.encode(plan.test)
      .write(to: draft.appendingPathComponent(ListeningTest.keyFile))
  }

  // MARK: - Page

  /// The contents of a test's page, without the key.
  private func view(of plan: ListeningTestDesign.Plan) throws -> View {
    let test = plan.test
    let script: JSONObject = [
      "test": test.id, "method": test.method, "title": test.title, "seed": test.seed % (1 << 32),
      "trials": test.trials.map { trial -> JSONObject in
        [
          "id": trial.id, "clip": "Clip \(trial.clip + 1)",
          "reference": plan.references[trial.clip].map { _ in Self.reference(trial.clip) },
          "sounds": trial.stimuli,
        ]
      },
    ]
    return [
      "title": test.title, "method": test.method.rawValue,
      // A script in a page ends at its first closing tag.
      "script": try JSONEncoder.canonical.text(script)
        .replacing("<", with: "\\u003c"),
      "credits": zip(test.clips.indices, test.clips).map { "Clip \($0 + 1): \($1.credit)" },
    ]
  }

  private static func reference(_ clip: Int) -> String { "r\(clip + 1)" }

  // MARK: - Sounds

  /// Writes the sounds of each clip, all equally loud.
  private func writeSounds(
    of plan: ListeningTestDesign.Plan, to page: URL, _ library: MustacheLibrary
  ) throws {
    for clip in plan.test.clips.indices {
      let stimuli = plan.test.stimuli.filter { $0.clip == clip }
      var files = try stimuli.map { stimulus in
        let source = plan.sources[stimulus.id]!
        let file = try AudioFile(reading: source.file.path)
        return (name: stimulus.id, file: source.isAnchor ? file.withoutTreble : file)
      }
      if let reference = plan.references[clip] {
        files.append((Self.reference(clip), try AudioFile(reading: reference.path)))
      }
      let match = LoudnessMatch(files.map { SoundLevel(of: $0.file) })
      for (sound, gainDb) in zip(files, match.gainsDb) {
        guard let gainDb else {
          let system = plan.test.stimulus(sound.name)?.system
          let by = system.map { " by \(plan.test.systems[$0].label)" } ?? ""
          throw Refusal(
            "the sound of \(plan.test.clips[clip].recording)\(by) is silent, so it can't be made "
              + "as loud as others")
        }
        let flac = try sound.file.amplified(byDb: gainDb).flac(beside: page)
        let carrier = library.render(
          ["sound": SoundStore.dataURL(flac)], withTemplate: "rated-sound")
        try Data((carrier ?? "").utf8)
          .write(to: page.appendingPathComponent("sounds/\(sound.name).html"))
      }
    }
  }
}

extension AudioFile {
  /// The sound below 3.5 kHz, the low anchor of BS.1534.
  fileprivate var withoutTreble: AudioFile {
    // The resampler's filter is 6 dB down at 0.95 of half the rate.
    let narrowHz = 2 * 3500 / 0.95
    guard sampleRateHz > narrowHz else { return self }
    let rounded = (narrowHz / 100).rounded() * 100
    return AudioFile(
      channels: channels.indices.map { index in
        let low = channel(index).resampled(to: rounded).resampled(to: sampleRateHz).samples
        return Array(low.prefix(frameCount))
          + [Float](repeating: 0, count: max(0, frameCount - low.count))
      }, sampleRateHz: sampleRateHz)
  }

  fileprivate func amplified(byDb gainDb: Double) -> AudioFile {
    let gain = Float(pow(10, gainDb / 20))
    return AudioFile(channels: channels.map { $0.map { $0 * gain } }, sampleRateHz: sampleRateHz)
  }
}
