import CPluginHost
import HostProtocol

/// A running processor of a library with the functions of choir_subject.h.
final class ChoirSubjectPlugin: RunningPlugin {
  private let library: ChoirSubjectLibrary
  private let session: HostSession
  private var subject: UnsafeMutableRawPointer
  private let input: GuardedBuffer
  private let output: GuardedBuffer
  let needsFullBlocks = false

  init(_ session: HostSession, path: String) throws {
    self.session = session
    library = try ChoirSubjectLibrary(path: path)
    input = GuardedBuffer("input", count: session.blockSize)
    output = GuardedBuffer("output", count: session.blockSize)
    subject = try Self.made(by: library, session)
  }

  deinit { library.destroy(subject) }

  var inputs: [GuardedBuffer] { [input] }
  var outputs: [GuardedBuffer] { [output] }
  var others: [GuardedBuffer] { [] }
  var latencySamples: Int? { library.latency.map { Int($0(subject)) } }

  private static func made(
    by library: ChoirSubjectLibrary, _ session: HostSession
  ) throws -> UnsafeMutableRawPointer {
    guard let made = library.create(session.sampleRateHz, UInt32(session.blockSize)) else {
      throw PluginFault(
        description: "not started: choir_subject_create refuses \(session.sampleRateHz) Hz; choose "
          + "another rate")
    }
    do {
      for (name, value) in session.controls.sorted(by: { $0.key < $1.key }) {
        try set(name, to: value, of: made, by: library)
      }
    } catch {
      library.destroy(made)
      throw error
    }
    return made
  }

  private static func set(
    _ name: String, to value: Double, of subject: UnsafeMutableRawPointer,
    by library: ChoirSubjectLibrary
  ) throws {
    guard library.set?(subject, name, value) == 0 else {
      throw PluginFault(
        description:
          "choir_subject_set refuses \(value) for '\(name)'; correct 'ports' or 'automation', or "
          + "choose a score that it can sing")
    }
  }

  func value(of control: String) -> Double? { session.controls[control] }

  func set(_ control: String, to value: Double) throws {
    try Self.set(control, to: value, of: subject, by: library)
  }

  func activate() {}

  func deactivate() throws {
    if let reset = library.reset { return reset(subject) }
    let fresh = try Self.made(by: library, session)
    library.destroy(subject)
    subject = fresh
  }

  func prepare(_ events: ArraySlice<HostSession.Event>, from frame: Int) {}

  func run(_ frameCount: Int) {
    library.process(
      subject, input.samples.baseAddress, output.samples.baseAddress, UInt32(frameCount))
  }

  func finishBlock() {}
}
