import ArgumentParser
import AudioFile
import Corpus
import Harmonizer
import Metrics
import Subjects

/// Completions that a shell offers for an argument.
extension CompletionKind {
  static var sound: CompletionKind { .file(extensions: AudioFormat.allCases.flatMap(\.extensions)) }
  static var yaml: CompletionKind { .file(extensions: ["yaml", "yml"]) }
  static var store: CompletionKind { .file(extensions: ["sqlite"]) }
  static var csv: CompletionKind { .file(extensions: ["csv"]) }
  static var midi: CompletionKind { .file(extensions: ["mid", "midi"]) }
  static var json: CompletionKind { .file(extensions: ["json"]) }
  static var engines: CompletionKind { .list(ChoirEngine.names) }
  static var metrics: CompletionKind { .list(Metric.all.map(\.id)) }
  static var presets: CompletionKind { .list(PresetBank.all.map(\.name)) }
  static var subjects: CompletionKind { .list(Subjects.all.map(\.id)) }
  static var datasets: CompletionKind { .list(Dataset.all.map(\.name)) }
}
