import CPluginHost
import Foundation
import HostProtocol

/// A CLAP plugin with the host that it calls. All its threads are this one.
final class CLAPInstance {
  let plugin: UnsafePointer<clap_plugin>
  let parameters: [Parameter]
  private let library: CLAPLibrary
  private let id: String
  private let host: UnsafeMutablePointer<clap_host>
  /// True while the plugin processes a block, which is the audio thread's work.
  var isProcessing = false
  private(set) var wantsCallback = false
  private(set) var wantsRestart = false

  /// A parameter, which is a control to choir-eval.
  struct Parameter {
    var id: clap_id
    var cookie: UnsafeMutableRawPointer?
    var port: PluginDescription.Port
  }

  init(_ id: String, of library: CLAPLibrary) throws {
    (self.library, self.id) = (library, id)
    host = .allocate(capacity: 1)
    host.initialize(to: Self.template)
    plugin = try library.plugin(id, for: host)
    guard plugin.pointee.`init`(plugin) else {
      plugin.pointee.destroy(plugin)
      throw PluginFault(description: "not started: '\(id)' refuses to start; see its documentation")
    }
    parameters = Self.parameters(of: plugin)
    host.pointee.host_data = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit {
    plugin.pointee.destroy(plugin)
    host.deallocate()
  }

  /// Returns an extension that the plugin has.
  func `extension`<Functions>(_ id: String, _: Functions.Type) -> Functions? {
    Self.extension(id, Functions.self, of: plugin)
  }

  private static func `extension`<Functions>(
    _ id: String, _: Functions.Type, of plugin: UnsafePointer<clap_plugin>
  ) -> Functions? {
    plugin.pointee.get_extension(plugin, id)?.assumingMemoryBound(to: Functions.self).pointee
  }

  /// Does what the plugin asked for on its main thread.
  func finishCallback() {
    guard wantsCallback else { return }
    wantsCallback = false
    plugin.pointee.on_main_thread(plugin)
  }

  /// Returns true, once, if the plugin asked to be activated anew.
  func takeRestart() -> Bool {
    defer { wantsRestart = false }
    return wantsRestart
  }

  // MARK: Description

  var description: PluginDescription {
    var ports = audioPorts(isInput: true) + audioPorts(isInput: false) + notePorts
    ports += parameters.map(\.port)
    if `extension`(CLAP_EXT_LATENCY, clap_plugin_latency.self) != nil {
      var port = PluginDescription.Port(kind: .meter, symbol: "latency", name: "Latency")
      port.isLatency = true
      ports.append(port)
    }
    var description = PluginDescription(
      address: .clap(library: library.path, id: id),
      name: String(cString: plugin.pointee.desc.pointee.name), libraryPath: library.path,
      ports: ports)
    if description.ports(.audioOutput).isEmpty {
      description.obstacle = "not supported: it has no audio output; choose another plugin"
    }
    return description
  }

  /// Numbers of channels of the audio ports of a direction.
  func channelCounts(isInput: Bool) -> [Int] {
    audioInfos(isInput: isInput).map { Int($0.channel_count) }
  }

  private func audioInfos(isInput: Bool) -> [clap_audio_port_info] {
    guard let audio = `extension`(CLAP_EXT_AUDIO_PORTS, clap_plugin_audio_ports.self) else {
      return []
    }
    return (0..<audio.count(plugin, isInput)).compactMap { index in
      var info = clap_audio_port_info()
      return audio.get(plugin, index, isInput, &info) ? info : nil
    }
  }

  /// A port for each channel; those beside the main ones steer the plugin.
  private func audioPorts(isInput: Bool) -> [PluginDescription.Port] {
    audioInfos(isInput: isInput).enumerated().flatMap { index, info in
      (0..<Int(info.channel_count)).map { channel in
        let side = isInput ? "in" : "out"
        var port = PluginDescription.Port(
          kind: isInput ? .audioInput : .audioOutput, symbol: "\(side)\(index + 1)_\(channel + 1)",
          name: text(info.name))
        port.isSidechain = isInput && index > 0 && info.flags & UInt32(CLAP_AUDIO_PORT_IS_MAIN) == 0
        return port
      }
    }
  }

  private var notePorts: [PluginDescription.Port] {
    guard let notes = `extension`(CLAP_EXT_NOTE_PORTS, clap_plugin_note_ports.self) else {
      return []
    }
    return (0..<notes.count(plugin, true)).compactMap { index in
      var info = clap_note_port_info()
      guard notes.get(plugin, index, true, &info) else { return nil }
      var port = PluginDescription.Port(
        kind: .events, symbol: "notes\(index + 1)", name: text(info.name))
      port.takesMIDI = info.supported_dialects & 3 != 0
      return port
    }
  }

  /// True if the plugin takes MIDI messages, rather than CLAP's own notes.
  var speaksMIDI: Bool {
    guard let notes = `extension`(CLAP_EXT_NOTE_PORTS, clap_plugin_note_ports.self) else {
      return false
    }
    var info = clap_note_port_info()
    return notes.count(plugin, true) > 0 && notes.get(plugin, 0, true, &info)
      && info.supported_dialects & UInt32(CLAP_NOTE_DIALECT_MIDI) != 0
  }

  private static func parameters(of plugin: UnsafePointer<clap_plugin>) -> [Parameter] {
    guard let known = `extension`(CLAP_EXT_PARAMS, clap_plugin_params.self, of: plugin) else {
      return []
    }
    var symbols: Set<String> = ["latency"]
    return (0..<known.count(plugin)).compactMap { index in
      var info = clap_param_info()
      guard known.get_info(plugin, index, &info), info.flags & UInt32(CLAP_PARAM_IS_HIDDEN) == 0
      else { return nil }
      let name = text(info.name)
      let isMeter = info.flags & UInt32(CLAP_PARAM_IS_READONLY) != 0
      var port = PluginDescription.Port(
        kind: isMeter ? .meter : .control, symbol: LADSPAPorts.symbol(of: name), name: name)
      if !symbols.insert(port.symbol).inserted { port.symbol += "_\(info.id)" }
      // Most plugins compute with floats: 0.1 is not to be 0.10000000149.
      (port.minimum, port.maximum) = (Float(info.min_value).exact, Float(info.max_value).exact)
      port.preset = Float(info.default_value).exact
      port.isSwitch =
        info.flags & UInt32(CLAP_PARAM_IS_STEPPED) != 0 && info.min_value == 0
        && info.max_value == 1
      if info.flags & UInt32(CLAP_PARAM_IS_BYPASS) != 0 { port.bypassValue = info.max_value }
      port.unit = unit(of: info, known, plugin)
      return Parameter(id: info.id, cookie: info.cookie, port: port)
    }
  }

  /// The unit that the plugin writes behind a value, as in `7 st` or `-12.0 cents`.
  private static func unit(
    of info: clap_param_info, _ known: clap_plugin_params, _ plugin: UnsafePointer<clap_plugin>
  ) -> PluginDescription.Port.Unit? {
    var characters = [CChar](repeating: 0, count: 64)
    guard known.value_to_text(plugin, info.id, info.max_value, &characters, 63) else { return nil }
    let word = String(
      decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self
    )
    .lowercased().drop { !$0.isLetter && $0 != "%" }
    if word.isEmpty { return nil }
    if word.hasPrefix("semi") || word == "st" { return .semitones }
    return word.hasPrefix("cent") || word == "ct" ? .cents : .other
  }

  // MARK: Host

  private static func instance(_ host: UnsafePointer<clap_host>?) -> CLAPInstance? {
    host?.pointee.host_data.map { Unmanaged<CLAPInstance>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The host without the pointer to its instance. Its texts live as long as the process.
  private static var template: clap_host {
    clap_host(
      clap_version: clap_version(major: 1, minor: 2, revision: 0), host_data: nil,
      name: words.name, vendor: words.name, url: words.empty, version: words.version,
      get_extension: { _, id in id.flatMap { CLAPHostExtensions.functions(String(cString: $0)) } },
      request_restart: { CLAPInstance.instance($0)?.wantsRestart = true },
      request_process: { _ in },
      request_callback: { CLAPInstance.instance($0)?.wantsCallback = true })
  }

  private struct Words: @unchecked Sendable {
    let name = strdup("choir-host")!
    let version = strdup("1")!
    let empty = strdup("")!
  }
  private static let words = Words()

  fileprivate static func isProcessing(_ host: UnsafePointer<clap_host>?) -> Bool {
    instance(host)?.isProcessing ?? false
  }
}

/// Extensions of the host that plugins may call.
private struct CLAPHostExtensions: @unchecked Sendable {
  private static let all = CLAPHostExtensions()
  private let threads: UnsafeMutablePointer<clap_host_thread_check>
  private let log: UnsafeMutablePointer<clap_host_log>
  private let latency: UnsafeMutablePointer<clap_host_latency>
  private let params: UnsafeMutablePointer<clap_host_params>
  private let state: UnsafeMutablePointer<clap_host_state>

  private init() {
    func kept<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
      let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
      place.initialize(to: value)
      return place
    }
    threads = kept(
      clap_host_thread_check(
        is_main_thread: { !CLAPInstance.isProcessing($0) },
        is_audio_thread: { CLAPInstance.isProcessing($0) }))
    log = kept(
      clap_host_log { _, _, message in
        if let message {
          try? FileHandle.standardError.write(
            contentsOf: Data(bytes: message, count: strlen(message)))
        }
      })
    latency = kept(clap_host_latency { _ in })
    state = kept(clap_host_state { _ in })
    params = kept(
      clap_host_params(rescan: { _, _ in }, clear: { _, _, _ in }, request_flush: { _ in }))
  }

  static func functions(_ id: String) -> UnsafeRawPointer? {
    switch id {
    case CLAP_EXT_THREAD_CHECK: UnsafeRawPointer(all.threads)
    case CLAP_EXT_LOG: UnsafeRawPointer(all.log)
    case CLAP_EXT_LATENCY: UnsafeRawPointer(all.latency)
    case CLAP_EXT_PARAMS: UnsafeRawPointer(all.params)
    case CLAP_EXT_STATE: UnsafeRawPointer(all.state)
    default: nil
    }
  }
}

/// Returns the text of an array of characters of C.
private func text<Characters>(_ characters: Characters) -> String {
  withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
