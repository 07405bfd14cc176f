/// One recording of a data set: where its sound and its annotations are, and how to read them.
struct DatasetClip: Sendable {
  /// Unique in the data set.
  var id: String
  /// The path of its sound.
  var audio: String
  /// The channel that holds the voice, counted from 0; `nil` where all do.
  var voiceChannel: Int?
  /// As in the manifest.
  var voice: String
  var kind = "sung"
  var shows: String

  var pitch: Source<[PitchPoint]>?
  var notes: Source<[SungNote]>?
  var phones: Source<[LabelledSpan]>?
  var words: Source<[LabelledSpan]>?
  var lyrics: Source<String>?

  /// A file and the way to read one thing from it.
  struct Source<Value: Sendable>: Sendable {
    var path: String
    /// More files that are read along with it.
    var alsoReads: [String] = []
    var read: @Sendable (AnnotationReader) throws -> Value

    init(_ path: String, _ read: @escaping @Sendable (AnnotationText) throws -> Value) {
      self.path = path
      self.read = { try read($0.text(path)) }
    }

    /// What was learnt already from a file that describes the whole data set.
    init(_ path: String, known value: Value) {
      self.path = path
      read = { _ in value }
    }

    /// What takes more than one file.
    init(
      _ path: String, alsoReads: [String],
      _ read: @escaping @Sendable (AnnotationReader) throws -> Value
    ) {
      self.path = path
      self.alsoReads = alsoReads
      self.read = read
    }
  }

  /// The paths of all annotations it should have.
  var annotationPaths: [String] {
    [pitch?.path, notes?.path, phones?.path, words?.path, lyrics?.path].compactMap { $0 }
      + (notes?.alsoReads ?? [])
  }

  /// Reads every annotation whose file is there.
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
    return all
  }
}

/// The text of an annotation, and the sound it belongs to.
struct AnnotationText: Sendable {
  /// For messages.
  var path: String
  var content: String
  /// Of the sound.
  var durationSeconds: Double
}

/// Gives the texts of one clip.
struct AnnotationReader: Sendable {
  var folder: DatasetFolder
  var durationSeconds: Double

  func text(_ path: String) throws -> AnnotationText {
    AnnotationText(path: path, content: try folder.text(path), durationSeconds: durationSeconds)
  }
}
