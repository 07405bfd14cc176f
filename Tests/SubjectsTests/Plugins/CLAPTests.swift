import Corpus
import DSP
import EvaluationSupport
import Foundation
import HostProtocol
import Music
import Platform
import TestSupport
import Testing

@testable import Metrics
@testable import Subjects

/// Plugins of CLAP: their sound, events and faults, and that they equal the same plugin as LV2.
@Suite(.enabled(if: ToyPlugin.compiler != nil, "no C compiler: apt-get install gcc"))
struct CLAPTests {
  private let toy = ToyPlugin()

  @Test(arguments: [1.0, 100, 128, 4096])
  func soundIsLateByTheStatedLatency(blockSize: Double) throws {
    let rendering = try toy.clap().render(
      ToyPlugin.noise, score: ToyPlugin.score([12]), settings: ["blockSize": .number(blockSize)])
    #expect(rendering.mix.samples == ToyPlugin.delayed(by: 64, gain: 2))
    #expect(rendering.reportedLatencyMs == 64.0 / 48)
  }

  @Test func itsControlsAreTheParametersThatItShows() throws {
    let plugin = try #require(try toy.clap().plugin?.get())
    let control = try #require(plugin.control("semi_tones"))
    #expect(plugin.ports(.control).map(\.symbol) == ["semi_tones", "drive", "bypass"])
    #expect(plugin.control("bypass")?.bypassValue == 1)
    #expect([control.minimum, control.maximum, control.preset] == [-12, 12, 0])
    #expect(control.unit == .semitones)
  }

  /// 0.101 s are sample 4848, in the middle of a block.
  @Test func controlsTurnWhileSoundRuns() throws {
    let output = try toy.clap("NONE", "automation: {semi_tones: {0.101: 12}}")
      .render(ToyPlugin.noise, score: ToyPlugin.score([0]), settings: [:]).mix.samples
    let (plain, loud) = (ToyPlugin.delayed(by: 64), ToyPlugin.delayed(by: 64, gain: 2))
    #expect(output == Array(plain[..<4848] + loud[4848...]))
  }

  /// A key adds 100 at its frame, as a note of CLAP or as a message of MIDI: 0.105 s are sample 5040.
  @Test(arguments: [[], ["-DSPEAKS_MIDI"]])
  func keysReachThePlugin(flags: [String]) throws {
    let subject = try toy.clap("NONE", flags: flags, ports: "{notes1: \"{midi}\"}")
    let note = Score(id: "test", .notes([NoteAction(atSeconds: 0.105, press: [NoteNumber(60)])]))
    let output = try subject.render(
      ToyPlugin.noise, score: ToyPlugin.resolved(note), settings: [:]
    ).mix.samples
    let delayed = ToyPlugin.delayed(by: 64)
    #expect(output == delayed.indices.map { ($0 < 5040 ? 0 : 100) + delayed[$0] })
  }

  /// A plugin whose latency changes asks to be activated anew, and starts without its past.
  @Test func aRestartIsGranted() throws {
    let rendering = try toy.clap("RESTARTS").render(
      ToyPlugin.noise, score: ToyPlugin.score([0]), settings: [:])
    #expect(rendering.reportedLatencyMs == 32.0 / 48)
    #expect(rendering.mix.samples[1280..<1344].allSatisfy { $0 == 0 })
    #expect(rendering.mix.samples[1344] == ToyPlugin.noise.samples[1280])
  }

  @Test func aResetEqualsAFreshStart() throws {
    let subject = try #require(try toy.clap().judged as? any LiveSubject)
    let contract = LiveContract.tried(
      on: subject, singing: Score(id: "test", intervalsSemitones: [0]), settings: [:],
      sampleRateHz: 48_000)
    #expect(try contract.get().changedShare == 0)
  }

  @Test(arguments: [
    ("ERROR", "failed: the plugin answers a block with an error"),
    ("CRASHES", "crashed: segmentation fault"),
    ("OUT_OF_BOUNDS", "out of bounds: wrote at sample 128 of port 'out1_1'"),
    ("REFUSES", "refuses to start"), ("REFUSES_RATE", "refuses 48000.0 Hz"),
    ("OLD", "is of a CLAP before 1.0"), ("NO_ENTRY", "has no CLAP plugins"),
  ])
  func aFaultHasItsName(fault: String, words: String) throws {
    expectError(words) {
      try toy.clap(fault).render(ToyPlugin.noise, score: ToyPlugin.score([0]), settings: [:])
    }
  }

  /// ZamGrains begins with other values than the defaults that it states, until its controls are set;
  /// ZamHeadX2 is another sound in each format, and the same in each run.
  private static let different = ["com.zamaudio.ZamGrains", "com.zamaudio.ZamHeadX2"]

  /// Every plugin that is installed as CLAP and as LV2 gives the same sound to the bit.
  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: "/usr/lib/clap/ZamComp.clap"),
      "zam-plugins is not installed: apt-get install zam-plugins"))
  func aPluginEqualsItsLV2() throws {
    let all = try PluginHost.installed()
    var compared = 0
    for plugin in all {
      guard case .clap(let file, let id) = plugin.address, !Self.different.contains(id),
        let twin = all.first(where: { $0.name == plugin.name && $0.address.isLV2 }),
        case .lv2(let uri) = twin.address
      else { continue }
      let sounds = try ["kind: clap\nlibrary: \(file)\nlabel: \(id)", "kind: lv2\nuri: \"\(uri)\""]
        .map {
          try toy.subject("id: x\n\($0)\nchannels: 1").render(
            ToyPlugin.noise, score: ToyPlugin.score([]), settings: [:]
          ).mix.samples
        }
      #expect(sounds[0] == sounds[1], "\(plugin.name)")
      #expect(sounds[0].contains { $0 != 0 }, "\(plugin.name)")
      compared += 1
    }
    #expect(compared >= 15)
  }
}

extension PluginAddress {
  fileprivate var isLV2: Bool { if case .lv2 = self { true } else { false } }
}
