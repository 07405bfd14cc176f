import Foundation
import Harmonizer
import TestSupport
import Testing

@testable import Instrument

@Suite struct ProjectFileTests {
  private func error(of yaml: String) throws -> String {
    let folder = try TemporaryFolder()
    let file = try folder.write(yaml, to: "project.yaml")
    let error = #expect(throws: ProjectError.self) { try ProjectFile(reading: file) }
    return (error?.description ?? "").replacing(file.path + ": ", with: "")
  }

  private static let lead = "recordings: [{name: lead, file: recordings/a.wav, sample: {}}]"

  @Test(
    arguments: [
      ("", "is empty; a project has format, title, recordings, presets, sequences, takes"),
      ("title: a", "lacks 'format'; add it"),
      ("format: 2", "line 1: format: is 2; this version reads 1. Update choir"),
      ("format: 1\nsongs: []", "line 2: the project has no 'songs'; it has format, title, "),
      (
        "format: 1\n\(lead)\ntakes: [{name: a, recording: lead, chord: H}]",
        "line 3: takes[0].chord"
      ),
      (
        "format: 1\n\(lead)\ntakes: [{name: a, recording: led, chord: C}]",
        "line 3: the project has no recording 'led'"
      ),
      (
        "format: 1\n\(lead)\ntakes: [{name: a, recording: lead}]",
        "line 3: the take has nothing to sing"
      ),
      (
        "format: 1\n\(lead)\ntakes: [{name: a, recording: lead, chord: C, gain: 2}]",
        "line 3: a take has no 'gain'"
      ),
      (
        "format: 1\n\(lead)\ntakes: [{name: a, recording: lead, chord: C, dryGain: 5}]",
        "line 3: dryGain is 5; choose 0 to 4"
      ),
      (
        "format: 1\nrecordings: [{name: a, file: ../../etc/passwd, sample: {}}]",
        "line 2: '../../etc/passwd' is no file below recordings"
      ),
      (
        "format: 1\nrecordings: [{name: a, file: ., sample: {}}]",
        "line 2: '.' is no file below recordings; write a path such as recordings/NAME"
      ),
      ("format: 1\npresets: [{name: a, file: presets/}]", "line 2: 'presets/' is no file below"),
      (
        "format: 1\npresets: [{name: a, file: recordings/a.wav}]",
        "line 2: 'recordings/a.wav' is no file below presets"
      ),
      (
        "format: 1\nrecordings: [{name: a/b, file: a.wav, sample: {}}]",
        "line 2: recordings[0].name: the name 'a/b' contains '/'"
      ),
      (
        "format: 1\nrecordings: [{name: a, file: a.wav, sample: {speed: .nan}}]",
        "line 2: recordings[0].sample.speed is '.nan'; write a finite number"
      ),
      (
        "format: 1\npresets: [{name: a, file: a}, {name: a, file: b}]",
        "line 2: there are two presets called 'a'; rename one"
      ),
      ("format: 1\ntakes: {", "line 3: is not YAML: "),
    ])
  func damageIsNamedWithItsLine(yaml: String, expected: String) throws {
    let error = try error(of: yaml)
    #expect(error.hasPrefix(expected), "\(error)")
  }

  /// Numbers stand as people write them; names that look like numbers stay names.
  @Test func theTextIsReadable() throws {
    var file = ProjectFile(title: "5e-1")
    var sample = Sample.Settings()
    (sample.startSeconds, sample.endSeconds, sample.speed) = (0.5, 2.0625, 1)
    file.recordings = [.init(name: try ProjectName("12"), file: "recordings/é.wav", sample: sample)]
    let text = try file.text()
    #expect(text.contains("startSeconds: 0.5\n"))
    #expect(text.contains("endSeconds: 2.0625\n"))
    #expect(text.contains("speed: 1\n"))
    #expect(text.contains("recordings/é.wav"))
    #expect(try ProjectFile.parsed(text) == file)
  }
}
