/// Sees the choir of a running preset on the audio thread, before each stretch of sound.
///
/// While one preset fades into another, both choirs are seen.
public protocol ChoirObserver: AnyObject, Sendable {
  /// Restricted like `process`: no allocation, no lock.
  func observe(_ choir: borrowing Harmonizer)
}
