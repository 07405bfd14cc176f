import Analyzer
import DSP
import Foundation

/// Pitch, formants, level and spectrogram of one voice, ready to be drawn.
public struct VoiceOutline: Sendable {
  /// One frame; `nil` stands for unknown values.
  public struct Frame: Sendable {
    public var timeSeconds: Double
    public var pitchHz: Double?
    /// Formants F1 to F4.
    public var formantsHz: [Double?]
    /// Level of the 20 ms around the frame; `nil` in digital silence.
    public var levelDbfs: Double?
  }

  public let picture: Spectrogram
  /// Frames in order of time, at most about twice `maxFrames`.
  public let frames: [Frame]

  /// Maximum number of frames that a drawing can tell apart.
  private static let maxFrames = 1400

  /// - Throws: errors of reading the sound.
  public init(of sound: some SoundSource, _ profile: VoiceProfile) throws {
    picture = try Spectrogram(of: sound)
    let track = profile.track
    let half = Int(0.010 * sound.sampleRateHz)
    let every = max(1, track.count / Self.maxFrames)
    frames = try stride(from: 0, to: track.count, by: every).map { index in
      let hz = track.f0Hz[index]
      let time = Double(index) * track.hopSeconds
      let centre = Int(time * sound.sampleRateHz)
      let near = max(0, centre - half)..<max(0, min(sound.count, centre + half))
      return Frame(
        timeSeconds: time, pitchHz: hz > 0 ? hz : nil,
        formantsHz: (1...4).map { number in
          guard hz > 0, let formants = profile.formants, index < formants.count else { return nil }
          return formants.frames[index][number]?.frequencyHz
        }, levelDbfs: near.isEmpty ? nil : Self.levelDbfs(try sound.samples(near)))
    }
  }

  private static func levelDbfs(_ samples: [Float]) -> Double? {
    let power =
      samples.reduce(0.0) { $0 + ($1.isFinite ? Double($1) * Double($1) : 0) }
      / Double(samples.count)
    return power > 1e-12 ? 10 * log10(power) : nil
  }
}
