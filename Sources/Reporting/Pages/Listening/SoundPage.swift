import Foundation

/// A file that carries one sound: a page with the browser's own player.
///
/// A page opened from disk may not read files, but it may open another page in a frame. This page
/// passes its sound to the page that frames it, and plays by itself without scripts, so a sound is
/// stored once. Base64 makes it a third larger.
struct SoundPage {
  let name, detail, title: String
  /// Address of the clip, relative to this page.
  let clip: String
  /// Data URL of the sound.
  let sound: String

  init(_ sound: Sound, of clip: Clip, on page: String, flac: Data) {
    (name, detail, title) = (sound.name, sound.detail, clip.title)
    self.clip = "../../\(page)#\(clip.id)"
    self.sound = "data:audio/flac;base64,\(flac.base64EncodedString())"
  }
}
