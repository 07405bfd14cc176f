import Analyzer
import Corpus
import DSP
import Testing

@testable import Metrics

@Suite struct GradeTableTests {
  @Test func aLineGivesAGradeToClasses() throws {
    let table = GradeTable(
      parsing: """
        pitch.bias decides vowels-low speech-high
        pitch.bias invalid noisy-low
        nonsense
        pitch.lag brilliant vowels-low
        """)
    #expect(table["pitch.bias", .init(.vowels, .low)] == .decides)
    #expect(table["pitch.bias", .init(.speech, .high)] == .decides)
    #expect(table["pitch.bias", .init(.noisy, .low)] == .invalid)
    #expect(table["pitch.bias", .init(.room, .low)] == nil)
    #expect(table["pitch.lag", .init(.vowels, .low)] == nil)
  }

  /// A class without a line has the grade of the nearest register of its material.
  @Test func theNearestRegisterStandsIn() {
    let table = GradeTable(
      parsing: """
        pitch.bias decides vowels-low
        pitch.bias invalid vowels-high noisy-high
        """)
    #expect(table.nearest("pitch.bias", .init(.vowels, .low)) == .decides)
    #expect(table.nearest("pitch.bias", .init(.vowels, .high)) == .invalid)
    #expect(table.nearest("pitch.bias", .init(.vowels, .middle)) == .decides)
    #expect(table.nearest("pitch.bias", .init(.noisy, .low)) == .invalid)
    #expect(table.nearest("pitch.bias", .init(.room, .low)) == nil)
  }

  /// Other tests answer for a metric where the class is unknown, or if no ladder tries it.
  @Test func aMetricDecidesWhereItsGradeSaysSo() throws {
    let kinds = RecordingClass.Material.allCases.flatMap { material in
      RecordingClass.Register.allCases.map { RecordingClass(material, $0) }
    }
    for metric in Metric.builtIn {
      #expect(metric.decides(on: nil) == true)
      for kind in kinds where GradeTable.shared.knows(metric.id) {
        #expect(metric.decides(on: kind) == (metric.grade(on: kind) == .decides))
      }
    }
    #expect(Metric.decides("cpu.realtime_factor", on: .init(.speech, .low)) == true)
  }

  /// Systems are ranked by wrong pitch, lost voices, clicks and formants on clean singing.
  @Test(arguments: [
    "pitch.abs_error", "pitch.bias", "voice.missing", "clicks.count", "formant.ratio",
    "modulation.added", "timbre.tilt_change",
  ])
  func systemsCanBeRanked(id: String) throws {
    let metric = try #require(Metric.metric(id: id))
    for register in [RecordingClass.Register.low, .middle] {
      #expect(metric.decides(on: .init(.vowels, register)) == true, "\(register)")
    }
  }

  /// Every graded metric exists.
  @Test func theTableNamesMetrics() {
    let ids = Set(Metric.builtIn.map(\.id))
    for line in GradeTable.text.split(separator: "\n") where !line.hasPrefix("#") {
      let id = String(line.split(separator: " ")[0])
      #expect(ids.contains(id), "\(id)")
    }
  }

  @Test(arguments: [
    ("spoken", "clean", 110.0, "speech-low"), ("sung", "clean", 220, "vowels-middle"),
    ("sung", "clean", 440, "vowels-high"), ("spoken", "room(rt60S=0.5)", 110, "room-low"),
    ("sung", "noise(snrDb=20)", 300, "noisy-high"),
  ])
  func aRecordingHasAClass(kind: String, condition: String, hz: Double, expected: String) throws {
    let entry = ManifestEntry(id: "x", voice: "tenor", kind: kind)
    let recording = Recording(entry: entry, signal: Signal([], sampleRateHz: 48_000), digest: "")
    let lead = PitchTrack(hopSeconds: 0.005, f0Hz: [0, hz, hz, hz, 0])
    let found = RecordingClass(of: recording, under: try Condition(condition), lead: lead)
    #expect(found.description == expected && RecordingClass(expected) == found)
  }
}
