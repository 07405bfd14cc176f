import ArgumentParser
import AudioFile
import CommandSupport
import Files
import Foundation
import JackAudio
import Projects

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
      guard !part.isEmpty else {
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
    @Option(help: "JACK port to record; default: the first of the sound card.") var input: String?
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
      guard input == nil || from == "jack" else {
        throw ValidationError("--input is for --from jack; leave it out.")
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
      let folder = try ScratchFolder()
      let file = folder.file("\(name).wav")
      let (stream, failure) = try from == "-" ? recordPipe(to: file) : recordJack(to: file)
      guard stream.frameCount > 0 else {
        throw failure ?? ProjectFailure("nothing was recorded; check that sound comes in")
      }
      try stream.finish()
      try project.add(recording: file, as: name, sample: part.settings())
      let length = "\(format(stream.durationSeconds, 2)) s"
      print("\(project.name): recorded \(name), \(length)")
      if let failure {
        throw ProjectFailure("\(failure); \(length) are kept as \(name)")
      }
    }

    /// Refuses sound that is not 32-bit floats: whole numbers read as floats are huge or no numbers.
    private func refuseOtherFormats(_ samples: [Float]) throws {
      guard let strange = samples.first(where: { !($0.magnitude < 1000) }) else { return }
      throw ProjectFailure(
        "standard input has a sample of \(strange), where full scale is 1; send 32-bit floats, for "
          + "example arecord -f FLOAT_LE")
    }

    /// Records standard input until it ends.
    private func recordPipe(to file: URL) throws -> (AudioFileStream, (any Error)?) {
      let stream = try AudioFileStream(
        to: file.path, channelCount: 1, sampleRateHz: rateHz ?? 48_000)
      let stop = LiveStop()
      let most = seconds.map { Int($0 * stream.sampleRateHz) } ?? .max
      var rest = Data()
      while stream.frameCount < most, stop.signal == nil {
        var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 100) != 0 else { continue }
        guard let data = try FileHandle.standardInput.read(upToCount: 16_384), !data.isEmpty else {
          break
        }
        rest += data
        let samples = [Float](data: rest)
        try refuseOtherFormats(samples)
        try stream.write(interleaved: Array(samples.prefix(most - stream.frameCount)))
        rest = Data(rest.dropFirst(4 * samples.count))
      }
      if !rest.isEmpty {
        Terminal.printError(
          "warning: standard input ends inside a sample; its last "
            + "\(rest.count == 1 ? "byte is" : "\(rest.count) bytes are") ignored")
      }
      return (stream, nil)
    }

    /// Records a port of a JACK server until the time is over, Ctrl-C, or the server's end.
    private func recordJack(to file: URL) throws -> (AudioFileStream, (any Error)?) {
      let client = try JackClient("choir-record", .init(inputs: ["in"]))
      if let rateHz, rateHz != client.sampleRateHz {
        throw JackError.rate(serverHz: client.sampleRateHz, wantedHz: rateHz)
      }
      let microphone = client.portNames(.audioSource, onlyPhysical: true).first
      let source = try input.map { try client.port($0, .audioSource) } ?? microphone
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
        try stream.write(
          interleaved: Array(recorder.samples.popAll().prefix(most - stream.frameCount)))
        if client.isGone { return (stream, JackError.serverGone(reason: "")) }
      }
      client.close()
      return (stream, nil)
    }
  }
}
