/// Sees the choir of a running preset on the audio thread, before each stretch of sound.
///
/// Both choirs are seen while one preset fades into another.
public protocol ChoirObserver: AnyObject, Sendable {
  /// Restricted like `process`: no allocation, no lock.
  func observe(_ choir: borrowing Harmonizer)
}
