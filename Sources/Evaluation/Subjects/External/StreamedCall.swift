import AudioFile
import Corpus
import DSP
import Foundation
import Platform

/// The calls of a stream, which reads and writes floats through pipes.
extension ExternalCall {
  /// Sends the signal to the program, and reads its output.
  func streamed(_ values: [String: String]) throws -> Answer {
    let raw = scratch.appendingPathComponent("input.f32")
    try request.signal.samples.withUnsafeBytes { try Data($0).write(to: raw) }
    let (data, spent) = try run(values, input: raw)
    var answer = Answer(sound: try sound(data, channelCount: streamChannels))
    answer.spent = spent
    return answer
  }

  /// Returns the sound of interleaved floats.
  func sound(_ data: Data, channelCount count: Int) throws -> AudioFile {
    guard data.count % (4 * count) == 0 else {
      let floats = count == 1 ? "a float" : "\(count) floats, one for each channel"
      throw subject.problem(
        "wrong length: wrote \(data.count) bytes, not a multiple of the \(4 * count) of \(floats)")
    }
    let samples = [Float](data: data)
    let channels = (0..<count).map { channel in
      stride(from: channel, to: samples.count, by: count).map { samples[$0] }
    }
    let sound = AudioFile(channels: channels, sampleRateHz: request.signal.sampleRateHz)
    return try audible(Answer(sound: fitted(sound))).sound
  }

  /// Number of channels that a stream writes: as its file says, or as follows from `channels`.
  var streamChannels: Int {
    if let count = file.outputChannels { return count }
    if file.channels == .voices { return request.score.voices.count }
    return file.channels?.namedCount ?? 1
  }

  /// Plays a stream a sound that does not end, and returns by how much its answer stays behind, in ms.
  func lagMs() throws -> Double {
    let child = try child(values(ofVoice: words.areOfOneVoice ? 0 : nil))
    do {
      let connection = try SupervisedConnection(
        child.arguments[0], Array(child.arguments.dropFirst()), child.environment,
        folder: child.folder, memoryMB: child.memoryMB, timeoutSeconds: child.timeoutSeconds)
      let bytes = try request.signal.samples.withUnsafeBytes {
        try connection.bytesAnswered(to: $0)
      }
      let samples = bytes / (4 * streamChannels)
      return Double(request.signal.count - samples) / request.signal.sampleRateHz * 1000
    } catch {
      throw Refusal(subject.id, error)
    }
  }
}

extension ExternalSubject {
  /// Plays a stream a sound that does not end, and returns by how much its answer stays behind.
  ///
  /// What a stream measures later than its input can be corrected by leaving out the first samples; only
  /// an input that goes on shows how much of it the program waits for. The buffers of pipes and of the
  /// program's language count as well.
  ///
  /// - Returns: input less output in ms; `nil` if this is no stream.
  /// - Throws: a `Refusal`.
  package func streamLagMs(
    of signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Double? {
    guard file.kind == .stream else { return nil }
    let scratch = try ScratchFolder()
    let request = RenderRequest(signal: signal, score: score, settings: settings)
    return try ExternalCall(subject: self, request: request, scratch: scratch.url).lagMs()
  }
}
