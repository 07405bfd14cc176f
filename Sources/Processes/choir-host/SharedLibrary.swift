import Foundation

/// A shared library; it stays loaded until the process ends.
struct SharedLibrary {
  let path: String
  private let handle: UnsafeMutableRawPointer

  /// - Parameter remedy: what to do if it can't be loaded.
  init(_ path: String, remedy: String) throws {
    guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      throw PluginFault(description: "not loaded: \(String(cString: dlerror())); \(remedy)")
    }
    (self.path, self.handle) = (path, handle)
  }

  func function<Function>(_ name: String, _: Function.Type) -> Function? {
    dlsym(handle, name).map { unsafeBitCast($0, to: Function.self) }
  }
}
