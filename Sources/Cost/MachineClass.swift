import BuildInfo
import Foundation

/// What kind of machine this is, and of build: what costs beside the calibration workload is known to
/// stay the same on one kind only.
public enum MachineClass {
  /// `x86_64 Linux, Some Processor (family 6, model 85), release build`.
  public static let here = [system, processor, BuildInfo.kind].compactMap(\.self)
    .joined(separator: ", ")

  /// Processor and system; `x86_64 Linux`.
  package static var system: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "unknown" }
    func text(_ field: some Any) -> String {
      withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    return "\(text(names.machine)) \(text(names.sysname))"
  }

  /// The machine without the build: `x86_64 Linux, Some Processor (family 6, model 85)`.
  public static let machine = [system, processor].compactMap(\.self).joined(separator: ", ")

  /// As the system names it; `nil` where it doesn't.
  private static var processor: String? {
    (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)).flatMap(processor(in:))
  }

  /// - Parameter text: of `/proc/cpuinfo`, as x86 machines have it. Names are shared by generations, so
  ///   their numbers are told too.
  static func processor(in text: String) -> String? {
    func value(_ name: String) -> String? {
      for line in text.split(separator: "\n") {
        let halves = line.split(separator: ":", maxSplits: 1)
        guard halves.count == 2, halves[0].trimmingCharacters(in: .whitespaces) == name else {
          continue
        }
        // Some processors have runs of spaces in their names.
        return halves[1].split(whereSeparator: \.isWhitespace).joined(separator: " ")
      }
      return nil
    }
    guard let name = value("model name") else { return nil }
    guard let family = value("cpu family"), let model = value("model") else { return name }
    return "\(name) (family \(family), model \(model))"
  }
}
