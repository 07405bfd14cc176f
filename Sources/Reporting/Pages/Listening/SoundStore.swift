import AudioFile
import Foundation
import Platform

/// The sounds of a report as files: each stored once, losslessly compressed, within a budget.
///
/// If the budget is too small, every clip keeps its first sounds.
///
/// A sound is 16-bit FLAC within a page of its own. A page opened from disk may not read files, but it
/// may open another page in a frame: the sound's page passes its sound to the page that frames it, and
/// plays by itself without scripts, so a sound is stored once. Base64 makes it a third larger.
struct SoundStore {
  /// One stored sound.
  struct Item {
    /// Path relative to the report.
    let file: String
    let bytes: Int
    let durationS: Double
    let level: SoundLevel
    let outline: SoundOutline
  }

  let budgetBytes: Int
  /// Size of all items.
  private(set) var bytes = 0
  /// Number of sounds that the budget has no room for.
  private(set) var leftOut = 0
  /// Items by the path that each sound was read from.
  private var items: [String: Item] = [:]
  /// Page and sounds of each clip, by id.
  private var clips: [String: (home: String, sounds: [Sound])] = [:]

  /// Encodes the sounds of all clips into the folder of a report.
  ///
  /// - Throws: a `Refusal`, and errors of reading and writing.
  init(of page: ReportPage, in report: URL, html: ReportHTML, budgetBytes: Int) throws {
    self.budgetBytes = budgetBytes
    var clips = page.sections.flatMap(\.allClips).map { ($0, ReportFiles.page) }
    for subpage in page.subpages {
      clips += subpage.sections.flatMap(\.allClips).map { ($0, subpage.address) }
    }
    self.clips = Dictionary(clips.map { ($0.id, ($1, $0.sounds)) }) { first, _ in first }
    let ranks = clips.map(\.0.sounds.count).max() ?? 0
    for rank in 0..<ranks {
      for (clip, home) in clips
      where rank < clip.sounds.count && items[clip.sounds[rank].path] == nil {
        try Self.require(clip.sounds[rank], of: clip)
        // After the first sound without room none is added, so that only the last are left out.
        let hasRoom = try leftOut == 0 && add(rank, of: clip, on: home, in: report, html: html)
        if !hasRoom { leftOut += 1 }
      }
    }
  }

  /// Returns a stored sound; `nil` if there was no room for it.
  func item(_ sound: Sound) -> Item? { items[sound.path] }

  /// Returns the page whose player has the sound, and its index there; `nil` if it is left out.
  func place(of audioLink: AudioLink) -> (home: String, source: Int)? {
    guard let (home, sounds) = clips[audioLink.clip], sounds.indices.contains(audioLink.sound),
      item(sounds[audioLink.sound]) != nil
    else { return nil }
    return (home, sounds[..<audioLink.sound].count { item($0) != nil })
  }

  var count: Int { items.count }

  /// Remark of the page about its sounds; `nil` without sound.
  var remark: Remark? {
    guard count + leftOut > 0 else { return nil }
    let megabytes = NumberStyle.decimals(1)
    return Remark(
      "sound",
      "\(counted(count, "sound")), each stored once as 16-bit FLAC: "
        + "\(megabytes.text(Double(bytes) / 1e6)) MB of a budget of "
        + "\(megabytes.text(Double(budgetBytes) / 1e6)) MB."
        + (leftOut == 0 ? "" : " Left out for lack of room: \(leftOut)."))
  }

  static func dataURL(_ flac: Data) -> String {
    "data:audio/flac;base64,\(flac.base64EncodedString())"
  }

  private static func require(_ sound: Sound, of clip: Clip) throws(Refusal) {
    guard sound.made != nil || FileManager.default.isReadableFile(atPath: sound.path) else {
      throw Refusal(
        "clip \(clip.id) has no sound at \(sound.path); run the plan again to render it")
    }
  }

  /// Adds a sound of a clip.
  ///
  /// - Parameter home: the page of the clip.
  /// - Returns: false if there was no room.
  private mutating func add(
    _ rank: Int, of clip: Clip, on home: String, in report: URL, html: ReportHTML
  ) throws -> Bool {
    let sound = clip.sounds[rank]
    let heard = try (sound.made.map { AudioFile($0) } ?? AudioFile(reading: sound.path))
      .withinFullScale
    let name = ReportFiles.sound(rank, of: clip)
    let flac = try heard.flac(beside: report)
    let page = html.render(
      [
        "name": sound.name, "detail": sound.detail, "title": clip.title,
        // Address of the clip, relative to the sound's page.
        "clip": "../../\(home)#\(clip.id)", "sound": Self.dataURL(flac),
      ], by: "sound")
    guard bytes + page.utf8.count <= budgetBytes else { return false }

    let target = report.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(page.utf8).write(to: target)
    bytes += page.utf8.count
    items[sound.path] = Item(
      file: name, bytes: page.utf8.count, durationS: heard.durationSeconds,
      level: SoundLevel(of: heard), outline: SoundOutline(of: heard.mono))
    return true
  }
}

extension AudioFile {
  /// The sound, attenuated if it would clip.
  fileprivate var withinFullScale: AudioFile {
    let highest = channels.joined().reduce(Float(0)) { max($0, abs($1)) }
    guard highest > 1 else { return self }
    return AudioFile(channels: channels.map { $0.map { $0 / highest } }, sampleRateHz: sampleRateHz)
  }

  /// Returns the sound as 16-bit FLAC, by way of a file in a folder.
  func flac(beside folder: URL) throws -> Data {
    let file = folder.appendingPathComponent("sound-\(UUID().uuidString).flac")
    defer { try? FileManager.default.removeItem(at: file) }
    try write(to: file.path, encoding: .flac(.int16))
    return try GivenFile.data(at: file)
  }
}
