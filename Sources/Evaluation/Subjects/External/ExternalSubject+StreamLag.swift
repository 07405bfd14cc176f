import Corpus
import DSP
import Foundation
import Platform

extension ExternalSubject {
  /// Plays a stream a sound that does not end, and returns by how much its answer stays behind.
  ///
  /// What a stream measures later than its input can be corrected by leaving out the first samples; only
  /// an input that goes on shows how much of it the program waits for. The buffers of pipes and of the
  /// program's language count as well.
  ///
  /// - Returns: input less output in ms; `nil` if this is no stream.
  /// - Throws: `SubjectError`.
  package func streamLagMs(
    of signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Double? {
    guard file.kind == .stream else { return nil }
    let scratch = try ScratchFolder()
    let call = ExternalCall(
      subject: self,
      request: RenderRequest(
        signal: signal, score: score, settings: settings),
      scratch: scratch.url)
    let samples = try call.samplesAnswered()
    return Double(signal.count - samples) / signal.sampleRateHz * 1000
  }
}
