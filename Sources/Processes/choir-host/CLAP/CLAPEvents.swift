import CPluginHost
import HostProtocol

/// The events of a block, in memory that the plugin reads.
final class CLAPEvents {
  private let slots: UnsafeMutableRawPointer
  private let capacity: Int
  /// Places of the events in the order of their times.
  private var order: [Int] = []
  let input: UnsafeMutablePointer<clap_input_events>
  let output: UnsafeMutablePointer<clap_output_events>

  /// Room for the longest event, a parameter's value.
  private static let slotBytes = 64

  init(capacity: Int) {
    self.capacity = capacity
    order.reserveCapacity(capacity)
    slots = .allocate(byteCount: capacity * Self.slotBytes, alignment: 16)
    input = .allocate(capacity: 1)
    output = .allocate(capacity: 1)
    output.initialize(to: clap_output_events(ctx: nil, try_push: { _, _ in true }))
    input.initialize(
      to: clap_input_events(
        ctx: nil,
        size: { list in UInt32(CLAPEvents.of(list).order.count) },
        get: { list, index in
          let events = CLAPEvents.of(list)
          guard index < events.order.count else { return nil }
          let place = events.slots + events.order[Int(index)] * CLAPEvents.slotBytes
          return UnsafePointer(place.assumingMemoryBound(to: clap_event_header.self))
        }))
    input.pointee.ctx = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit {
    slots.deallocate()
    input.deallocate()
    output.deallocate()
  }

  private static func of(_ list: UnsafePointer<clap_input_events>?) -> CLAPEvents {
    Unmanaged<CLAPEvents>.fromOpaque(list!.pointee.ctx).takeUnretainedValue()
  }

  func removeAll() { order.removeAll(keepingCapacity: true) }

  /// Adds a value of a parameter.
  func add(_ value: Double, of parameter: CLAPInstance.Parameter, at frame: Int) {
    add(CLAP_EVENT_PARAM_VALUE, at: frame, clap_event_param_value.self) {
      $0.param_id = parameter.id
      $0.cookie = parameter.cookie
      ($0.note_id, $0.port_index, $0.channel, $0.key) = (-1, -1, -1, -1)
      $0.value = value
    }
  }

  /// Adds a MIDI message of three bytes.
  func add(midi bytes: [UInt8], at frame: Int) {
    add(CLAP_EVENT_MIDI, at: frame, clap_event_midi.self) {
      $0.data = (bytes[0], bytes.count > 1 ? bytes[1] : 0, bytes.count > 2 ? bytes[2] : 0)
    }
  }

  /// Adds a note that begins or ends; other messages have no meaning to a plugin without MIDI.
  func add(noteOf bytes: [UInt8], at frame: Int) {
    guard bytes.count == 3, [0x80, 0x90].contains(bytes[0] & 0xf0) else { return }
    let isOn = bytes[0] & 0xf0 == 0x90 && bytes[2] > 0
    add(isOn ? CLAP_EVENT_NOTE_ON : CLAP_EVENT_NOTE_OFF, at: frame, clap_event_note.self) {
      $0.note_id = -1
      ($0.port_index, $0.channel, $0.key) = (0, Int16(bytes[0] & 0x0f), Int16(bytes[1]))
      $0.velocity = Double(bytes[2]) / 127
    }
  }

  private func add<Event>(_ kind: Int, at frame: Int, _: Event.Type, _ set: (inout Event) -> Void) {
    guard order.count < capacity else { return }
    let place = slots + order.count * Self.slotBytes
    place.initializeMemory(as: UInt8.self, repeating: 0, count: Self.slotBytes)
    place.storeBytes(
      of: clap_event_header(
        size: UInt32(MemoryLayout<Event>.size), time: UInt32(frame), space_id: 0,
        type: UInt16(kind), flags: 0), as: clap_event_header.self)
    set(&place.assumingMemoryBound(to: Event.self).pointee)
    let later = order.lastIndex { time(of: $0) <= frame }
    order.insert(order.count, at: later.map { $0 + 1 } ?? 0)
  }

  private func time(of event: Int) -> Int {
    Int((slots + event * Self.slotBytes).load(as: clap_event_header.self).time)
  }
}
