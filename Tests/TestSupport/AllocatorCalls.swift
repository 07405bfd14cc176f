import AllocationProbe

/// Counts the calls of the allocator and of locks while `use` works on a fresh value.
///
/// `use` works on another value first: the runtime describes a generic type where a program first
/// uses it, which allocates once.
public func allocatorCalls<Value: ~Copyable>(
  on fresh: () throws -> Value, during use: (inout Value) -> Void
) rethrows -> Int {
  var first = try fresh()
  use(&first)
  var value = try fresh()
  allocation_probe_start()
  use(&value)
  return allocation_probe_stop()
}
