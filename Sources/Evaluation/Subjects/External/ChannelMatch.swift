import Analyzer
import DSP
import Foundation

/// The assignment of channels to voices that agrees best with the score over a whole rendering.
///
/// Each pair of channel and voice scores the share of the voice's frames in which the channel's pitch
/// is within 50 cents, plus a little for nearness; the assignment has the largest sum. Equal sums,
/// as in a unison, keep the order of the channels.
struct ChannelMatch: Equatable {
  /// The channel of each voice, from 0.
  let channels: [Int]
  /// Share of each voice's frames in which its channel is within 50 cents.
  let shares: [Double]
  /// The channel of the dry voice; `nil` if none was looked for.
  let lead: Int?

  /// Largest number of channels.
  static let maxChannels = 16

  /// Matches channels to the voices of a score.
  ///
  /// - Parameters:
  ///   - channels: at least as many as voices, and one more if `withLead`.
  ///   - input: the lead, for the delay.
  ///   - withLead: true if one channel holds the dry voice.
  init(of channels: [Signal], to score: ResolvedScore, from input: Signal, withLead: Bool) {
    let delay = Self.delaySeconds(of: channels, from: input)
    let tracks = channels.map { PitchTracker.standard.track($0) }
    var targets: [(Double) -> Double?] = score.voices.indices.map { voice in
      { score.targetHz(ofVoice: voice, atSeconds: $0, delaySeconds: delay, settledSeconds: 0.03) }
    }
    if withLead { targets.append { score.lead.f0Hz(atSeconds: $0 - delay) } }
    let fits = targets.map { target in tracks.map { Self.fit(of: $0, to: target) } }
    let best = Self.assignment(fits.map { $0.map(\.merit) })
    let voices = score.voices.indices
    self.channels = voices.map { best[$0] }
    shares = voices.map { fits[$0][best[$0]].share }
    lead = withLead ? best.last : nil
  }

  private static func delaySeconds(of channels: [Signal], from input: Signal) -> Double {
    var mix = channels[0]
    for channel in channels.dropFirst() {
      for i in mix.samples.indices { mix.samples[i] += channel.samples[i] }
    }
    return ((try? OnsetDelay(of: mix, from: input))?.delayMs ?? 0) / 1000
  }

  private static func fit(
    of track: PitchTrack, to target: (Double) -> Double?
  ) -> (share: Double, merit: Double) {
    var (frames, near, merit) = (0, 0, 0.0)
    for (frame, hz) in track.f0Hz.enumerated() {
      guard let wanted = target(Double(frame) * track.hopSeconds), wanted > 0 else { continue }
      frames += 1
      guard hz > 0 else { continue }
      let error = abs(cents(hz, over: wanted))
      if error <= 50 { near += 1 }
      merit += max(0, 1 - error / 100)
    }
    guard frames > 0 else { return (0, 0) }
    return (Double(near) / Double(frames), (Double(near) + 0.1 * merit) / Double(frames))
  }

  /// Returns a channel for each row so that the sum of merits is largest.
  ///
  /// - Cost: rows × channels × 2^channels steps.
  static func assignment(_ merits: [[Double]]) -> [Int] {
    let count = merits.first?.count ?? 0
    precondition(merits.count <= count && count <= maxChannels, "too few or too many channels")
    // The best sum of the first rows by the set of channels that they take, with the last choice.
    var best: [[Int: (sum: Double, channel: Int)]] = [[0: (0, -1)]]
    for row in merits {
      var next: [Int: (sum: Double, channel: Int)] = [:]
      for (taken, before) in best.last! {
        for channel in 0..<count where taken >> channel & 1 == 0 {
          let (set, sum) = (taken | 1 << channel, before.sum + row[channel])
          // Ties go to the later channel for this row, so to earlier ones for rows before it.
          if let known = next[set], (known.sum, known.channel) >= (sum, channel) { continue }
          next[set] = (sum, channel)
        }
      }
      best.append(next)
    }
    guard
      var set = best.last!.max(by: { ($0.value.sum, -$0.key) < ($1.value.sum, -$1.key) })?.key
    else { return [] }
    return merits.indices.reversed().map { row in
      let channel = best[row + 1][set]!.channel
      set ^= 1 << channel
      return channel
    }.reversed()
  }

  /// The assignment for people: `channel 2 is voice 1 (98 % of its frames within 50 cents), …`.
  var text: String {
    let voices = channels.indices.map { voice in
      let percent = Int((shares[voice] * 100).rounded())
      return
        "channel \(channels[voice] + 1) is voice \(voice + 1) (\(percent) % of its frames within "
        + "50 cents)"
    }
    let lead = lead.map { ["channel \($0 + 1) is the dry voice"] } ?? []
    return "matched by pitch: " + (voices + lead).joined(separator: ", ")
  }
}
