import ArgumentParser
import AudioFile
import CommandSupport
import Foundation
import Instrument
import Music
import Platform

extension ProjectCommand {
  struct Crop: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Set the part of a recording that is played: start, end, speed, level and loop.",
      discussion: """
        The file itself is never changed: every setting can be set again. Hear it by choir live.

          choir project crop song --recording lead --start 0.5 --end 4
          choir project crop song --recording lead --speed 0.5 --loop 1.2-2.5
          choir project crop song --recording lead --to-end --loop none
          choir live --project song --recording lead
        """)

    @Argument(help: "Name of the project.") var project: String
    @Option(help: "Name of the recording.") var recording: String
    @OptionGroup(title: "Part") var part: SampleOptions
    @Flag(help: "Play to the recording's end again.") var toEnd = false
    @OptionGroup var place: Library

    func validate() throws {
      guard toEnd || !part.givenFlags.isEmpty else {
        throw ValidationError(
          "Nothing to set; give --start, --end, --to-end, --speed, --loop or --gain-db.")
      }
      guard !toEnd || part.end == nil else {
        throw ValidationError("--end and --to-end are both given; keep one.")
      }
      _ = try part.settings()
    }

    func run() throws {
      var project = try place.library.project(named: project)
      let found = try project.recording(recording)
      var sample = found.sample
      if toEnd { sample.endSeconds = nil }
      try project.setSample(part.settings(changing: sample), ofRecording: found.name)
      let played = try project.sample(of: project.recording(recording))
      print(
        "\(project.name): \(found.name) lasts \(format(played.durationSeconds, 3)) s"
          + (played.loop == nil ? "" : ", and loops"))
    }
  }

  struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Record into a project, from JACK or from a pipe.",
      discussion: """
        Records the input as it is; takes of the project add the voices. Ctrl-C ends or pauses, and keeps \
        what was recorded; the same command with --append goes on. A pipe brings raw mono 32-bit floats \
        in the machine's byte order.

          choir project record song --from jack --as lead --tempo 96
          choir project record song --from jack --as lead --append
          choir project record song --from jack --as lead --seconds 8 --start 0.5 --loop 2-4
          arecord -f FLOAT_LE -r 48000 | choir project record song --from - --as lead
        """)

    @Argument(help: "Name of the project.") var project: String
    @OptionGroup var input: SoundInput
    @Option(name: .customLong("as"), help: "Name of the recording.") var itemName: String
    @Flag(help: "Go on with a recording of that name, at its end.") var append = false
    @Option(
      help:
        "Tempo of a click on the sound card while recording from JACK, in quarter notes per minute.",
      in: TempoMap.tempi)
    var tempo: Double?
    @OptionGroup(title: "Part") var part: SampleOptions
    @OptionGroup var place: Library
    @OptionGroup var quietness: Quietness

    func validate() throws {
      guard let from = input.from else {
        throw ValidationError("--from is missing; add --from jack, or --from - for a pipe.")
      }
      guard tempo == nil || from == "jack" else {
        throw ValidationError("--tempo is for --from jack; leave it out.")
      }
      if append, let flag = part.givenFlags.first {
        throw ValidationError("\(flag) is not for --append; set it by choir project crop.")
      }
      _ = try ProjectCommand.name(itemName, "--as")
      _ = try part.settings()
    }

    func run() throws {
      var project = try place.library.project(named: project)
      let name = try ProjectName(itemName)
      // Refused before anybody sings.
      let earlier = try append ? project.sound(of: project.recording(itemName)) : nil
      guard append || !project.file.names(of: .recording).contains(name) else {
        throw ProjectError.itemExists(.recording, name, project: project.name)
      }
      // Into the project itself: whatever fails later, the file is there.
      let file = try project.placeForRecording(name)
      var made: AudioFileStream?
      let click = try tempo.map { try TempoMap(beatsPerMinute: $0) }
      let failure = try input.receive(click: click) { rateHz in
        let stream = try AudioFileStream(to: file.path, channelCount: 1, sampleRateHz: rateHz)
        made = stream
        if let earlier {
          guard earlier.sampleRateHz == rateHz else {
            throw Refusal(
              "\(name) has \(format(earlier.sampleRateHz, 0)) Hz and the input "
                + "\(format(rateHz, 0)) Hz; give both one rate, or record under another name")
          }
          try stream.write(interleaved: earlier.samples)
        }
        return {
          try stream.write(interleaved: $0)
          return true
        }
      }
      let newSeconds = (made?.durationSeconds ?? 0) - (earlier?.durationSeconds ?? 0)
      guard let made, newSeconds > 0 else {
        throw failure ?? Refusal("nothing was recorded; check that sound comes in")
      }
      try made.finish()
      let length = "\(format(made.durationSeconds, 2)) s"
      do {
        if append {
          try project.replace(recording: name, by: file)
        } else {
          try project.add(recording: file, as: name, sample: part.settings())
        }
      } catch {
        let cause = failure.map { "\($0); " } ?? ""
        throw Refusal(
          "\(cause)\(error); \(length) are kept in \(file.relativePath): add them by choir project add "
            + "\(project.name) --recording \(file.relativePath) --as \(append ? "NAME" : "\(name)")"
        )
      }
      print(
        "\(project.name): recorded \(name), \(length)"
          + (append ? ", of which \(format(newSeconds, 2)) s are new" : ""))
      if let failure {
        throw Refusal("\(failure); \(length) are kept as \(name)")
      }
    }
  }
}
