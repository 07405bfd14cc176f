import EvaluationSupport
import HostProtocol
import TestSupport
import Testing

@testable import Subjects

/// Files of plugins: their keys, and the guess of the pitch.
@Suite struct PluginFileTests {
  private let scratch = try! TemporaryFolder()

  @Test(arguments: [
    ("kind: lv2", "kind lv2 needs 'uri'"),
    ("kind: ladspa\nlibrary: x", "kind ladspa needs 'label'"),
    ("kind: clap\nlibrary: x", "kind clap needs 'label'"),
    ("kind: lv2\nuri: \"urn:x\"\nlabel: x", "kind lv2 has no 'label'"),
    ("kind: ladspa\nlibrary: x\nlabel: x\npreset: x", "kind ladspa has no 'preset'"),
    ("kind: folder\nfiles: x.wav\nports: {a: 1}", "kind folder has no 'ports'"),
    ("kind: folder\nfiles: x.wav\nautomation: {a: {1: 1}}", "kind folder has no 'automation'"),
    (
      "kind: lv2\nuri: \"urn:x\"\nautomation: {a: {soon: 1}}",
      "'automation' turns 'a' at 'soon'; write seconds"
    ),
    ("kind: lv2\nuri: \"urn:x\"\nautomation: {a: {-1: 1}}", "'automation' turns 'a' at '-1'"),
    ("kind: lv2\nuri: \"urn:x\"\nautomation: {a: {1: .nan}}", "automation.a.1 is '.nan'"),
    ("kind: lv2\nuri: \"urn:x\"\nautomation: {a: 1}", "automation.a"),
    ("kind: lv2\nuri: \"urn:x\"\ncommand: [x]", "kind lv2 has no 'command'"),
    ("kind: lv2\nuri: \"urn:x\"\nports: {a: \"{input}\"}", "'ports' has {input}"),
    ("kind: lv2\nuri: \"urn:x\"\nports: {a: \"{mine}\"}", "{mine} is neither a place"),
  ])
  func aWrongKeyIsNamed(text: String, words: String) throws {
    let file = try scratch.write("id: x\n\(text)", to: "x.yaml")
    expectError(words) { try SubjectFile(reading: file) }
  }

  private typealias Port = PluginDescription.Port

  private func control(
    _ symbol: String, _ range: ClosedRange<Double>, _ unit: Port.Unit? = nil
  ) -> Port {
    var port = Port(kind: .control, symbol: symbol, name: symbol.replacing("_", with: " "))
    (port.minimum, port.maximum, port.unit) = (range.lowerBound, range.upperBound, unit)
    return port
  }

  private func guess(_ ports: [Port]) throws -> [String: String] {
    try PitchPort(
      of: PluginDescription(address: .lv2(uri: "urn:x"), name: "x", libraryPath: "x", ports: ports)
    ).places
  }

  /// Controls of Rubber Band, a LADSPA scaler, MaPitchshift and a plugin in cents.
  @Test func theIntervalIsFound() throws {
    #expect(
      try guess([
        control("cents", -100...100, .cents), control("semitones", -12...12, .semitones),
        control("octaves", -3...3),
      ]) == ["semitones": "{semitones}"])
    #expect(
      try guess([control("pitch_co_efficient", 0.5...2)]) == ["pitch_co_efficient": "{ratio}"])
    #expect(
      try guess([control("window", 0.1...1000), control("ratio", 0.25...4)])
        == ["ratio": "{ratio}"])
    #expect(try guess([control("detune", -1200...1200)]) == ["detune": "{cents}"])
  }

  /// fat1 has an offset of two semitones and a range of bends beside its twelve switches.
  @Test func aTunersSwitchesAreFound() throws {
    let switches = (0..<12).map { control($0 < 10 ? "m0\($0)" : "m\($0)", 0...1) }
    let others = [
      control("offset", -2...2, .semitones), control("bendrange", 0...7, .semitones),
    ]
    let places = try guess(others + switches)
    #expect(places.count == 12)
    #expect(places["m00"] == "{tone0}" && places["m11"] == "{tone11}")
  }

  @Test func aPluginWithoutPitchIsRefused() throws {
    expectError("looks like a pitch; it has delay_ms (0 to 2000)") {
      try guess([control("delay_ms", 0...2000)])
    }
  }

  /// The text of a file reads as a subject.
  @Test func theTextIsAFile() throws {
    let description = PluginDescription(
      address: .lv2(uri: "http://example.org/My\"Pitch"), name: "My \"pitch\"", libraryPath: "x",
      ports: [control("pitch", -12...12), control("mix", 0...1)])
    let url = try scratch.write(try PluginFileText(description).text, to: "x.yaml")
    let file = try SubjectFile(reading: url)
    #expect(file.uri == "http://example.org/My\"Pitch")
    #expect(file.title == "My \"pitch\"")
    #expect(file.ports == ["pitch": .text("{semitones}")])
  }
}
