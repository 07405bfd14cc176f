import Analyzer
import AudioFile
import Corpus
import DSP
import Foundation
import Platform
import Subjects

extension OwnMetric {
  /// Calls the program for each voice that the subject outputs alone, or once for a mix of voices.
  ///
  /// What runs is what the file says, so that a store which came from elsewhere runs no command of its own.
  func results(of observation: Observation) throws -> [MetricResult] {
    if observation.isProbe { throw Undefined.probe }
    let own = try OwnMetric(reading: URL(fileURLWithPath: file))
    guard own.content == content else {
      throw Undefined(
        .failed, "\(id): \(file) or its program has changed since the plan was read; run it again")
    }
    return try observation.byStem(needsDelay: own.isAligned) { mix in
      try own.result(of: mix.sound, voice: nil, mix.delay, observation)
    } _: { voice, sound, index in
      try own.result(of: sound, voice: index, voice.delay, observation)
    }
  }

  private var isAligned: Bool { aligned ?? (reference != nil) }

  private func result(
    of sound: AnalyzedSound, voice: Int?, _ delay: SoundDelay, _ observation: Observation
  ) throws -> MetricResult {
    let scratch = try ScratchFolder()
    defer { scratch.discard() }
    let template = CommandTemplate(command)
    var values = ["voice": "\((voice ?? -1) + 1)", "recording": observation.recording.entry.id]
    func file(_ place: Place, _ name: String, _ write: (URL) throws -> Void) throws {
      guard template.places.contains(place.rawValue) else { return }
      values[place.rawValue] = scratch.file(name).path
      try write(scratch.file(name))
    }
    func write(_ text: String, to url: URL) throws { try Data(text.utf8).write(to: url) }
    let annotations = observation.recording.annotations
    let lateSeconds = isAligned ? delay.seconds ?? 0 : 0
    var sounds = [sound.signal.from(lateSeconds)]
    if reference != nil {
      sounds.append(try referenceSound(voice, observation).from(-lateSeconds))
    }
    if isAligned {
      let count = sounds.map(\.count).min()!
      sounds = sounds.map { $0[..<count] }
    }
    try file(.output, "output.wav") { try save(sounds[0], to: $0) }
    try file(.reference, "reference.wav") { try save(sounds[1], to: $0) }
    for (place, kind) in [(Place.phones, AnnotationKind.phones), (.words, .words)] {
      try file(place, "recording\(kind.suffix)") {
        guard let table = annotations.text(of: kind) else {
          throw kind == .words
            ? .noWords : Undefined(.noPhones, "nobody wrote down the recording's phones")
        }
        try write(table, to: $0)
      }
    }
    try file(.lyrics, "lyrics.txt") {
      let words = annotations.words?.map(\.label).joined(separator: " ")
      guard let lyrics = annotations.lyrics ?? words else { throw Undefined.noWords }
      try write(lyrics, to: $0)
    }
    try file(.score, "score.csv") {
      let rest = (delay.seconds ?? 0) - lateSeconds
      try write(Self.targets(of: observation, lateSeconds: rest), to: $0)
    }
    let child = ChildProcess(
      arguments: template.filled(values), timeoutSeconds: timeoutSeconds ?? 60,
      memoryMB: memoryMB ?? 4096, folder: folder, environment: variables)
    do { return try answer(in: child.run().text) } catch let error as ChildProcess.Failure {
      throw Undefined(.failed, "\(id): \(error)")
    }
  }

  // MARK: What the program gets

  private func referenceSound(_ voice: Int?, _ observation: Observation) throws -> Signal {
    switch reference! {
    case .input: return observation.heard
    case .clean: return observation.recording.signal
    case .oracle:
      guard let oracle = observation.oracle else {
        throw Undefined(.noOracle, "only the synthetic singer has an oracle")
      }
      return voice.map { oracle.stems[$0].signal } ?? oracle.mix.signal
    }
  }

  private func save(_ sound: Signal, to url: URL) throws {
    try AudioFile(rateHz.map(sound.resampled) ?? sound)
      .write(to: url.path, encoding: (inputFormat ?? .float).encoding)
  }

  /// Returns the target of each voice at times of the output; 0 Hz where it is silent.
  private static func targets(of observation: Observation, lateSeconds: Double) -> String {
    let score = observation.score
    let lead = score.lead
    let header = CSVText.record(["time_s", "voice", "f0_hz"])
    return score.voices.indices.reduce(header) { text, voice in
      (0..<lead.count).reduce(text) { text, frame in
        let time = Double(frame) * lead.hopSeconds
        let hz = score.targetHz(ofVoice: voice, atSeconds: time, delaySeconds: lateSeconds) ?? 0
        return text + CSVText.record([fixed(time, 6), "\(voice + 1)", fixed(hz, 4)])
      }
    }
  }

  // MARK: What it says

  /// Returns the number or the reason in the last line of a text.
  func answer(in text: String) throws -> MetricResult {
    let line =
      text.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.last { !$0.isEmpty } ?? ""
    for (beginning, code) in [
      ("undefined:", Undefined.Code.undefinedByProgram), ("not applicable:", .excludedByProgram),
    ] where line.hasPrefix(beginning) {
      let reason = line.dropFirst(beginning.count).trimmingCharacters(in: .whitespaces)
      throw Undefined(code, reason.isEmpty ? "\(id) gives no reason" : reason.printable)
    }
    let words = line.split(separator: " ")
    guard (1...2).contains(words.count), let value = Double(words[0]), value.isFinite,
      let count = words.count == 1 ? 1 : Int(words[1]), count >= 0
    else {
      throw Undefined(
        .failed,
        "\(id) printed '\(line.prefix(80).description.printable)'; its last line must be a number, a "
          + "number and a count, 'undefined: REASON' or 'not applicable: REASON'")
    }
    return .value(value, count: count)
  }
}

extension Signal {
  /// Returns the sound from a time on, or all of it for a time before its beginning.
  fileprivate func from(_ seconds: Double) -> Signal {
    let first = Int((seconds * sampleRateHz).rounded())
    return first <= 0
      ? self : Signal(Array(samples.dropFirst(first)), sampleRateHz: sampleRateHz)
  }
}
