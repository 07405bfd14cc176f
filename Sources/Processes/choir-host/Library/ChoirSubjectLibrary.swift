import CPluginHost
import Foundation
import HostProtocol

/// A library with the functions of choir_subject.h; it stays loaded until the process ends.
struct ChoirSubjectLibrary {
  let create: choir_subject_create_function
  let process: choir_subject_process_function
  let destroy: choir_subject_destroy_function
  let set: choir_subject_set_function?
  let latency: choir_subject_latency_function?
  let reset: choir_subject_reset_function?

  init(path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      throw PluginFault(
        description: "not found: there is no library '\(path)'; build it, or correct 'library'")
    }
    let library = try SharedLibrary(path, remedy: "link what it needs")
    guard
      let create = library.function("choir_subject_create", choir_subject_create_function.self),
      let process = library.function("choir_subject_process", choir_subject_process_function.self),
      let destroy = library.function("choir_subject_destroy", choir_subject_destroy_function.self)
    else {
      throw PluginFault(
        description: "not loaded: '\(path)' lacks choir_subject_create, choir_subject_process or "
          + "choir_subject_destroy; define them as choir_subject.h says, with extern \"C\" in C++")
    }
    (self.create, self.process, self.destroy) = (create, process, destroy)
    set = library.function("choir_subject_set", choir_subject_set_function.self)
    latency = library.function("choir_subject_latency", choir_subject_latency_function.self)
    reset = library.function("choir_subject_reset", choir_subject_reset_function.self)
  }

  static func description(path: String) throws -> PluginDescription {
    let library = try ChoirSubjectLibrary(path: path)
    typealias Port = PluginDescription.Port
    var description = PluginDescription(
      address: .library(path: path), name: URL(fileURLWithPath: path).lastPathComponent,
      libraryPath: path,
      ports: [
        Port(kind: .audioInput, symbol: "input", name: "input"),
        Port(kind: .audioOutput, symbol: "output", name: "output"),
      ])
    description.takesAnyControl = library.set != nil
    return description
  }
}
