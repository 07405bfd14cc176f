import AudioFile
import Foundation
import TestSupport
import Testing

/// `live` and `project record` at the ends of a server: none, one of another rate, one that goes away.
@Suite(.serialized, .enabled(if: JackServer.isInstalled, Comment(rawValue: JackServer.advice)))
struct LiveCommandTests {
  @Test func withoutAServerTheWayOutIsNamed() throws {
    let shell = try Shell()
    let answer = try shell.type("JACK_DEFAULT_SERVER=choir-nobody choir live --seconds 1")
    #expect(answer.status == 2)
    #expect(answer.words.contains("no JACK server is running; start one, such as: jackd"))
  }

  @Test func aSessionIsRecordedWithItsTruth() throws {
    let (shell, server) = (try Shell(), try JackServer())
    let jack = "export JACK_DEFAULT_SERVER=\(server.name)"
    let answer = try shell.type(
      "\(jack); choir live --intervals 4,7 --seconds 1 --output out.flac --json")
    #expect(answer.status == 0, "\(answer.errors)")
    let sound = try AudioFile(reading: shell.path("out.flac"))
    #expect(sound.channels.count == 2)
    #expect(sound.frameCount == 48_000)
    #expect(
      String(decoding: try shell.bytes("out.truth.json"), as: UTF8.self).contains("truth-log"))
    #expect(answer.output.contains("\"allocations\" : 0"))
    let again = try shell.type("\(jack); choir live --seconds 1 --output out.flac")
    #expect(again.status == 64)
    #expect(again.words.contains("out.flac exists"))
  }

  @Test func aRateThatDiffersAndAPortThatIsMissingAreRefused() throws {
    let (shell, server) = (try Shell(), try JackServer())
    let jack = "export JACK_DEFAULT_SERVER=\(server.name)"
    let rate = try shell.type("\(jack); choir live --seconds 1 --rate-hz 44100")
    #expect(rate.status == 2)
    #expect(rate.words.contains("runs at 48000 Hz, not at 44100 Hz"))
    let midi = try shell.type("\(jack); choir live --seconds 1 --jack-midi keyboard")
    #expect(midi.status == 2)
    #expect(midi.words.contains("there is no MIDI output port 'keyboard'"))
  }

  /// The server is killed in the middle; what was recorded is a whole file.
  @Test(arguments: [
    "live --no-connect --output out.wav", "project record song --from jack --as lead",
  ])
  func aServerThatGoesAwayLeavesTheRecording(words: String) throws {
    let (shell, server) = (try Shell(), try JackServer())
    _ = try shell.type("choir project new song")
    let process = Process()
    process.executableURL = Built.choir
    process.arguments = words.split(separator: " ").map(String.init)
    process.currentDirectoryURL = shell.folder
    process.environment = server.environment
    let errors = Pipe()
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, errors)
    try process.run()
    usleep(1_500_000)
    server.stop()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 2)
    #expect(text.contains("the JACK server ended") && text.contains("are kept"), "\(text)")
    let path = words.hasPrefix("live") ? "out.wav" : "Projects/song/recordings/lead.wav"
    #expect(try AudioFile(reading: shell.path(path)).durationSeconds > 0.2)
  }

  /// A second client records the click: 120 beats a minute are 24,000 samples apart. It starts when the first has
  /// its ports; else it might take the first one's name.
  @Test func aClickSoundsWhileRecording() throws {
    let (shell, server) = (try Shell(), try JackServer())
    let answer = try shell.type(
      """
      export JACK_DEFAULT_SERVER=\(server.name); choir project new song
      '\(Built.choir.path)' project record song --from jack --as lead --tempo 120 --seconds 120 &
      until jack_lsp | grep -q choir-record:click; do kill -0 $! || break; sleep .05; done
      choir project record song --from jack --jack-input choir-record:click --as click --seconds 1.6
      kill $!; wait
      """)
    let sound = try AudioFile(reading: shell.path("Projects/song/recordings/click.wav")).channels[0]
    let starts = sound.indices.filter { i in
      sound[i] != 0 && sound[max(0, i - 1000)..<i].allSatisfy { $0 == 0 } && i > 1000
    }
    #expect(starts.count >= 2, "\(answer.errors)")
    // A block that a busy machine misses is 64 samples.
    #expect(zip(starts, starts.dropFirst()).contains { abs($1 - $0 - 24_000) <= 64 }, "\(starts)")
    let lead = try AudioFile(reading: shell.path("Projects/song/recordings/lead.wav")).channels[0]
    #expect(lead.allSatisfy { $0 == 0 })
  }

  /// A server that runs far ahead of the clock: what finds no room is not silently a shorter take.
  @Test func soundThatIsLostIsSaid() throws {
    let (shell, server) = (try Shell(), try JackServer(blockSize: 4096))
    let answer = try shell.type(
      """
      export JACK_DEFAULT_SERVER=\(server.name); choir project new song
      choir project record song --from jack --as lead --seconds 200 &
      until jack_lsp | grep -q choir-record; do kill -0 $! || break; sleep .05; done
      jack_freewheel y; wait $!
      """)
    #expect(answer.status == 2)
    #expect(answer.words.contains("samples were lost; free a core"), "\(answer.errors)")
    #expect(answer.words.contains("200.00 s are kept as lead"), "\(answer.errors)")
  }

  /// Ctrl-C is the usual end.
  @Test func ctrlCKeepsTheRecording() throws {
    let (shell, server) = (try Shell(), try JackServer())
    let answer = try shell.type(
      "export JACK_DEFAULT_SERVER=\(server.name); timeout --signal INT 1.5 "
        + "'\(Built.choir.path)' live --no-connect --output out.flac --quiet; echo $?")
    #expect(answer.output.contains("out.flac"), "\(answer.errors)")
    #expect(try AudioFile(reading: shell.path("out.flac")).durationSeconds > 0.2)
  }
}
