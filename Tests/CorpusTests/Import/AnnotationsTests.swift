import Analyzer
import Foundation
import Platform
import Testing

@testable import Corpus

@Suite struct AnnotationsTests {
  private func points(_ values: [Double], hopSeconds: Double) -> [PitchPoint] {
    values.enumerated().map { PitchPoint(timeSeconds: Double($0) * hopSeconds, f0Hz: $1) }
  }

  @Test func zerosAreHeldAndNeverInterpolatedThrough() {
    let track = PitchTrack(
      points: points([200, 0, 100, 400], hopSeconds: 0.010), durationSeconds: 0.050)
    // Every 5 ms: a voiced point before an unvoiced one is held; an unvoiced one lasts until the
    // next; between voiced ones is their geometric mean; the last one holds for half a step.
    // mir_eval 0.8.2 gives the same first seven values (resample_melody_series of cents).
    let expected = [200, 200, 0, 0, 100, 200, 400, 0, 0, 0, 0]
    #expect(track.count == expected.count)
    for (found, wanted) in zip(track.f0Hz, expected.map(Double.init)) {
      #expect(abs(found - wanted) < 1e-6 * max(1, wanted))  // rounding of log2 and exp2
    }
  }

  @Test func aGapIsUnvoiced() {
    let series = [0.0, 0.005, 0.010, 0.100, 0.105, 0.110].map {
      PitchPoint(timeSeconds: $0, f0Hz: 300)
    }
    let track = PitchTrack(points: series, durationSeconds: 0.110)
    let voiced = track.f0Hz.indices.filter { track.f0Hz[$0] > 0 }
    #expect(voiced == [0, 1, 2, 20, 21, 22])
  }

  @Test func filesGiveBackWhatWasWritten() throws {
    var all = Annotations()
    all.pitch = [
      PitchPoint(timeSeconds: 0, f0Hz: 0), PitchPoint(timeSeconds: 0.005, f0Hz: 220.125),
    ]
    all.notes = [SungNote(onsetSeconds: 0.5, offsetSeconds: 1, f0Hz: 440, uncertaintyCents: 12.5)]
    all.phones = [LabelledSpan(onsetSeconds: 0, offsetSeconds: 0.25, label: "a")]
    all.words = [LabelledSpan(onsetSeconds: 0, offsetSeconds: 0.25, label: "oh, \"you\"")]
    all.lyrics = "oh, you"
    var again = Annotations()
    for kind in all.kinds { try again.read(kind, all.text(of: kind)!, path: "a") }
    #expect(again == all)
    #expect(all.kinds == AnnotationKind.allCases)
  }

  @Test(arguments: [
    (
      AnnotationKind.f0, "time_s,f0_hz\r\n0,1\r\n0,2\r\n",
      "a:3: the time 0.0 s is not after that of the row before; sort the rows"
    ),
    (.f0, "time_s,f0_hz\n0,-1\n", "a:2: the pitch is -1.0 Hz; write 0 for unvoiced, or more"),
    (.f0, "0,1\n", "a:1: the columns must be time_s,f0_hz"),
    (
      .notes, "onset_s,offset_s,f0_hz\n2,1,440\n",
      "a:2: ends at 1.0, before its start at 2.0; correct its times"
    ),
    (.phones, "onset_s,offset_s,label\n0,x,a\n", "a:2: column 2 is 'x'; write a number"),
    (.words, "onset_s,offset_s,label\n0,1\n", "a:2: has 2 columns; it needs at least 3"),
  ])
  func damageIsNamedByItsLine(kind: AnnotationKind, text: String, message: String) {
    var all = Annotations()
    let error = #expect(throws: Refusal.self) { try all.read(kind, text, path: "a") }
    #expect(error?.description == message)
  }

  @Test func labelsTellTheirUnitByTheLengthOfTheSound() throws {
    func spans(_ content: String) throws -> [LabelledSpan] {
      try LabelFile.spans(AnnotationText(path: "a", content: content, durationSeconds: 2))
    }
    let expected = [LabelledSpan(onsetSeconds: 0.5, offsetSeconds: 1.5, label: "a")]
    #expect(try spans("0.5 1.5 a") == expected)
    #expect(try spans("500 1500 a") == expected)
    #expect(try spans("5000000 15000000 a") == expected)
    #expect(throws: Refusal.self) { try spans("50 60 a") }
  }

  @Test func aChangedTruthIsAnotherRecording() throws {
    var entry = ManifestEntry(
      id: "a", file: "a.wav", source: "x", sha256: String(repeating: "0", count: 64),
      licence: "CC0-1.0", voice: "male", kind: "sung")
    let bare = entry.digest
    #expect(bare == entry.sha256)
    entry.truth = [.f0: String(repeating: "1", count: 64)]
    let first = entry.digest
    entry.truth = [.f0: String(repeating: "2", count: 64)]
    #expect(first != bare && entry.digest != first)
  }
}
