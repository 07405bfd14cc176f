import ArgumentParser
import AudioFile
import Corpus
import Harmonizer
import Metrics
import Subjects

/// Completions that a shell offers for an argument.
extension CompletionKind {
  package static var sound: CompletionKind {
    .file(extensions: AudioFormat.allCases.flatMap(\.extensions))
  }
  package static var yaml: CompletionKind { .file(extensions: ["yaml", "yml"]) }
  package static var store: CompletionKind { .file(extensions: ["sqlite"]) }
  package static var csv: CompletionKind { .file(extensions: ["csv"]) }
  package static var midi: CompletionKind { .file(extensions: ["mid", "midi"]) }
  package static var json: CompletionKind { .file(extensions: ["json"]) }
  package static var engines: CompletionKind { .list(ChoirEngine.names) }
  package static var metrics: CompletionKind { .list(Metric.all.map(\.id)) }
  package static var presets: CompletionKind { .list(PresetBank.all.map(\.name)) }
  package static var subjects: CompletionKind { .list(Subjects.all.map(\.id)) }
  package static var datasets: CompletionKind { .list(Dataset.all.map(\.name)) }
}

extension ArgumentHelp {
  /// Help of every argument that takes a subject; `Subjects.subject(id:in:)` reads it.
  package static var subject: ArgumentHelp {
    "Id of a subject or engine that choir-eval subjects lists, or path of a .yaml file."
  }
}

extension Tier: ExpressibleByArgument {}
