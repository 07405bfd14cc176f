import AudioFile
import Foundation
import TestSupport
import Testing

/// `choir play` by a client of JACK that returns what it gets, a known number of samples later.
@Suite(.serialized, .enabled(if: JackServer.isInstalled, Comment(rawValue: JackServer.advice)))
struct PlayThroughTests {
  /// A server on which `jack_latent_client` delays by 1024 samples. It does so whatever number it gets,
  /// and crashes without one.
  private struct Bench {
    static let delay = 1024
    let shell: Shell
    let server: JackServer
    private let client = Process()

    init() throws {
      (shell, server) = (try Shell(), try JackServer())
      client.executableURL = URL(fileURLWithPath: "/usr/bin/jack_latent_client")
      client.arguments = ["latent", "1"]
      client.environment = server.environment
      (client.standardOutput, client.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
      try client.run()
      _ = try type("for n in {1..100}; do jack_lsp | grep -q latent && break; sleep .05; done")
    }

    func type(_ line: String) throws -> Shell.Answer {
      try shell.type("export JACK_DEFAULT_SERVER=\(server.name); \(line)")
    }

    /// Kills the client, which inherits a thread's blocked signals and may not hear others.
    func end() {
      kill(client.processIdentifier, SIGKILL)
      client.waitUntilExit()
    }
  }

  @Test func theOutputIsTheInputLaterByTheClientsDelay() throws {
    let bench = try Bench()
    defer { bench.end() }
    let answer = try bench.type("choir play latent in.wav out.wav --freewheel")
    #expect(answer.status == 0, "\(answer.errors)")
    let sent = try AudioFile(reading: bench.shell.path("in.wav")).mono.samples
    let heard = try AudioFile(reading: bench.shell.path("out.wav")).mono.samples
    #expect(heard.count == sent.count)
    #expect(heard.prefix(Bench.delay).allSatisfy { $0 == 0 })
    let isEqual = Array(heard.dropFirst(Bench.delay)) == Array(sent.dropLast(Bench.delay))
    #expect(isEqual)
  }

  /// Sounds of two calls at once would add up.
  @Test func callsAtOnceTakeTurns() throws {
    let bench = try Bench()
    defer { bench.end() }
    let answer = try bench.type(
      """
      for n in 1 2 3; do choir play latent in.wav out-$n.wav --freewheel & done; wait
      cmp out-1.wav out-2.wav && cmp out-2.wav out-3.wav
      """)
    #expect(answer.status == 0, "\(answer.errors)")
    let sent = try AudioFile(reading: bench.shell.path("in.wav")).mono.samples
    let heard = try AudioFile(reading: bench.shell.path("out-3.wav")).mono.samples
    #expect(heard.last == sent[sent.count - 1 - Bench.delay])
  }

  @Test func whatCannotBePlayedIsSaid() throws {
    let bench = try Bench()
    defer { bench.end() }
    let missing = try bench.type("choir play nobody in.wav out.wav")
    #expect(missing.status == 2)
    #expect(missing.words.contains("there is no audio output port 'nobody'"))
    try bench.shell.write("", "none.mid")
    let unread = try bench.type("choir play latent in.wav out.wav --midi none.mid")
    #expect(unread.status == 2)
    let rate = try bench.type(
      "choir synth vowels-bass --rate-hz 44100; choir play latent vowels-bass.wav out.wav")
    #expect(rate.status == 2)
    #expect(rate.words.contains("restart the server with -r 44100"))
    #expect(!bench.shell.contents.contains("out.wav"))
  }
}
