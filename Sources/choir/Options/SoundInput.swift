import ArgumentParser
import CommandSupport
import Foundation
import Instrument
import Music
import Platform

/// Sound that is received while it comes: of a JACK port, or of a pipe.
struct SoundInput: ParsableArguments {
  @Option(help: "Source: jack, or - for raw mono 32-bit floats on standard input.") var from:
    String?
  @Option(help: "End after this many seconds.", in: Bounds.seconds) var seconds: Double?
  @Option(help: "JACK port to hear; default: the first of the sound card.") var jackInput: String?
  @Option(
    help: "Sample rate of standard input; of JACK, the rate to insist on.",
    in: Bounds.sampleRateHz)
  var rateHz: Double?

  func validate() throws {
    guard let from else {
      guard let flag = givenFlags.first else { return }
      throw ValidationError("\(flag) is for sound that comes in; add --from jack or --from -.")
    }
    guard ["jack", "-"].contains(from) else {
      throw ValidationError("--from is '\(from)'; choose jack, or - for standard input.")
    }
    guard jackInput == nil || from == "jack" else {
      throw ValidationError("--jack-input is for --from jack; leave it out.")
    }
  }

  /// Receives sound until it ends, or by --seconds, Ctrl-C or the end of the server.
  ///
  /// - Parameters:
  ///   - click: tempo of a metronome that the sound card plays meanwhile, by JACK.
  ///   - start: takes the sample rate, and returns what takes each stretch of sound and returns false to
  ///     end.
  /// - Returns: the failure that ended it; what came before was passed on.
  func receive(
    click: TempoMap? = nil, _ start: (Double) throws -> ([Float]) throws -> Bool
  ) throws -> (any Error)? {
    try from == "-" ? receivePipe(start) : receiveJack(click, start)
  }

  /// Receives standard input until it ends.
  ///
  /// Sound that is not 32-bit floats is refused at its beginning, since whole numbers read as floats
  /// are huge or no numbers. A sample like that later on becomes 0: a fault of the source that is not
  /// worth the take.
  private func receivePipe(
    _ start: (Double) throws -> ([Float]) throws -> Bool
  ) throws -> (any Error)? {
    let rateHz = rateHz ?? 48_000
    let take = try start(rateHz)
    let stop = LiveStop()
    var left = seconds.map { Int($0 * rateHz) } ?? .max
    var (rest, badCount, isSound, goesOn) = (Data(), 0, false, true)
    while left > 0, goesOn, stop.signal == nil {
      var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, 100) != 0 else { continue }
      guard let data = try? FileHandle.standardInput.read(upToCount: 16_384), !data.isEmpty
      else { break }
      rest += data
      var samples = Array([Float](data: rest).prefix(left))
      rest = Data(rest.dropFirst(4 * samples.count))
      for i in samples.indices where !(samples[i].magnitude < 1000) {
        guard isSound else { throw Self.otherFormat(samples[i]) }
        samples[i] = 0
        badCount += 1
      }
      isSound = isSound || samples.contains { $0 != 0 }
      left -= samples.count
      do { goesOn = try take(samples) } catch { return error }
    }
    if !rest.isEmpty, left > 0, goesOn {
      Terminal.printError(
        "warning: standard input ends inside a sample; its last "
          + "\(rest.count == 1 ? "byte is" : "\(rest.count) bytes are") ignored")
    }
    return badCount == 0 ? nil : Self.badSamples(badCount)
  }

  private static func otherFormat(_ sample: Float) -> Refusal {
    Refusal(
      "standard input has a sample of \(sample), where full scale is 1; send 32-bit floats, for "
        + "example arecord -f FLOAT_LE")
  }

  private static func badSamples(_ count: Int) -> Refusal {
    Refusal(
      "standard input had \(count) \(count == 1 ? "sample" : "samples") beyond 1000, or no number, "
        + "where full scale is 1; they are recorded as 0. Check the source")
  }

  /// Receives a port of a JACK server until the time is over, Ctrl-C, or the server's end.
  private func receiveJack(
    _ click: TempoMap?, _ start: (Double) throws -> ([Float]) throws -> Bool
  ) throws -> (any Error)? {
    let client = try JackClient(
      "choir-record", .init(inputs: ["in"], outputs: click == nil ? [] : ["click"]))
    if let rateHz, rateHz != client.sampleRateHz {
      throw JackError.rate(serverHz: client.sampleRateHz, wantedHz: rateHz)
    }
    let microphone = client.portNames(.audioSource, onlyPhysical: true).first
    let source = try jackInput.map { try client.port($0, .audioSource) } ?? microphone
    guard let source else {
      throw JackError.noPort("system:capture_1", kind: "audio output", others: [])
    }
    let take = try start(client.sampleRateHz)
    let recorder = JackRecorder(click: click, sampleRateHz: client.sampleRateHz)
    try client.activate(recorder)
    try client.connect(source, "\(client.name):in")
    if click != nil {
      for sink in client.portNames(.audioSink, onlyPhysical: true).prefix(2) {
        try client.connect("\(client.name):click", sink)
      }
    }
    let stop = LiveStop()
    var left = seconds.map { Int($0 * client.sampleRateHz) } ?? .max
    var goesOn = true
    while left > 0, goesOn, stop.signal == nil {
      usleep(20_000)
      let samples = Array(recorder.samples.popAll().prefix(left))
      left -= samples.count
      do { goesOn = try take(samples) } catch { return error }
      if client.isGone { return JackError.serverGone(reason: "") }
    }
    client.close()
    if client.xrunCount > 0 {
      Terminal.printError(
        "warning: the server missed \(counted(client.xrunCount, "period")), each a gap in the sound"
      )
    }
    let lost = recorder.samples.droppedCount
    return lost > 0 ? Refusal("\(counted(lost, "sample")) were lost; free a core") : nil
  }
}
