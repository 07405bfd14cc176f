import Analyzer
import AudioFile
import DSP
import Foundation
import Harmonizer
import Music
import TestSupport
import Testing

@testable import Instrument

@Suite struct TakeTests {
  /// The keys of C major from C3: 48, 52 and 55, by equal temperament at 440 Hz.
  @Test func eachVoiceSingsItsNoteOfTheChord() throws {
    let toy = try ToyLibrary()
    let project = try toy.song()
    let rendered = try project.render(project.take("pad"))
    #expect(rendered.stems.count == 3)
    for (stem, key) in zip(rendered.stems, [48.0, 52, 55]) {
      let track = PitchTracker.standard.track(stem)
      let middle = try #require(track.f0Hz(atSeconds: 0.6))
      let wanted = 440 * exp2((key - 69) / 12)
      #expect(abs(1200 * log2(middle / wanted)) < 10, "\(middle) Hz for \(wanted)")
    }
    #expect(rendered.mix.channels.count == 2)  // the preset's reverb is stereo
    let again = try project.render(project.take("pad"))
    #expect(again.mix == rendered.mix)
  }

  @Test func theNotesAreThoseOfTheChord() throws {
    let toy = try ToyLibrary()
    let project = try toy.song()
    let midi = try #require(try project.render(project.take("pad")).midi)
    let notes = midi.tracks.map { track in
      track.events.compactMap { event in
        if case .noteOn(_, let key, let velocity) = event.event { [key, velocity] } else { nil }
      }
    }
    // A chord without a velocity sounds at full gain, 127; its attack takes several blocks.
    #expect(notes == [[[48, 127]], [[52, 127]], [[55, 127]]])
  }

  /// A take of a crop at double speed is half as long; a loop lasts as long as the take says.
  @Test func cropSpeedAndLoopAreHeard() throws {
    let toy = try ToyLibrary()
    var project = try toy.song()
    let name = try ProjectName("lead")
    var sample = Sample.Settings()
    (sample.startSeconds, sample.endSeconds, sample.speed) = (0.2, 0.8, 2)
    try project.setSample(sample, ofRecording: name)
    let recording = try project.recording("lead")
    // Each edge may move by 5 ms to a zero crossing, at double speed.
    #expect(abs(try project.sample(of: recording).durationSeconds - 0.3) < 0.006)
    sample.loop = Sample.Loop(startSeconds: 0.4, endSeconds: 0.6)
    try project.setSample(sample, ofRecording: name)
    var take = try project.take("pad")
    (take.seconds, take.preset) = (2, nil)
    let rendered = try project.render(take)
    #expect(rendered.mix.durationSeconds >= 2)
    let track = PitchTracker.standard.track(rendered.stems[0])
    #expect(track.f0Hz(atSeconds: 1.5) != nil)
  }

  @Test func anExportHasAllPartsInEachFormat() throws {
    let toy = try ToyLibrary()
    let project = try toy.song()
    for format in ProjectExport.formats {
      let folder = toy.folder.file("out-\(format.rawValue)")
      let files = try ProjectExport(format: format).write(
        project.file.takes, of: project, to: folder)
      let ending = format.extensions[0]
      #expect(
        try toy.folder.files(below: "out-\(format.rawValue)") == [
          "pad/mix.\(ending)", "pad/notes.mid", "pad/truth.json", "pad/voice1.\(ending)",
          "pad/voice2.\(ending)", "pad/voice3.\(ending)",
        ])
      #expect(files.count == 6)
      let mix = try AudioFile(reading: folder.appendingPathComponent("pad/mix.\(ending)").path)
      #expect(mix.channels.count == 2 && mix.durationSeconds > 1)
    }
  }

  /// Files that are there stay as they are, and so do others in the folder.
  @Test func anExportReplacesOnlyWhatItMay() throws {
    let toy = try ToyLibrary()
    let project = try toy.song()
    try toy.folder.write("mine", to: "out/pad/notes.txt")
    try toy.folder.write("old", to: "out/pad/mix.wav")
    let folder = toy.folder.file("out")
    var export = ProjectExport()
    #expect(throws: ProjectError.self) {
      try export.write(project.file.takes, of: project, to: folder)
    }
    #expect(try toy.folder.files(below: "out") == ["pad/mix.wav", "pad/notes.txt"])
    export.replacesFiles = true
    _ = try export.write(project.file.takes, of: project, to: folder)
    #expect(try String(contentsOf: toy.folder.file("out/pad/notes.txt"), encoding: .utf8) == "mine")
    #expect(try AudioFile(reading: toy.folder.path("out/pad/mix.wav")).channels.count == 2)
  }

  /// Voices that the take no longer has, and another format: gone; files of another kind stay.
  @Test func anExportReplacesEarlierFilesOfItsParts() throws {
    let toy = try ToyLibrary()
    let project = try toy.song()
    for name in ["voice4.wav", "mix.flac", "truth.json", "mix.txt", "voice.wav"] {
      try toy.folder.write("old", to: "out/pad/\(name)")
    }
    var export = ProjectExport(parts: [.mix, .stems])
    export.replacesFiles = true
    _ = try export.write(project.file.takes, of: project, to: toy.folder.file("out"))
    #expect(
      try toy.folder.files(below: "out") == [
        "pad/mix.txt", "pad/mix.wav", "pad/truth.json", "pad/voice.wav", "pad/voice1.wav",
        "pad/voice2.wav", "pad/voice3.wav",
      ])
  }

  /// The folder appears while the take is rendered, as by another export.
  @Test func anExportKeepsWhatCameMeanwhile() throws {
    let toy = try ToyLibrary()
    let project = try toy.song()
    _ = try ProjectExport(parts: [.mix]).write(
      project.file.takes, of: project, to: toy.folder.file("out")
    ) { _, _ in _ = try? toy.folder.write("theirs", to: "out/other/mix.wav") }
    #expect(try toy.folder.files(below: "out") == ["other/mix.wav", "pad/mix.wav"])
  }

  @Test func aMissingSampleIsNamedAndNothingIsWritten() throws {
    let toy = try ToyLibrary()
    let project = try toy.song()
    try FileManager.default.removeItem(at: project.url(of: "recordings/voice.wav"))
    #expect(project.missingFiles.map(\.file) == ["recordings/voice.wav"])
    let error = #expect(throws: ProjectError.self) {
      try ProjectExport().write(project.file.takes, of: project, to: toy.folder.file("out"))
    }
    #expect(
      error
        == .fileMissing(
          path: project.url(of: "recordings/voice.wav").path, .recording, try ProjectName("lead")))
    #expect(!FileManager.default.fileExists(atPath: toy.folder.path("out")))
  }
}
