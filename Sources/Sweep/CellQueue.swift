/// The cells that a run computes, in their order, except that a few may wait for others at work on
/// the same reference.
///
/// Alone, a run has all of its pending cells. In a shared folder it claims block after block; what
/// other processes have claimed, it looks at again until it is measured or its process has died.
struct CellQueue {
  enum Next {
    case cell(Cell)
    /// Other processes are at work on all that is left.
    case later
    case end
  }

  /// A claimed block of which cells are being measured.
  private struct Begun {
    let block: HeldBlock
    var keys: Set<String>
    var isWhole = true
  }

  private var ready: ArraySlice<Cell>
  private var blocks: [CellBlock] = []
  private let folder: SharedFolder?
  private let pending: Set<String>
  private var begun: [Begun] = []
  /// Number of pending cells that other processes have measured.
  private(set) var elsewhere = 0

  /// Makes the queue of a run that is alone.
  init(_ pending: [Cell]) {
    ready = pending[...]
    folder = nil
    self.pending = []
  }

  /// - Parameters:
  ///   - cells: all cells of the plan.
  ///   - pending: those that the store of this process lacks.
  init(_ cells: [Cell], pending: [Cell], in folder: SharedFolder) {
    ready = []
    blocks = CellBlock.blocks(of: cells)
    self.folder = folder
    self.pending = Set(pending.map(\.key))
  }

  var isEmpty: Bool { ready.isEmpty && blocks.isEmpty }

  /// The cells that have not begun, here or elsewhere as far as is known.
  var left: [Cell] { ready + blocks.flatMap { $0.cells.filter { pending.contains($0.key) } } }

  /// Largest number of cells that one may overtake.
  private static let longestJump = 15

  /// - Parameter running: cells at work now. A cell that shares its reference with none of them
  ///   goes first, since two would wait for each other at every analysis of it.
  mutating func next(besides running: [Cell] = []) throws -> Next {
    var taken: [CellBlock] = []
    defer { blocks += taken }
    while ready.isEmpty, let folder, let block = blocks.first {
      blocks.removeFirst()
      let own = block.cells.filter { pending.contains($0.key) }
      switch try folder.claim(block) {
      case .done: elsewhere += own.count
      case .taken: taken.append(block)
      case .held(let held):
        if own.isEmpty { try held.finish() }
        ready = own[...]
        begun.append(Begun(block: held, keys: Set(own.map(\.key))))
      }
    }
    if let cell = popFirst(besides: running) { return .cell(cell) }
    return taken.isEmpty ? .end : .later
  }

  private mutating func popFirst(besides running: [Cell]) -> Cell? {
    guard !running.isEmpty, ready.count > 1 else { return ready.popFirst() }
    let references = Set(running.map(\.reference))
    let place =
      ready.prefix(Self.longestJump + 1).firstIndex { !references.contains($0.reference) }
      ?? ready.startIndex
    let cell = ready[place]
    for later in stride(from: place, to: ready.startIndex, by: -1) {
      ready[later] = ready[later - 1]
    }
    ready.removeFirst()
    return cell
  }

  /// Notes the end of a cell. A block is done when all of its cells are measured; one with a failed
  /// cell is left to the other processes, which may have what this one lacks.
  mutating func end(_ cell: Cell, isMeasured: Bool) throws {
    guard let place = begun.firstIndex(where: { $0.keys.contains(cell.key) }) else { return }
    begun[place].keys.remove(cell.key)
    if !isMeasured { begun[place].isWhole = false }
    guard begun[place].keys.isEmpty else { return }
    let ended = begun.remove(at: place)
    if ended.isWhole { try ended.block.finish() }
  }
}
