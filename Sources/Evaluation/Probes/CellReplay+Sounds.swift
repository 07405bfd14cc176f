import Analyzer
import AudioFile
import DSP
import Foundation
import Metrics
import Subjects
import Sweep

extension CellReplay {
  /// Target sound of a voice: the oracle's voice for synthetic recordings, otherwise a hum at the
  /// target pitch.
  public func target(ofVoice voice: Int) -> Signal {
    if let oracle, voice < oracle.stems.count { return oracle.stems[voice].signal }
    let voice = observation.voices[voice]
    return Self.hum(voice.target, like: voice.stem ?? observation.rendering.mix)
  }

  /// True if `target` is the oracle's voice.
  public var hasIdeal: Bool { oracle != nil }

  /// Pitch of each voice beside its target.
  public var traces: [VoiceTrace] { observation.traces }

  /// Names of the files that `write` makes for this number of voices.
  static func fileNames(voices: Int) -> [String] {
    (["input", "output"]
      + (1...max(1, voices)).flatMap { ["voice-\($0)", "target-\($0)"] }).map { "\($0).wav" }
  }

  /// Writes the input, the output, each voice and each target as WAV files.
  func write(to folder: URL) throws -> [URL] {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var files: [URL] = []
    func write(_ name: String, _ sound: Signal) throws {
      let url = folder.appendingPathComponent("\(name).wav")
      try sound.withoutClipping.write(to: url.path)
      files.append(url)
    }
    try write("input", observation.heard)
    try write("output", observation.rendering.mix)
    for (index, stem) in observation.rendering.stems.enumerated() {
      try write("voice-\(index + 1)", stem)
    }
    for index in observation.voices.indices {
      try write("target-\(index + 1)", target(ofVoice: index))
    }
    return files
  }

  /// A soft tone that follows a pitch track; stands in where there is no ideal voice.
  private static func hum(_ track: PitchTrack, like stem: Signal) -> Signal {
    var (turns, gain) = (0.0, 0.0)
    let samples = stem.samples.indices.map { n -> Float in
      let frame = Int(Double(n) / stem.sampleRateHz / track.hopSeconds)
      let hz = frame < track.count ? track.f0Hz[frame] : 0
      gain += ((hz > 0 ? 0.2 : 0) - gain) * 0.002  // rises and falls in about 10 ms
      turns += hz / stem.sampleRateHz
      return Float(gain * (sin(2 * .pi * turns) + 0.3 * sin(4 * .pi * turns)))
    }
    return Signal(samples, sampleRateHz: stem.sampleRateHz)
  }
}
