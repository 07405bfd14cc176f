import Foundation
import Platform

/// The class of machine.
public enum MachineClass {
  /// The architecture and the system, such as `x86_64 Linux`.
  package static var system: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "unknown" }
    func text(_ field: some Any) -> String {
      withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    return "\(text(names.machine)) \(text(names.sysname))"
  }

  /// This class, such as `x86_64 Linux, Some Processor (family 6, model 85)`.
  public static let machine = [system, processor].compactMap(\.self).joined(separator: ", ")

  /// The processor's name; `nil` if the system does not tell it.
  private static var processor: String? {
    (try? GivenFile.text(at: URL(fileURLWithPath: "/proc/cpuinfo"))).flatMap(processor(in:))
  }

  /// Reads the processor's name with its family and model, because generations share names.
  ///
  /// - Parameter text: the text of `/proc/cpuinfo` on an x86 machine.
  static func processor(in text: String) -> String? {
    func value(_ name: String) -> String? {
      for line in text.split(separator: "\n") {
        let halves = line.split(separator: ":", maxSplits: 1)
        guard halves.count == 2, halves[0].trimmingCharacters(in: .whitespaces) == name else {
          continue
        }
        // Some names contain runs of spaces.
        return halves[1].split(whereSeparator: \.isWhitespace).joined(separator: " ")
      }
      return nil
    }
    guard let name = value("model name") else { return nil }
    guard let family = value("cpu family"), let model = value("model") else { return name }
    return "\(name) (family \(family), model \(model))"
  }
}
