import SatchelSettings
import SatchelSystem
import SatchelValues

/// Sets the keys of a file and removes others: all of it in one transaction, or in as many as it takes.
struct ImportSteps {
  let settings: Settings
  let pairs: [(key: String, value: Value)]
  let removesOthers: Bool
  let isDryRun: Bool
  let inParts: Bool
  private(set) var removed = 0
  /// What is removed behind the last pair; known when the first transaction has begun.
  private var others: [String]?
  private var next = 0
  private var progress: Progress

  init(_ settings: Settings, _ pairs: [(key: String, value: Value)], _ arguments: Arguments) {
    self.settings = settings
    self.pairs = pairs
    removesOthers = arguments.has(.replace)
    isDryRun = arguments.has(.dryRun)
    inParts = arguments.has(.inParts)
    progress = Progress("import", total: pairs.count)
  }

  mutating func run() throws(Failure) {
    defer { progress.end() }
    repeat { try part() } while next < total
  }

  private var total: Int { pairs.count + (others?.count ?? 0) }

  /// Thrown to leave a transaction without writing.
  private struct DryRun: Error {}

  private mutating func part() throws(Failure) {
    let first = next
    var isFull = false
    do {
      try settings.transaction { transaction in
        if others == nil { others = removesOthers ? try keysBeside() : [] }
        while next < total, !isFull {
          do throws(SatchelError) { try change(transaction) } catch {
            isFull = transaction.isFull
            guard inParts, isFull, next > first else { throw error }
          }
        }
        if isDryRun { throw DryRun() }
      }
    } catch let error as SatchelError {
      throw failure(error, isFull, after: first)
    } catch is DryRun {
      // What was to be found out is known.
    } catch {
      throw Failure(.failed, "\(error)")
    }
  }

  private mutating func change(_ transaction: Transaction) throws(SatchelError) {
    if next < pairs.count {
      try transaction.set(pairs[next].value, for: pairs[next].key)
    } else if let others, try transaction.remove(others[next - pairs.count]) {
      removed += 1
    }
    next += 1
    progress.step()
  }

  private func keysBeside() throws(SatchelError) -> [String] {
    let kept = ValueDictionary(names: pairs)
    return try settings.keys().filter { kept[$0] == nil }
  }

  private func failure(_ error: SatchelError, _ isFull: Bool, after count: Int) -> Failure {
    var failure = Failure(error)
    if isFull, !inParts {
      failure.lines.append("--in-parts sets them in several steps, each of which is all or nothing")
    }
    if error.code == .type { failure.lines.append(Import.wayOutOfNull) }
    if count > 0, !isDryRun { failure.lines.append("what stood before is done: \(count) changes of \(total)") }
    return failure
  }
}

extension ValueDictionary {
  /// A dictionary and not a set of strings: it tells keys apart byte by byte.
  init(names pairs: [(key: String, value: Value)]) {
    self.init(minimumCapacity: pairs.count)
    for (key, _) in pairs { updateValue(.null, forKey: key) }
  }
}
