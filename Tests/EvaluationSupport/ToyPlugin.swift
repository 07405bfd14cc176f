import Analyzer
import Corpus
import DSP
import Foundation
import Platform
import Subjects
import TestSupport

/// Plugins of Tests/ToyPlugins, built with the machine's C compiler into a temporary folder.
package struct ToyPlugin {
  package static let compiler = ["cc", "clang", "gcc"].lazy.compactMap {
    ProgramFile.path(of: $0, in: FileManager.default.temporaryDirectory, ChildEnvironment.passedOn)
  }.first

  package let scratch = try! TemporaryFolder()

  package init() {}

  /// Builds the source of a name as a shared library.
  private func build(_ source: String, as library: String, _ flags: [String]) throws {
    let child = ChildProcess(
      arguments: [Self.compiler!, "-O1", "-shared", "-fPIC", "-o", scratch.path(library)] + flags
        + [Repository.file("Tests/ToyPlugins/\(source)").path, "-lm"],
      folder: scratch.url)
    _ = try child.run()
  }

  /// A delay line of 64 samples that gains 6 dB an octave, with a fault: `NAN` for `FAULT_NAN`.
  package func ladspa(_ fault: String = "NONE", _ more: String = "") throws -> ExternalSubject {
    try build("ladspa.c", as: "toy.so", ["-DFAULT_\(fault)"])
    return try subject(
      """
      id: toy
      kind: ladspa
      library: ./toy.so
      label: toy
      ports: {semitones: "{semitones}"}
      \(more)
      """)
  }

  /// The same delay line as a plugin of CLAP.
  package func clap(
    _ fault: String = "NONE", _ more: String = "", flags: [String] = [],
    ports: String = "{semi_tones: \"{semitones}\"}"
  ) throws -> ExternalSubject {
    try build("clap.c", as: "toy.clap", ["-DFAULT_\(fault)", "-I\(Self.headers)"] + flags)
    return try subject(
      "id: toy\nkind: clap\nlibrary: ./toy.clap\nlabel: org.example.toy\nports: \(ports)\n\(more)")
  }

  /// A CLAP plugin without a fault, by its name in sound.c.
  package func sound(_ name: String, _ more: String = "") throws -> ExternalSubject {
    try build("sound.c", as: "sound.clap", ["-I\(Self.headers)"])
    return try subject("id: toy\nkind: clap\nlibrary: ./sound.clap\nlabel: \(name)\n\(more)")
  }

  private static let headers = Repository.file("Sources/CLibraries/CPluginHost").path

  /// - Parameters:
  ///   - ports: the ports in Turtle, after their common words.
  ///   - words: further Turtle, such as a preset.
  package func lv2(
    _ source: String, ports: [String], required: [String] = [], optional: [String] = [],
    flags: [String] = [], words: String = "", _ more: String
  ) throws -> ExternalSubject {
    try FileManager.default.createDirectory(
      at: scratch.file("toy.lv2"), withIntermediateDirectories: true)
    try build(source, as: "toy.lv2/toy.so", flags)
    let list = ports.enumerated().map { index, port in
      "[ lv2:index \(index) ; lv2:name \"\(index)\" ; \(port) ]"
    }
    let features =
      (required.map { "lv2:requiredFeature <\($0)> ;" }
      + optional.map { "lv2:optionalFeature <\($0)> ;" }).joined(separator: " ")
    try scratch.write(
      """
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      @prefix atom: <http://lv2plug.in/ns/ext/atom#> .
      @prefix doap: <http://usefulinc.com/ns/doap#> .
      <urn:toy> a lv2:Plugin ; doap:name "Toy" ; lv2:binary <toy.so> ; \(features)
        lv2:port \(list.joined(separator: ", ")) .
      \(words)
      """, to: "toy.lv2/manifest.ttl")
    return try subject(
      """
      id: toy
      kind: lv2
      uri: "urn:toy"
      environment: {LV2_PATH: \(scratch.url.path)}
      \(more)
      """)
  }

  package static let input = "a lv2:AudioPort, lv2:InputPort ; lv2:symbol \"in\""
  package static let output = "a lv2:AudioPort, lv2:OutputPort ; lv2:symbol \"out\""
  package static let gain =
    "a lv2:ControlPort, lv2:InputPort ; lv2:symbol \"gain\" ; lv2:default 0.5 ; lv2:minimum 0 ; "
    + "lv2:maximum 1"

  /// A gain with the functions of choir_subject.h.
  package func library(_ ports: String, _ more: String = "") throws -> ExternalSubject {
    try library(of: "library.c", [], ports, more)
  }

  /// A pitch shifter with the functions of choir_subject.h, with a fault.
  package func shifter(_ fault: String = "NONE") throws -> ExternalSubject {
    try library(of: "shifter.c", ["-DFAULT_\(fault)"], "{semitones: \"{semitones}\"}", "")
  }

  private func library(
    of source: String, _ flags: [String], _ ports: String, _ more: String
  ) throws -> ExternalSubject {
    try build(source, as: "toy.so", flags + ["-I\(Self.headers)"])
    return try subject("id: toy\nkind: library\nlibrary: ./toy.so\nports: \(ports)\n\(more)")
  }

  package func subject(_ text: String) throws -> ExternalSubject {
    try ExternalSubject(reading: scratch.write(text, to: "toy.yaml"))
  }

  // MARK: Sound

  /// Noise, in which any sample that is missing or late shows.
  package static let noise: Signal = {
    var generator = SeededGenerator(seed: 23)
    return Signal(
      (0..<24_000).map { _ in Float.random(in: -0.25...0.25, using: &generator) },
      sampleRateHz: 48_000)
  }()

  package static func score(_ intervals: [Double]) -> ResolvedScore {
    resolved(Score(id: "test", intervalsSemitones: intervals))
  }

  package static func resolved(_ score: Score) -> ResolvedScore {
    ResolvedScore(score, lead: PitchTrack(hopSeconds: 0.005, f0Hz: [220, 220]))
  }

  package static func delayed(by samples: Int, gain: Float = 1) -> [Float] {
    [Float](repeating: 0, count: samples) + noise.samples.dropLast(samples).map { gain * $0 }
  }
}
