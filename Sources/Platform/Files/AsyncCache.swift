/// A cache of the latest values that were asked for; callers that ask for the same value at the
/// same time share one task.
package actor AsyncCache<Value: Sendable> {
  /// Values in the order of their last use, the latest last.
  private var entries: [(id: String, task: Task<Value, any Error>)] = []
  private let capacity: Int

  package init(capacity: Int = 4) { self.capacity = capacity }

  /// Returns the value of `id`, made on the first request.
  ///
  /// - Throws: the error of `make`, which stays cached too.
  package func value(
    _ id: String, make: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    if let place = entries.firstIndex(where: { $0.id == id }) {
      let known = entries.remove(at: place)
      entries.append(known)
      return try await known.task.value
    }
    let task = Task.detached { try await make() }
    if entries.count >= capacity { entries.removeFirst() }
    entries.append((id, task))
    return try await task.value
  }
}
