import ArgumentParser

/// The flag that switches progress off.
struct Quietness: ParsableArguments {
  @Flag(help: "Show no progress; warnings and errors remain.") var quiet = false

  func validate() { if quiet { Terminal.isQuiet.store(true, ordering: .relaxed) } }
}
