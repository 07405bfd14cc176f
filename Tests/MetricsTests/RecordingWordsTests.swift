import Corpus
import DSP
import Testing

@testable import Metrics

/// Intelligibility is measured where there are words.
@Suite struct RecordingWordsTests {
  private func recording(
    _ kind: String, technique: String? = nil, phones: [String]? = nil, lyrics: String? = nil
  ) -> Recording {
    var entry = ManifestEntry(id: "x", voice: "tenor", kind: kind)
    entry.statedTechnique = technique
    var annotations = Annotations()
    annotations.lyrics = lyrics
    annotations.phones = phones?.enumerated().map {
      LabelledSpan(onsetSeconds: Double($0), offsetSeconds: Double($0) + 1, label: $1)
    }
    return Recording(
      entry: entry, signal: Signal([], sampleRateHz: 48_000), digest: "", annotations: annotations)
  }

  @Test func speechAndSyllablesHoldWords() {
    #expect(recording("spoken").holdsWords)
    #expect(recording("sung", technique: "song").holdsWords)
    #expect(recording("sung", lyrics: "Ah! vous dirai-je").holdsWords)
    #expect(
      recording("sung", phones: ["f", "ʁ", "e", "ʁ", "ə", "ʒ", "a", "k", "ə", "s"]).holdsWords)
  }

  @Test func vowelsHoldNone() {
    #expect(!recording("sung").holdsWords)
    #expect(!recording("sung", technique: "held").holdsWords)
    #expect(!recording("spoken", technique: "vowels").holdsWords)
    #expect(!recording("sung", phones: ["_", "a", "e", "i", "o", "u", "*"]).holdsWords)
    // One consonant over and over is a vocalise.
    #expect(!recording("sung", phones: ["l", "a", "l", "a", "l", "a", "l", "a"]).holdsWords)
  }
}
