import CommandSupport

extension Terminal {
  /// Warns of samples that were too loud for a file.
  ///
  /// - Parameter remedy: what to do about it.
  static func warnOfClipping(_ samples: Int, in path: String, _ remedy: String) {
    if samples > 0 { printError("warning: \(path): \(samples) samples were clipped; \(remedy)") }
  }
}
