import ArgumentParser
import AudioFile
import CommandSupport
import Harmonizer
import Music
import Subjects

/// The tempo of a progression, and the metronome.
struct HarmonizeTime: ParsableArguments {
  @Option(
    help: "Tempo of --progression and --click, in quarter notes per minute.",
    in: TempoMap.tempi)
  var tempo: Double?
  @Option(help: "Time signature of --progression and --click, such as 6/8; default: 4/4.")
  var timeSignature: String?
  @Flag(
    help: """
      Add a metronome to the output, not to the stems. A MIDI file and a score in bars or beats \
      have a tempo of their own; all other notes need --tempo.
      """)
  var click = false

  /// Throws if a flag has no effect or the progression has no tempo.
  func check(hasProgression: Bool) throws {
    guard tempo == nil || hasProgression || click else {
      throw ValidationError("--tempo is for --progression and --click; leave it out.")
    }
    guard timeSignature == nil || tempo != nil else {
      throw ValidationError("--time-signature needs a tempo; add --tempo, such as --tempo 96.")
    }
    guard tempo != nil || !hasProgression else {
      throw ValidationError("--progression needs a tempo; add --tempo, such as --tempo 96.")
    }
    _ = try given()
  }

  /// Returns what the flags give; `nil` without a tempo.
  func given() throws -> (tempo: TempoMap, timeSignature: TimeSignature)? {
    guard let tempo else { return nil }
    let signature = try named("--time-signature") {
      try timeSignature.map(TimeSignature.init(named:)) ?? .common
    }
    return (try TempoMap(beatsPerMinute: tempo), signature)
  }

  /// Returns the metronome's beat; `nil` without `--click`.
  ///
  /// - Parameter midi: the file that plays the score, if `--midi` chose it.
  func beat(of score: Score, midi: String?) throws -> Beat? {
    guard click else { return nil }
    if case .progression(let timed, _) = score.form {
      if let given = try given(), given != (timed.tempo, timed.timeSignature) {
        throw ValidationError("--tempo: the score has a tempo of its own; leave it out.")
      }
      return Beat(tempo: timed.tempo, timeSignature: MeterMap(timed.timeSignature))
    }
    if case .sequence(let sequence) = score.form {
      guard tempo == nil else {
        throw ValidationError("--tempo: the score has a tempo of its own; leave it out.")
      }
      return Beat(tempo: sequence.tempo, timeSignature: sequence.timeSignature)
    }
    if let midi {
      guard tempo == nil else {
        throw ValidationError("--tempo: the MIDI file has a tempo of its own; leave it out.")
      }
      let (tempo, timeSignature) = try MIDIFile(reading: midi).beat()
      return Beat(tempo: tempo, timeSignature: timeSignature)
    }
    guard let given = try given() else {
      throw ValidationError("--click needs a tempo; add --tempo, such as --tempo 96.")
    }
    return Beat(tempo: given.tempo, timeSignature: MeterMap(given.timeSignature))
  }

  /// The tempo and the bars that a metronome follows.
  struct Beat {
    var tempo: TempoMap
    var timeSignature: MeterMap

    func metronome(sampleRateHz: Double) -> Metronome {
      Metronome(tempo: tempo, timeSignature: timeSignature, sampleRateHz: sampleRateHz)
    }

    /// Returns the sound with the click on every channel.
    func added(to sound: AudioFile) -> AudioFile {
      var clicked = sound
      for channel in clicked.channels.indices {
        var metronome = metronome(sampleRateHz: sound.sampleRateHz)
        clicked.channels[channel] = metronome.render(clicked.channels[channel], blockSize: 4096)
      }
      return clicked
    }
  }
}
