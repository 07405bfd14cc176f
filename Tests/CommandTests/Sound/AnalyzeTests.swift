import AudioFile
import DSP
import Foundation
import TestSupport
import Testing

/// Channels and several voices in the answer of `analyze`, as text and as JSON.
@Suite struct AnalyzeTests {
  private static let voice = TestVoice(seconds: 1.5) { _ in 220 }.signal()

  /// Analyzes a recording; returns the text and the JSON.
  private func analyzed(_ channels: [[Float]]) throws -> (text: String, json: [String: Any]) {
    let folder = try TemporaryFolder()
    try AudioFile(channels: channels, sampleRateHz: 48_000).write(to: folder.path("a.wav"))
    func output(_ arguments: [String]) throws -> String {
      let answer = try Shell.run(
        Built.choirEval, ["analyze", "a.wav", "--quiet"] + arguments, in: folder.url)
      #expect(answer.status == 0)
      return answer.output
    }
    let json = try JSONSerialization.jsonObject(with: Data(output(["--json"]).utf8))
    return (try output([]), try #require((json as? [[String: Any]])?.first))
  }

  private func remarksAgree(_ text: String, _ json: [String: Any]) throws {
    let remarks = try #require(json["remarks"] as? [String])
    for remark in remarks { #expect(text.contains(remark)) }
  }

  @Test func aFaultOfOneChannelIsReported() throws {
    let left = Self.voice.samples.map { min(max(8 * $0, -0.9999), 0.9999) }
    let (text, json) = try analyzed([left, Self.voice.samples.map { 0.05 * $0 }])
    #expect(text.contains("2 channels; the voice is judged in their mean"))
    let lines = text.split(separator: "\n")
    let (first, second) = (
      lines.first { $0.contains("channel 1: ") }, lines.first { $0.contains("channel 2: ") }
    )
    #expect(first?.contains("clipped stretches 0,") == false)
    #expect(second?.contains("clipped stretches 0,") == true)
    let channels = try #require(json["channels"] as? [String: Any])
    #expect(channels["count"] as? Int == 2)
    let level = try #require(json["level"] as? [String: Any])
    #expect(abs(try #require(level["samplePeakDbfs"] as? Double)) < 0.01)
    try remarksAgree(text, json)
  }

  @Test func channelsThatCancelAreJudgedInOne() throws {
    let (text, json) = try analyzed([Self.voice.samples, Self.voice.samples.map { -$0 }])
    #expect(text.contains("the voice is judged in channel 1, the loudest, because the mean"))
    #expect(abs(try #require(json["f0MedianHz"] as? Double) - 220) < 0.1)
    #expect((json["channels"] as? [String: Any])?["judgedChannel"] as? Int == 1)
    try remarksAgree(text, json)
  }

  @Test func twoVoicesAreNotOne() throws {
    let other = TestVoice(seconds: 1.5, formantScale: 1.1) { _ in 277.18 }.signal()
    let (text, json) = try analyzed([zip(Self.voice.samples, other.samples).map { $0 + $1 }])
    #expect(text.contains("2 voices sound in "))
    #expect(!text.contains("pitch"))
    #expect(json["f0MedianHz"] == nil)
    let voices = try #require(json["voices"] as? [String: Any])
    let pitches = try #require(voices["f0Hz"] as? [Double])
    #expect(zip(pitches, [220, 277.18]).allSatisfy { abs($0 / $1 - 1) < 0.002 })
    try remarksAgree(text, json)
  }

  @Test func oneVoiceInOneChannelNeedsNoRemark() throws {
    let (_, json) = try analyzed([Self.voice.samples])
    #expect(json["remarks"] as? [String] == [])
    #expect(json["channels"] == nil && json["voices"] == nil)
  }
}
