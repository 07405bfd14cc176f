import Foundation

/// A file that carries one sound: a page with the browser's own player.
///
/// A page that was opened from disk may not read files, but it may open another page in a frame.
/// So this one hands its sound to the page that frames it; without scripts it plays by itself. Thus
/// a sound is stored once and heard either way. Base64 makes it a third larger.
struct SoundPage {
  let name, detail, title: String
  /// Where the clip is, seen from here.
  let clip: String
  /// A data address.
  let sound: String

  init(_ sound: Sound, of clip: Clip, on page: String, flac: Data) {
    (name, detail, title) = (sound.name, sound.detail, clip.title)
    self.clip = "../../\(page)#\(clip.id)"
    self.sound = "data:audio/flac;base64,\(flac.base64EncodedString())"
  }
}

extension ReportHTML {
  func render(_ page: SoundPage) -> String { library.render(page, withTemplate: "sound") ?? "" }
}
