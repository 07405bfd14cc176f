import CPluginHost
import Foundation
import HostProtocol

/// The ports of a LADSPA plugin, with ranges at 48 kHz where they follow the sample rate.
enum LADSPAPorts {
  static func all(
    of plugin: LADSPA_Descriptor, sampleRateHz: Double = 48_000
  ) -> [PluginDescription.Port] {
    var symbols: Set<String> = []
    return (0..<Int(plugin.PortCount)).map { index in
      var port = port(
        name: String(cString: plugin.PortNames[index]!), plugin.PortDescriptors[index],
        plugin.PortRangeHints[index], sampleRateHz)
      if !symbols.insert(port.symbol).inserted { port.symbol += "_\(index)" }
      return port
    }
  }

  private static func port(
    name: String, _ kind: LADSPA_PortDescriptor, _ range: LADSPA_PortRangeHint,
    _ sampleRateHz: Double
  ) -> PluginDescription.Port {
    let isInput = kind & LADSPA_PORT_INPUT != 0
    let isAudio = kind & LADSPA_PORT_AUDIO != 0
    var port = PluginDescription.Port(
      kind: isAudio ? isInput ? .audioInput : .audioOutput : isInput ? .control : .meter,
      symbol: symbol(of: name), name: name)
    port.isLatency = port.kind == .meter && ["latency", "_latency"].contains(name.lowercased())
    guard !isAudio else { return port }
    let hints = range.HintDescriptor
    func has(_ hint: Int32) -> Bool { hints & hint != 0 }
    port.isSwitch = has(LADSPA_HINT_TOGGLED)
    let scale = has(LADSPA_HINT_SAMPLE_RATE) ? sampleRateHz : 1
    if port.isSwitch {
      (port.minimum, port.maximum) = (0, 1)
    } else {
      if has(LADSPA_HINT_BOUNDED_BELOW) {
        port.minimum = range.LowerBound.exact.map { $0 * scale }
      }
      if has(LADSPA_HINT_BOUNDED_ABOVE) {
        port.maximum = range.UpperBound.exact.map { $0 * scale }
      }
    }
    port.preset = preset(of: port, hints)
    return port
  }

  /// Returns the default that the hints describe, as ladspa.h defines it.
  private static func preset(of port: PluginDescription.Port, _ hints: Int32) -> Double {
    let isLogarithmic = hints & LADSPA_HINT_LOGARITHMIC != 0
    let (low, high) = (port.minimum ?? 0, port.maximum ?? port.minimum ?? 0)
    func between(_ share: Double) -> Double {
      isLogarithmic && low > 0 && high > 0
        ? exp(log(low) * (1 - share) + log(high) * share) : low * (1 - share) + high * share
    }
    let value: Double =
      switch hints & LADSPA_HINT_DEFAULT_MASK {
      case LADSPA_HINT_DEFAULT_MINIMUM: low
      case LADSPA_HINT_DEFAULT_LOW: between(0.25)
      case LADSPA_HINT_DEFAULT_MIDDLE: between(0.5)
      case LADSPA_HINT_DEFAULT_HIGH: between(0.75)
      case LADSPA_HINT_DEFAULT_MAXIMUM: high
      case LADSPA_HINT_DEFAULT_1: 1.0
      case LADSPA_HINT_DEFAULT_100: 100
      case LADSPA_HINT_DEFAULT_440: 440
      default: min(max(0, low), max(low, high))
      }
    return hints & LADSPA_HINT_INTEGER != 0 ? value.rounded() : value
  }

  /// Returns `pitch_co_efficient` for `Pitch co-efficient`.
  static func symbol(of name: String) -> String {
    name.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
      .joined(separator: "_")
  }
}
