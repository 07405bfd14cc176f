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

  /// A file, and how to read one kind of annotation from it.
  struct Source<Value: Sendable>: Sendable {
    var path: String
    /// Further files that are read with it.
    var alsoReads: [String] = []
    var read: @Sendable (AnnotationReader) throws -> Value

    init(_ path: String, _ read: @escaping @Sendable (AnnotationText) throws -> Value) {
      self.path = path
      self.read = { try read($0.text(path)) }
    }

    /// A value that was already read from a file about the whole data set.
    init(_ path: String, known value: Value) {
      self.path = path
      read = { _ in value }
    }

    /// A source of several files.
    init(
      _ path: String, alsoReads: [String],
      _ read: @escaping @Sendable (AnnotationReader) throws -> Value
    ) {
      self.path = path
      self.alsoReads = alsoReads
      self.read = read
    }
  }

  /// The paths of all its annotations, present or not.
  var annotationPaths: [String] {
    [pitch?.path, notes?.path, phones?.path, words?.path, lyrics?.path].compactMap { $0 }
      + (notes?.alsoReads ?? [])
  }

  /// Reads every annotation whose file exists.
  func annotations(_ reader: AnnotationReader) throws -> Annotations {
    func value<Value>(_ source: Source<Value>?) throws -> Value? {
      guard let source, reader.folder.has(source.path) else { return nil }
      return try source.read(reader)
    }
    var all = Annotations()
    all.pitch = try value(pitch)
    all.notes = try value(notes)
    all.phones = try value(phones)
    all.words = try value(words)
    all.lyrics = try value(lyrics)
    for (kind, path) in [
      (AnnotationKind.f0, pitch?.path), (.notes, notes?.path), (.phones, phones?.path),
      (.words, words?.path),
    ] {
      if let path,
        let problem = all.problem(
          of: kind, durationSeconds: reader.durationSeconds, mayBeEmpty: false)
      {
        throw AnnotationError(path, problem)
      }
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
}

/// Reads the annotation files of one clip.
struct AnnotationReader: Sendable {
  var folder: DatasetFolder
  var durationSeconds: Double

  func text(_ path: String) throws -> AnnotationText {
    AnnotationText(path: path, content: try folder.text(path), durationSeconds: durationSeconds)
  }
}
