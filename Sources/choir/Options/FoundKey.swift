import Analyzer
import ArgumentParser
import CommandSupport
import DSP
import Music

/// The key of a recording, for `--key auto`.
enum FoundKey {
  static let auto = "auto"

  /// Returns the name of a recording's key, and states it on standard error.
  ///
  /// - Parameters:
  ///   - sound: the recording at the speed at which it is sung to.
  ///   - path: its file, for the error.
  /// - Throws: for a recording without notes.
  static func name(in sound: Signal, of path: String) throws -> String {
    let track = PitchTracker.standard.track(sound)
    guard let found = try VoiceProfile(of: sound, track: track, .notes).key else {
      throw ValidationError("--key auto: \(path) has no notes; name the key, such as 'C major'.")
    }
    let next = found.candidates[1].name
    Terminal.printError(
      "key: \(found.best.name), ahead of \(next) by \(format(found.margin, 2)) of correlation")
    return found.best.name
  }
}
