import DSP
import HostProtocol
import Platform

/// A running plugin, or one for each voice of a score, whose sum is heard.
///
/// After a crash, a hang or a broken rule, `failure` says what happened, and the sound is silent.
package final class HostedSound: LiveSound {
  private let plugins: [HostedPlugin]
  private let choice: ChannelChoice?
  private let id: String
  package private(set) var workElsewhere: BlockWork?
  package private(set) var failure: (any Error)?

  init(_ plugins: [HostedPlugin], judging choice: ChannelChoice?, id: String) throws {
    (self.plugins, self.choice, self.id) = (plugins, choice, id)
    do { for plugin in plugins { try plugin.begin() } } catch {
      throw Refusal(id, error)
    }
    noteWork()
  }

  package var latencySamples: Int { statedLatencySamples ?? 0 }

  /// Latency that the plugin states after the last block; `nil` if it states none.
  package var statedLatencySamples: Int? { plugins.compactMap(\.latencySamples).max() }

  package var heapBytes: Int? {
    attempt("while it plays") { for plugin in plugins { try plugin.play([Float]().span) } }
    return plugins.reduce(0) { $0 + $1.heapBytes }
  }

  /// Returns the state of each plugin.
  package func save() throws -> [HostState] { try plugins.map { try $0.save() } }

  /// Restores the state of each plugin; returns what became of them.
  package func restore(_ states: [HostState]) throws -> [HostState] {
    try zip(plugins, states).map { try $0.restore($1) }
  }

  package func reset() {
    attempt("on reactivation") { for plugin in plugins { try plugin.reset() } }
    noteWork()
  }

  package func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    for i in output.indices { output[i] = 0 }
    guard failure == nil else { return }
    do {
      for plugin in plugins {
        try plugin.play(input)
        let gains = gains(of: plugin.channelCount)
        for (channel, gain) in gains.enumerated() where gain != 0 {
          for i in output.indices { output[i] += gain * plugin.output[i * gains.count + channel] }
        }
      }
      noteWork()
    } catch { fail(error, "while it plays") }
  }

  private func attempt(_ moment: String, _ body: () throws -> Void) {
    guard failure == nil else { return }
    do { try body() } catch { fail(error, moment) }
  }

  private func fail(_ error: any Error, _ moment: String) {
    failure = Refusal(id, "\(moment): \(error)")
  }

  private func noteWork() {
    var sum = BlockWork()
    for plugin in plugins { sum += plugin.work }
    workElsewhere = sum
  }

  /// Returns the share of each channel in what is judged.
  private func gains(of count: Int) -> [Float] {
    switch choice {
    case .channel(let number): (0..<count).map { $0 == number - 1 ? 1 : 0 }
    case .average, .stereo: Array(repeating: 1 / Float(max(1, count)), count: count)
    case .voices: Array(repeating: 1, count: count)
    case .list(let contents):
      (0..<count).map { channel in
        guard contents.indices.contains(channel), case .voice = contents[channel] else { return 0 }
        return 1
      }
    case nil: (0..<count).map { $0 == 0 ? 1 : 0 }
    }
  }
}
