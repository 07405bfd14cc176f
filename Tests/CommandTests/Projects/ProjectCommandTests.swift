import AudioFile
import Foundation
import Testing

/// `choir project`, as its user types it.
@Suite struct ProjectCommandTests {
  /// A shell with the project `song`, which has the recording `lead` and the take `pad`.
  private func song() throws -> Shell {
    let shell = try Shell()
    let made = try shell.type(
      """
      choir project new song && choir project add song --recording in.wav --as lead \
        && choir project add song --take pad --of lead --chord C:maj --preset reverb
      """)
    #expect(made.status == 0, "\(made.errors)")
    return shell
  }

  @Test(
    arguments: [
      ("new song", 2, "there is already a project 'song' in Projects; choose another name"),
      ("new a/b", 64, "contains '/', which separates folders"),
      ("new ..", 64, "begins with '.'"),
      ("rename song ../up", 64, "contains '/'"),
      ("duplicate song song", 2, "there is already a project 'song'"),
      ("show nope", 2, "there is no project 'nope' in Projects; it has song"),
      ("remove song", 64, "holds 1 recording, 1 preset, 1 take, which would be deleted; add"),
      ("remove song --recording lead", 2, "is used by the take pad; remove it first"),
      ("add song --recording in.wav --as lead", 2, "song already has a recording 'lead'"),
      ("add song --recording nope.wav", 2, "nope.wav does not exist"),
      ("add song --take t --of nope --chord C", 2, "song has no recording 'nope'; it has lead"),
      ("add song --take t --of nope --preset gospel", 2, "song has no recording 'nope'"),
      ("add song --take t --of lead", 2, "has nothing to sing; add a sequence, a chord"),
      ("export song --format ogg", 64, "--format is 'ogg'; choose wav, flac, mp3"),
      ("export song --take nope", 2, "song has no take 'nope'; it has pad"),
      ("new x --projects /dev/null/x", 2, "/dev/null/x can't be written: Not a directory"),
    ])
  func everyRefusalNamesTheWayOut(words: String, status: Int32, text: String) throws {
    let shell = try song()
    func files() throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: shell.path("Projects")).sorted()
    }
    let before = try files()
    let answer = try shell.type("choir project \(words)")
    #expect(answer.status == status)
    #expect(answer.words.contains(text), "\(answer.errors)")
    #expect(try files() == before)
  }

  /// Another preset of a name that the project has is not silently the project's.
  @Test func aPresetOfAnotherContentIsRefused() throws {
    let shell = try song()
    let answer = try shell.type(
      """
      choir presets show reverb >reverb.json
      choir project add song --take a --of lead --chord C --preset reverb.json || exit 1
      sed -i 's/"summary" : ".*"/"summary" : "mine"/' reverb.json
      choir project add song --take b --of lead --chord C --preset reverb.json
      """)
    #expect(answer.status == 2)
    #expect(answer.words.contains("song already has a preset 'reverb'"), "\(answer.errors)")
    #expect(answer.output == "song: added the take a\n")
  }

  /// The same samples as by harmonize, to the bit, once the sample's own fades are off.
  @Test func aTakeSoundsAsHarmonizeDoes() throws {
    let shell = try song()
    let answer = try shell.type(
      """
      sed -i 's/fadeMs: 2/fadeMs: 0/' Projects/song/project.yaml
      choir project export song --quiet
      choir harmonize in.wav out.wav --chord C:maj --preset reverb --stems stems
      choir project export song --quiet
      """)
    #expect(answer.status == 64)
    #expect(answer.words.contains("exists; export to another folder, or add --force"))
    for name in ["mix", "voice1", "voice2", "voice3"] {
      let take = try AudioFile(reading: shell.path("Projects/song/takes/pad/\(name).wav"))
      let other = name == "mix" ? "out.wav" : "stems/\(name).wav"
      #expect(try take == AudioFile(reading: shell.path(other)), "\(name)")
    }
  }

  @Test func theListHasSizesAndDates() throws {
    let shell = try song()
    let answer = try shell.type(
      "touch -d 2031-02-03T04:05:00Z Projects/song/project.yaml; choir project list --json")
    let entry = try #require((answer.json()["projects"] as? [[String: Any]])?.first)
    #expect(entry["changed"] as? String == "2031-02-03T04:05:00Z")
    let sizes = try shell.type("find Projects/song -type f -printf '%s\\n' | paste -sd+ | bc")
    #expect((entry["bytes"] as? Int).map { "\($0)\n" } == sizes.output)
  }

  @Test func aDamagedProjectStaysInTheList() throws {
    let shell = try song()
    _ = try shell.type("choir project new other")
    try shell.write("format: 1\ntakes: 3\n", "Projects/other/project.yaml")
    let list = try shell.type("choir project list")
    #expect(list.status == 0)
    #expect(list.output.contains("can't be opened") && list.output.contains("song"))
    #expect(list.words.contains("project.yaml: line 2: takes is '3'; write a list"))
    #expect(try shell.type("choir project remove other --force").status == 0)
    #expect(try shell.type("choir project show other").status == 2)
  }
}
