import CPluginHost
import HostProtocol

/// A running processor of a library with the functions of choir_subject.h.
final class ChoirSubjectPlugin: RunningPlugin {
  private let library: ChoirSubjectLibrary
  private let session: HostSession
  private var subject: UnsafeMutableRawPointer
  let buffers: PortBuffers

  init(_ session: HostSession, _ description: PluginDescription) throws {
    guard case .library(let path) = session.plugin else { preconditionFailure() }
    self.session = session
    library = try ChoirSubjectLibrary(path: path)
    var buffers = PortBuffers(description, blockSize: session.blockSize)
    for port in description.ports { _ = buffers.add(port) }
    self.buffers = buffers
    subject = try Self.made(by: library, session)
  }

  deinit { library.destroy(subject) }

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

  func set(_ control: String, to value: Double, at frame: Int) throws {
    try Self.set(control, to: value, of: subject, by: library)
  }

  func deactivate() throws {
    if let reset = library.reset { return reset(subject) }
    let fresh = try Self.made(by: library, session)
    library.destroy(subject)
    subject = fresh
  }

  func run(_ frameCount: Int) {
    library.process(
      subject, buffers.inputs[0].samples.baseAddress, buffers.outputs[0].samples.baseAddress,
      UInt32(frameCount))
  }
}
