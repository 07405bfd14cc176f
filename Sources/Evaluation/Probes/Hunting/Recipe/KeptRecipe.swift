import AudioFile
import Corpus
import Foundation
import Platform
import Subjects

/// A recipe's sound as a recording of a corpus, and a plan that holds it.
public struct KeptRecipe: Sendable {
  /// Id of the recording and of its plan.
  public var id: String
  public var plan: URL
  /// False if the corpus had it already.
  public var isNew: Bool
}

extension HuntRecipe {
  /// Adds the subject's input to a corpus, with its exact pitch, notes and phones, and writes a
  /// plan that asks for the recipe's score, so that runs and gates hold it from then on.
  ///
  /// The recording is imported like any other file. Its annotations describe the clean performance;
  /// noise and level are part of the sound.
  ///
  /// - Parameter id: the subject as plans name it.
  /// - Throws: a `Refusal`, `AudioFileError` or error of writing the plan.
  @discardableResult
  public func keep(in corpus: URL, subject id: String) throws -> KeptRecipe {
    let sung = try SungPoint(sound)
    let name = keptID
    let plan = corpus.appendingPathComponent("plans/\(name).yaml")
    var kept = KeptRecipe(id: name, plan: plan, isNew: false)
    let known =
      FileManager.default.fileExists(atPath: corpus.appendingPathComponent("manifest.csv").path)
      ? try Corpus(folder: corpus).entries.map(\.id) : []
    if !known.contains(name) {
      let scratch = try ScratchFolder()
      let file = scratch.file("\(name).wav")
      try AudioFile(sung.input).write(to: file.path, encoding: .wav(.float32))
      for (kind, text) in sung.annotationFiles {
        try Data(text.utf8).write(to: scratch.file(name + kind.suffix))
      }
      var recording = NewRecording(file, licence: "CC0-1.0", voice: sung.corpusVoice)
      recording.id = name
      recording.shows = "hunted: \(found.words)"
      recording.attribution = "Pocket Choir's synthetic singer"
      try recording.add(to: corpus)
      kept.isNew = true
    }
    try write(plan, id: name, subject: id)
    return kept
  }

  /// A name that tells the fault and differs from sound to sound and from score to score.
  private var keptID: String {
    let kind = fault.rawValue.replacing(" ", with: "-")
    return "hunted-\(kind)-\(Digest.sha256(input + sound.score().canonical).prefix(6))"
  }

  private func write(_ plan: URL, id: String, subject: String) throws {
    var score = sound.score()
    score.id = "asked"
    let content: JSONObject = [
      "name": id, "title": "Hunted: \(fault.rawValue)", "subject": subject, "recordings": [id],
      "settings": settings.mapValues { [$0] }, "scores": [score],
    ]
    let text =
      try Self.comment(sentence)
      + "# Found by choir-eval hunt. Hold it with a gate: choir-eval accept\n"
      + JSONEncoder.readable.text(content) + "\n"
    try WholeFile.write(text, to: plan.path, makingFolder: true)
  }
}

extension SungPoint {
  /// The annotations beside the sound.
  fileprivate var annotationFiles: [(AnnotationKind, String)] {
    var annotations = recording.annotations
    annotations.pitch = score.lead.f0Hz.enumerated().map {
      PitchPoint(timeSeconds: Double($0) * score.lead.hopSeconds, f0Hz: $1)
    }
    return AnnotationKind.allCases.compactMap { kind in
      annotations.text(of: kind).map { (kind, $0) }
    }
  }

  /// The voice as the manifest names voices.
  fileprivate var corpusVoice: String {
    let names = ["soprano", "alto", "tenor", "bass", "child"]
    return names.first { point.voice.name.contains($0) } ?? "unknown"
  }
}
