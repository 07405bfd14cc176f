/// A failure of the JACK server or of a connection; each description ends with a remedy.
public enum JackError: Error, Equatable, Sendable, CustomStringConvertible {
  case noServer
  case refused(client: String)
  case notLocked(path: String)
  /// The server's rate is not the one asked for.
  case rate(serverHz: Double, wantedHz: Double)
  /// A recording to play has another rate than the server.
  case recordingRate(path: String, hz: Double, serverHz: Double)
  case noMIDIInput(client: String)
  /// The server missed periods in every take.
  case missedPeriods(takes: Int)
  case noPort(String, kind: String, others: [String])
  case notConnected(from: String, to: String)
  case notActivated(client: String)
  /// The server ended or dropped the client.
  case serverGone(reason: String)

  public var description: String {
    switch self {
    case .noServer:
      "no JACK server is running; start one, such as: jackd -d alsa, or without a sound card: "
        + "jackd -r -d dummy. With PipeWire, begin the command with pw-jack"
    case .refused(let client):
      "the JACK server refuses the client '\(client)'; see the server's messages, or restart it"
    case .notLocked(let path):
      "\(path), by which programs take turns at the JACK server, can't be locked; check that it can be "
        + "written"
    case .rate(let serverHz, let wantedHz):
      "the JACK server runs at \(Int(serverHz)) Hz, not at \(Int(wantedHz)) Hz; leave out --rate-hz, "
        + "or restart the server with -r \(Int(wantedHz))"
    case .recordingRate(let path, let hz, let serverHz):
      "\(path) has \(Int(hz)) Hz, but the JACK server runs at \(Int(serverHz)) Hz; restart the server "
        + "with -r \(Int(hz))"
    case .noMIDIInput(let client):
      "the JACK client '\(client)' has no MIDI input; leave out --midi, or name its port"
    case .missedPeriods(let takes):
      "the JACK server missed periods in each of \(takes) takes; add --freewheel, start the server with "
        + "larger blocks (-p), or free a core"
    case .noPort(let name, let kind, let others):
      "there is no \(kind) port '\(name)'; "
        + (others.isEmpty
          ? "the server has none: start the program or connect the device that has it"
          : "choose \(others.prefix(8).joined(separator: ", "))")
    case .notConnected(let from, let to):
      "\(from) could not be connected to \(to); check both with jack_lsp -c"
    case .notActivated(let client):
      "the JACK server does not run the client '\(client)'; see the server's messages"
    case .serverGone(let reason):
      "the JACK server ended\(reason.isEmpty ? "" : " (\(reason))"); start it again"
    }
  }
}
