import ArgumentParser
import AudioFile
import CommandSupport
import Foundation
import Instrument

extension ProjectCommand {
  struct Crop: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Set the part of a recording that is played: start, end, speed, level and loop.",
      discussion: """
        The file itself is never changed: every setting can be set again. Hear it by choir live.

          choir project crop song --recording lead --start 0.5 --end 4
          choir project crop song --recording lead --speed 0.5 --loop 1.2-2.5
          choir project crop song --recording lead --loop none
          choir live --project song --recording lead
        """)

    @Argument(help: "Name of the project.") var project: String
    @Option(help: "Name of the recording.") var recording: String
    @OptionGroup(title: "Part") var part: SampleOptions
    @OptionGroup var place: Library

    func validate() throws {
      guard !part.givenFlags.isEmpty else {
        throw ValidationError("Nothing to set; give --start, --end, --speed, --loop or --gain-db.")
      }
      _ = try part.settings()
    }

    func run() throws {
      var project = try place.library.project(named: project)
      let found = try project.recording(recording)
      try project.setSample(part.settings(changing: found.sample), ofRecording: found.name)
      let sample = try project.sample(of: project.recording(recording))
      print(
        "\(project.name): \(found.name) lasts \(format(sample.durationSeconds, 3)) s"
          + (sample.loop == nil ? "" : ", and loops"))
    }
  }

  struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Record into a project, from JACK or from a pipe.",
      discussion: """
        Records the input as it is; takes of the project add the voices. Ctrl-C ends, and keeps what was \
        recorded. A pipe brings raw mono 32-bit floats in the machine's byte order.

          choir project record song --from jack --as lead
          choir project record song --from jack --as lead --seconds 8 --start 0.5 --loop 2-4
          arecord -f FLOAT_LE -r 48000 | choir project record song --from - --as lead
        """)

    @Argument(help: "Name of the project.") var project: String
    @Option(help: "Source: jack, or - for standard input.") var from: String
    @Option(name: .customLong("as"), help: "Name of the new recording.") var itemName: String
    @Option(help: "End after this many seconds.", in: Bounds.seconds) var seconds: Double?
    @Option(help: "JACK port to record; default: the first of the sound card.")
    var jackInput: String?
    @Option(
      help: "Sample rate of standard input; of JACK, the rate to insist on.",
      in: Bounds.sampleRateHz)
    var rateHz: Double?
    @OptionGroup(title: "Part") var part: SampleOptions
    @OptionGroup var place: Library
    @OptionGroup var quietness: Quietness

    func validate() throws {
      guard ["jack", "-"].contains(from) else {
        throw ValidationError("--from is '\(from)'; choose jack, or - for standard input.")
      }
      guard jackInput == nil || from == "jack" else {
        throw ValidationError("--jack-input is for --from jack; leave it out.")
      }
      _ = try ProjectCommand.name(itemName, "--as")
      _ = try part.settings()
    }

    func run() throws {
      var project = try place.library.project(named: project)
      let name = try ProjectName(itemName)
      // Refused before anybody sings.
      guard !project.file.names(of: .recording).contains(name) else {
        throw ProjectError.itemExists(.recording, name, project: project.name)
      }
      // Into the project itself: whatever fails later, the file is there.
      let file = try project.placeForRecording(name)
      let (stream, failure) = try from == "-" ? recordPipe(to: file) : recordJack(to: file)
      guard stream.frameCount > 0 else {
        throw failure ?? ProjectFailure("nothing was recorded; check that sound comes in")
      }
      try stream.finish()
      let length = "\(format(stream.durationSeconds, 2)) s"
      do { try project.add(recording: file, as: name, sample: part.settings()) } catch {
        let cause = failure.map { "\($0); " } ?? ""
        throw ProjectFailure(
          "\(cause)\(error); \(length) are kept in \(file.relativePath): add them by choir project add "
            + "\(project.name) --recording \(file.relativePath) --as \(name)")
      }
      print("\(project.name): recorded \(name), \(length)")
      if let failure {
        throw ProjectFailure("\(failure); \(length) are kept as \(name)")
      }
    }

    /// Records standard input until it ends.
    ///
    /// Sound that is not 32-bit floats is refused at its beginning, since whole numbers read as floats
    /// are huge or no numbers. A sample like that later on is recorded as 0: a fault of the source
    /// that is not worth the take.
    private func recordPipe(to file: URL) throws -> (AudioFileStream, (any Error)?) {
      let stream = try AudioFileStream(
        to: file.path, channelCount: 1, sampleRateHz: rateHz ?? 48_000)
      let stop = LiveStop()
      let most = seconds.map { Int($0 * stream.sampleRateHz) } ?? .max
      var (rest, badCount, isSound) = (Data(), 0, false)
      while stream.frameCount < most, stop.signal == nil {
        var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 100) != 0 else { continue }
        guard let data = try? FileHandle.standardInput.read(upToCount: 16_384), !data.isEmpty
        else { break }
        rest += data
        var samples = Array([Float](data: rest).prefix(most - stream.frameCount))
        rest = Data(rest.dropFirst(4 * samples.count))
        for i in samples.indices where !(samples[i].magnitude < 1000) {
          guard isSound else { throw Self.otherFormat(samples[i]) }
          samples[i] = 0
          badCount += 1
        }
        isSound = isSound || samples.contains { $0 != 0 }
        do { try stream.write(interleaved: samples) } catch { return (stream, error) }
      }
      if !rest.isEmpty, stream.frameCount < most {
        Terminal.printError(
          "warning: standard input ends inside a sample; its last "
            + "\(rest.count == 1 ? "byte is" : "\(rest.count) bytes are") ignored")
      }
      return (stream, badCount == 0 ? nil : Self.badSamples(badCount))
    }

    private static func otherFormat(_ sample: Float) -> ProjectFailure {
      ProjectFailure(
        "standard input has a sample of \(sample), where full scale is 1; send 32-bit floats, for "
          + "example arecord -f FLOAT_LE")
    }

    private static func badSamples(_ count: Int) -> ProjectFailure {
      ProjectFailure(
        "standard input had \(count) \(count == 1 ? "sample" : "samples") beyond 1000, or no number, "
          + "where full scale is 1; they are recorded as 0. Check the source")
    }

    /// Records a port of a JACK server until the time is over, Ctrl-C, or the server's end.
    private func recordJack(to file: URL) throws -> (AudioFileStream, (any Error)?) {
      let client = try JackClient("choir-record", .init(inputs: ["in"]))
      if let rateHz, rateHz != client.sampleRateHz {
        throw JackError.rate(serverHz: client.sampleRateHz, wantedHz: rateHz)
      }
      let microphone = client.portNames(.audioSource, onlyPhysical: true).first
      let source = try jackInput.map { try client.port($0, .audioSource) } ?? microphone
      guard let source else {
        throw JackError.noPort("system:capture_1", kind: "audio output", others: [])
      }
      let stream = try AudioFileStream(
        to: file.path, channelCount: 1, sampleRateHz: client.sampleRateHz)
      let recorder = JackRecorder()
      try client.activate(recorder)
      try client.connect(source, "\(client.name):in")
      let stop = LiveStop()
      let most = seconds.map { Int($0 * client.sampleRateHz) } ?? .max
      while stream.frameCount < most, stop.signal == nil {
        usleep(20_000)
        do {
          try stream.write(
            interleaved: Array(recorder.samples.popAll().prefix(most - stream.frameCount)))
        } catch { return (stream, error) }
        if client.isGone { return (stream, JackError.serverGone(reason: "")) }
      }
      client.close()
      return (stream, nil)
    }
  }
}
