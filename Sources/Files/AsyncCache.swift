/// The last few things that were made, each once, however many ask for it at the same time.
package actor AsyncCache<Value: Sendable> {
  private var things: [(id: String, task: Task<Value, any Error>)] = []
  private let capacity: Int

  package init(capacity: Int = 4) { self.capacity = capacity }

  package func take(
    _ id: String, make: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    if let known = things.first(where: { $0.id == id }) { return try await known.task.value }
    let task = Task.detached { try await make() }
    if things.count >= capacity { things.removeFirst() }
    things.append((id, task))
    return try await task.value
  }
}
