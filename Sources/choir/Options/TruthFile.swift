import ArgumentParser
import AudioFile
import CommandSupport
import Foundation
import Platform

/// A file for the truth log of a rendering: JSON, or with the ending .mid its notes.
struct TruthFile {
  let path: String
  private let ending: String

  init(named path: String) throws {
    self.path = path
    ending = URL(fileURLWithPath: path).pathExtension.lowercased()
    guard ["", "json", "mid"].contains(ending) else {
      throw ValidationError(
        "a truth log is JSON, or its notes as MIDI; end the name in .json or .mid")
    }
  }

  /// Writes the log, or else its notes.
  func write(_ log: some Encodable, notes: () throws -> MIDIFile) throws {
    if ending == "mid" {
      try notes().write(to: path)
    } else {
      try WholeFile.write(JSON.text(log), to: path)
    }
  }
}
