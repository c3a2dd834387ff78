/// Times of ours and the peer's, taken in turns.
struct Timing {
  let name: String
  let peer: String
  private var ours: [Double] = []
  private var theirs: [Double] = []

  init(_ name: String, peer: String) {
    self.name = name
    self.peer = peer
  }

  /// Nanoseconds for each of `count` operations; the body returns a sum, which has to be the one expected.
  private static func time(_ count: Int, expecting expected: Int?, _ body: () -> Int) -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    let sum = body()
    let (seconds, attoseconds) = start.duration(to: clock.now).components
    guard expected == nil || sum == expected else { fatalError("a wrong result") }
    return (Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(count)
  }

  mutating func ours(_ count: Int, expecting expected: Int? = nil, _ body: () -> Int) {
    ours.append(Self.time(count, expecting: expected, body))
  }

  mutating func theirs(_ count: Int, expecting expected: Int? = nil, _ body: () -> Int) {
    theirs.append(Self.time(count, expecting: expected, body))
  }

  func report() {
    let mine = Self.median(ours)
    guard !theirs.isEmpty else { return print([name, Self.text(mine), "ns", "-", "-", "-"].joined(separator: "\t")) }
    let other = Self.median(theirs)
    print([name, Self.text(mine), "ns", peer, Self.text(other), Self.text(other / mine)].joined(separator: "\t"))
  }

  private static func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

  private static func text(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }
}
