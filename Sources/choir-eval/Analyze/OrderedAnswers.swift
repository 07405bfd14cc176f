import CommandSupport
import Foundation

/// Runs pieces of work on several threads and passes on their results in order.
final class OrderedAnswers<Answer>: @unchecked Sendable {
  private let count: Int
  private let workers: Int
  private let condition = NSCondition()
  private var begun = 0
  private var answers: [Int: Answer] = [:]

  /// - Parameter jobs: number of threads; `nil` is one for each core.
  init(count: Int, jobs: Int?) {
    self.count = count
    workers = min(count, jobs ?? ProcessInfo.processInfo.activeProcessorCount)
  }

  /// Runs all pieces of work.
  ///
  /// - Parameters:
  ///   - work: returns the result of piece `index`; called on any thread.
  ///   - take: receives the results in order, each as soon as it and all before it are complete.
  func forEach(_ work: @escaping @Sendable (_ index: Int) -> Answer, take: (Answer) -> Void) {
    for _ in 0..<workers {
      let thread = Thread { [self] in
        while let index = next() { put(work(index), at: index) }
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    for index in 0..<count { take(answer(index)) }
  }

  private func next() -> Int? {
    condition.withLock {
      guard begun < count else { return nil }
      begun += 1
      return begun - 1
    }
  }

  private func put(_ answer: Answer, at index: Int) {
    condition.lock()
    answers[index] = answer
    condition.broadcast()
    condition.unlock()
  }

  private func answer(_ index: Int) -> Answer {
    condition.lock()
    defer { condition.unlock() }
    while answers[index] == nil { condition.wait() }
    return answers.removeValue(forKey: index)!
  }
}

/// Progress of the analysis of several recordings, reported by several threads.
final class AnalysisProgress: @unchecked Sendable {
  private let lock = NSLock()
  private let files: [String]
  private var bar: ProgressBar?
  private var shares: [Int: Double] = [:]
  private var lastShown = Date()

  init(files: [String], isShown: Bool) {
    self.files = files
    if isShown { bar = ProgressBar(total: files.count) }
  }

  func show(_ index: Int, _ share: Double) {
    lock.withLock {
      shares[index] = share
      // A short recording needs no progress.
      guard Date().timeIntervalSince(lastShown) > 0.5 else { return }
      lastShown = Date()
      bar?.show(underWay: shares.values.reduce(0, +), files[index])
    }
  }

  func end(_ index: Int) {
    lock.withLock {
      shares[index] = nil
      if files.count > 1 { bar?.advance(to: files[index]) }
    }
  }

  func clear() { lock.withLock { bar?.clear() } }
}
