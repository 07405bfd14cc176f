import Analyzer
import Corpus
import DSP
import Foundation
import Music
import Synchronization
import TestSupport
import Testing

@testable import Subjects

@Suite struct LeadInTests {
  /// Passes its input on, and keeps the request.
  private final class Witness: Subject {
    let id = "witness", version = "1"
    private let kept = Mutex<RenderRequest?>(nil)
    var request: RenderRequest? { kept.withLock { $0 } }

    func validate(_ settings: SubjectSettings, for score: Score) {}
    func render(_ request: RenderRequest) -> Rendering {
      kept.withLock { $0 = request }
      var rendering = Rendering(
        mix: request.signal, stems: [request.signal], cpuSeconds: request.signal.durationSeconds)
      rendering.stereo = StereoSound(left: request.signal, right: request.signal)
      return rendering
    }
  }

  private static let sound = Signal((1...44_100).map { Float($0) / 44_100 }, sampleRateHz: 44_100)
  private static let lead = PitchTrack(hopSeconds: 0.005, f0Hz: Array(repeating: 220, count: 200))

  private static func request(_ score: Score) -> RenderRequest {
    RenderRequest(signal: sound, score: ResolvedScore(score, lead: lead), settings: [:])
  }

  /// A tenth of a second of silence comes first, for the sound as for the lead's pitch; the output has none.
  @Test func silenceComesFirstAndIsCutOff() throws {
    let subject = Witness()
    let rendering = try subject.renderAfterSilence(
      Self.request(Score(id: "up", intervalsSemitones: [4])))
    let got = try #require(subject.request)
    #expect(got.signal.count == 44_100 + 4_410)
    #expect(got.signal.samples.prefix(4_410).allSatisfy { $0 == 0 })
    #expect(got.score.lead.f0Hz.prefix { $0 == 0 }.count == 20)
    let sounds = [
      rendering.mix, rendering.stems[0], rendering.stereo!.left, rendering.stereo!.right,
    ]
    for sound in sounds { #expect(sound.samples == Self.sound.samples) }
    #expect(abs(rendering.cpuSeconds! - 1) < 1e-9)
  }

  /// Notes that follow the clock would come early.
  @Test func aScoreByTheClockStaysAsItIs() throws {
    let subject = Witness()
    let score = Score(id: "held", .notes([NoteAction(atSeconds: 0, press: [NoteNumber(60)])]))
    _ = try subject.renderAfterSilence(Self.request(score))
    #expect(subject.request?.signal.count == 44_100)
  }
}
