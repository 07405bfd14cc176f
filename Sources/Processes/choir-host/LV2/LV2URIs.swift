import CPluginHost
import Glibc
import Synchronization

/// Numbers for URIs, from 1 in the order of first use. Plugins may ask from any thread.
final class LV2URIs: Sendable {
  private struct Table {
    var numbers: [String: LV2_URID] = [:]
    var texts: [UInt] = []
  }

  private let table = Mutex(Table())

  func number(of uri: String) -> LV2_URID {
    table.withLock { table in
      if let known = table.numbers[uri] { return known }
      table.texts.append(UInt(bitPattern: strdup(uri)))
      let number = LV2_URID(table.texts.count)
      table.numbers[uri] = number
      return number
    }
  }

  /// Returns the URI of a number; `nil` if no URI has it.
  func text(of number: LV2_URID) -> UnsafePointer<CChar>? {
    table.withLock { table in
      guard 1...table.texts.count ~= Int(number) else { return nil }
      return UnsafePointer(bitPattern: table.texts[Int(number) - 1])
    }
  }

  static func at(_ handle: UnsafeMutableRawPointer) -> LV2URIs {
    Unmanaged.fromOpaque(handle).takeUnretainedValue()
  }
}
