import AudioFile
import DSP
import Foundation
import TestSupport
import Testing

@testable import Reporting

@Suite struct SoundShelfTests {
  private let folder = try! TemporaryFolder()

  private static let sound = Signal.sine(220, amplitude: 0.5, seconds: 0.5)

  private func page(_ clips: [Clip], second: [Clip] = []) -> ReportPage {
    var page = ReportPage(
      title: "t", verdict: PageVerdict(.good, "s"),
      sections: [Section(id: "s", title: "s", clips: clips)], command: "c")
    page.subpages = [
      Subpage(id: "more", title: "m", sections: [Section(id: "m", title: "m", clips: second)])
    ]
    return page
  }

  private func made(_ name: String, _ signal: Signal = sound) -> Sound {
    Sound(name, path: name, made: signal)
  }

  private func store(_ page: ReportPage, budgetBytes: Int = 10_000_000) throws -> SoundStore {
    try SoundStore(of: page, in: folder.url, html: ReportHTML(), budgetBytes: budgetBytes)
  }

  /// The samples are kept to within half a step of 16 bits.
  @Test func aSoundPageCarriesTheSound() throws {
    let clip = Clip(id: "clip", title: "A <clip>", sounds: [made("the input")])
    let item = try #require(try store(page([clip])).item(clip.sounds[0]))
    #expect(item.file == "audio/clip/1-the-input.html")
    #expect(item.durationS == 0.5)
    let html = try String(contentsOf: folder.file(item.file), encoding: .utf8)
    #expect(html.utf8.count == item.bytes)
    #expect(html.contains("A &lt;clip&gt;") && html.contains("href=\"../../index.html#clip\""))
    let base64 = try #require(html.firstMatch(of: /data:audio\/flac;base64,([^"]+)"/)).1
    let flac = folder.file("back.flac")
    try #require(Data(base64Encoded: String(base64))).write(to: flac)
    let back = try AudioFile(reading: flac.path).mono
    #expect(back.sampleRateHz == 48_000 && back.count == 24_000)
    let farthest = zip(back.samples, Self.sound.samples).map { abs($0 - $1) }.max()!
    #expect(farthest <= 0.5 / 32768 + 1e-7)
  }

  @Test func aSoundOfTwoClipsIsStoredOnce() throws {
    let (input, other) = (made("input"), made("other"))
    let clips = [
      Clip(id: "a", title: "a", sounds: [input]),
      Clip(id: "b", title: "b", sounds: [input, other]),
    ]
    let store = try store(page([clips[0]], second: [clips[1]]))
    #expect(store.count == 2)
    #expect(try folder.files(below: "audio") == ["a/1-input.html", "b/2-other.html"])
    let second = try String(contentsOf: folder.file("audio/b/2-other.html"), encoding: .utf8)
    #expect(second.contains("href=\"../../more.html#b\""))
  }

  /// The budget has room for three of four sounds: the last one of the longer clip is left out, and the
  /// page says so.
  @Test func theBudgetLeavesOutTheLastSounds() throws {
    let clips = [
      Clip(id: "a", title: "a", sounds: [made("1"), made("2"), made("3")]),
      Clip(id: "b", title: "b", sounds: [made("4")]),
    ]
    let one = try store(page([clips[1]])).bytes
    let store = try store(page(clips), budgetBytes: one * 7 / 2)
    let kept = clips.flatMap(\.sounds).map { store.item($0) != nil }
    #expect(kept == [true, true, false, true])
    #expect(store.leftOut == 1 && store.bytes <= store.budgetBytes)
    #expect(try #require(store.remark).text.hasSuffix("Left out for lack of room: 1."))
    let view = clips[0].player(on: store, lanes: [:])
    let sounds = try #require(view["sounds"] as? [View])
    #expect(sounds.map { $0["name"] as? String } == ["1", "2"])
    #expect(view["leftOut"] as? [String] == ["1 sound"])
    struct Encoded: Decodable {
      struct Sound: Decodable { var file: String? }
      var sounds: [Sound]
    }
    let encoder = JSONEncoder()
    encoder.userInfo[.sounds] = store
    let encoded = try JSONDecoder().decode(Encoded.self, from: encoder.encode(clips[0]))
    #expect(encoded.sounds.map { $0.file == nil } == [false, false, true])
  }

  @Test func aSoundBeyondFullScaleIsMadeQuieter() throws {
    let loud = Signal(Self.sound.samples.map { $0 * 4 }, sampleRateHz: 48_000)
    let clip = Clip(id: "clip", title: "c", sounds: [made("loud", loud)])
    let item = try #require(try store(page([clip])).item(clip.sounds[0]))
    // A sine of 220 Hz at full scale; the interpolator of the standard errs by up to 0.2 dB.
    #expect(abs(try #require(item.level.truePeakDbtp)) < 0.2)
  }

  @Test func withoutSoundNothingIsSaidOfIt() throws {
    #expect(try store(page([])).remark == nil)
    #expect(PageScripts.players(for: page([]).sections).isEmpty)
  }

  /// The player gets the part to loop and the gain of each sound.
  @Test func aPlayerKnowsItsSounds() throws {
    let soft = Signal(Self.sound.samples.map { $0 / 2 }, sampleRateHz: 48_000)
    let clip = Clip(
      id: "clip", title: "c", sounds: [made("loud"), made("soft", soft)], loopS: 0.1...0.25)
    let view = clip.player(on: try store(page([clip])), lanes: [:])
    #expect(view["loop"] as? [[String: String]] == [["fromS": "0.1", "toS": "0.25"]])
    let sounds = try #require(view["sounds"] as? [View])
    #expect(view["durationS"] as? String == "0.5")
    #expect(sounds.map { $0["key"] as? [String] } == [["1"], ["2"]])
    let gains = sounds.compactMap { ($0["gainDb"] as? String).flatMap(Double.init) }
    try #require(gains.count == 2)
    // Half the amplitude takes 20 log10 2 = 6.02 dB more.
    #expect(abs(gains[1] - gains[0] - 6.021) < 0.002)
  }
}
