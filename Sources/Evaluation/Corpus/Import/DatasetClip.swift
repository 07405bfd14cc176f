import Foundation
import Platform

/// One recording of a data set: the paths of its sound and annotations, and how to read them.
struct DatasetClip: Sendable {
  /// An id that is unique in the data set.
  var id: String
  /// The path of its sound.
  var audio: String
  /// The channel with the voice, from 0; `nil` if all channels have it.
  var voiceChannel: Int?
  /// The voice in the manifest.
  var voice: String
  var kind = "sung"
  var shows: String

  var pitch: Source<[PitchPoint]>?
  var notes: Source<[SungNote]>?
  var phones: Source<[LabelledSpan]>?
  var words: Source<[LabelledSpan]>?
  var lyrics: Source<String>?

  /// The files of one kind of annotation, and how to read them. Without the first there is none.
  struct Source<Value: Sendable>: Sendable {
    var paths: [String]
    /// Reads the texts of the files that exist.
    var read: @Sendable ([AnnotationText]) throws -> Value

    init(paths: [String], _ read: @escaping @Sendable ([AnnotationText]) throws -> Value) {
      (self.paths, self.read) = (paths, read)
    }

    init(_ path: String, _ read: @escaping @Sendable (AnnotationText) throws -> Value) {
      self.init(paths: [path]) { try read($0[0]) }
    }
  }

  /// The paths of all its annotations, present or not.
  var annotationPaths: [String] {
    [pitch?.paths, notes?.paths, phones?.paths, words?.paths, lyrics?.paths].compactMap { $0 }
      .flatMap { $0 }
  }

  /// Reads every annotation whose file exists.
  func annotations(in folder: DatasetFolder, durationSeconds: Double) throws -> Annotations {
    func value<Value>(_ source: Source<Value>?) throws -> Value? {
      guard let source, folder.has(source.paths[0]) else { return nil }
      return try source.read(
        source.paths.filter(folder.has).map {
          AnnotationText(path: $0, content: try folder.text($0), durationSeconds: durationSeconds)
        })
    }
    var all = Annotations()
    all.pitch = try value(pitch)
    all.notes = try value(notes)
    all.phones = try value(phones)
    all.words = try value(words)
    all.lyrics = try value(lyrics)
    for (kind, path) in [
      (AnnotationKind.f0, pitch?.paths[0]), (.notes, notes?.paths[0]), (.phones, phones?.paths[0]),
      (.words, words?.paths[0]),
    ] {
      let problem = all.problem(of: kind, durationSeconds: durationSeconds, mayBeEmpty: false)
      if let path, let problem { throw Refusal(path, problem) }
    }
    return all
  }
}

/// The text of an annotation, and the duration of its sound.
struct AnnotationText: Sendable {
  /// The file's path, for errors.
  var path: String
  var content: String
  /// Duration of the sound.
  var durationSeconds: Double

  /// Decodes JSON with names in snake case.
  ///
  /// - Parameter content: what the file should be, for the error.
  func decode<Value: Decodable>(_ type: Value.Type, content expected: String) throws -> Value {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    do { return try decoder.decode(type, from: Data(content.utf8)) } catch {
      throw Refusal(path, "is not \(expected)")
    }
  }
}
