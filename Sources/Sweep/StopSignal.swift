import Synchronization

/// Asks a sweep, from any thread, to begin nothing more; what is in flight is finished and kept.
public final class StopSignal: Sendable {
  private let isUp = Atomic<Bool>(false)

  public init() {}

  public func raise() { isUp.store(true, ordering: .relaxed) }

  public var isRaised: Bool { isUp.load(ordering: .relaxed) }
}
