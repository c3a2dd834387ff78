import SatchelCollections
import Testing

extension AssociatedKey where Value == Int { fileprivate static var visits: Self { "visits" } }
extension AssociatedKey where Value == String { fileprivate static var nickname: Self { "nickname" } }
extension AssociatedKey where Value == Thing {
  fileprivate static var partner: Self { Self(weak: "partner") }
  fileprivate static var part: Self { "part" }
  fileprivate static var snapshot: Self { Self("snapshot") { Thing($0.number + 100) } }
}

private final class Plain {}
private class Owner: AssociatedValuesOwner { let associatedValues = AssociatedStorage() }
private final class SubOwner: Owner {}

@Suite struct ValuesOfObjects {
  /// One that carries its values itself, one whose superclass does, one that knows nothing of it.
  static let makers: [@Sendable () -> AnyObject] = [{ Plain() }, { Owner() }, { SubOwner() }]

  @Test(arguments: makers.indices)
  func areTypedAndHeldAsTheKeySays(_ maker: Int) {
    let object = Self.makers[maker]()
    let values = AssociatedValues()
    #expect(values[object, .visits] == nil)
    values[object, .visits] = 1
    values[object, .visits, default: 0] += 1
    values[object, .nickname] = "it"
    #expect(values[object, .visits] == 2 && values[object, .nickname] == "it")
    values[object, .nickname] = nil
    #expect(values[object, .nickname] == nil && values[object, .nickname, default: "?"] == "?")

    var thing: Thing? = Thing(7)
    values[object, .partner] = thing
    values[object, .part] = thing
    values[object, .snapshot] = thing
    #expect(values[object, .snapshot]?.number == 107)
    withExtendedLifetime(thing) { #expect(values[object, .partner] === thing && values[object, .part] === thing) }
    thing = nil
    #expect(values[object, .partner]?.number == 7, "the other key holds it")
    values[object, .part] = nil
    #expect(values[object, .partner] == nil)
  }

  @Test(arguments: makers.indices)
  func theSameNameIsTheSamePlace(_ maker: Int) {
    let object = Self.makers[maker]()
    let values = AssociatedValues()
    values[object, "place"] = 1
    #expect(values[object, AssociatedKey<String>("place")] == nil)
    values[object, "place"] = "text"
    #expect(values[object, AssociatedKey<Int>("place")] == nil)
    #expect(values[object, AssociatedKey<String>("place")] == "text")
  }

  @Test(arguments: makers.indices)
  func removingAllTouchesOneNameSpaceOnly(_ maker: Int) {
    let (object, other) = (Self.makers[maker](), Self.makers[maker]())
    let (mine, theirs) = (AssociatedValues(), AssociatedValues())
    for target in [object, other] {
      mine[target, .visits] = 1
      mine[target, .nickname] = "a"
      theirs[target, .visits] = 2
    }
    mine.removeAll(from: object)
    #expect(mine[object, .visits] == nil && mine[object, .nickname] == nil && theirs[object, .visits] == 2)
    #expect(mine[other, .visits] == 1 && mine[other, .nickname] == "a")
  }

  @Test func goWithTheirOwnerAtOnce() {
    let values = AssociatedValues()
    let ends = Counter()
    var owner: Owner? = SubOwner()
    if let owner { values[owner, .part] = Thing { ends.up() } }
    #expect(ends.value == 0)
    owner = nil
    #expect(ends.value == 1)
  }

  @Test func goWithAnyOtherObjectAtTheSweep() {
    let values = AssociatedValues()
    let ends = Counter()
    for _ in 0..<10_000 { values[Plain(), .part] = Thing { ends.up() } }
    #expect(ends.value > 8000, "each object that gets a value sweeps")
    values.removeExpired()
    #expect(ends.value == 10_000)
  }

  /// Memory is used again at once, so that the addresses of the dead come again and again.
  @Test func areNobodyElses() {
    let values = AssociatedValues()
    for number in 0..<10_000 {
      let object = Plain()
      #expect(values[object, .visits] == nil)
      values[object, .visits] = number
      #expect(values[object, .visits] == number)
    }
  }

  @Test func goWithTheirNameSpace() {
    let ends = Counter()
    let object = Plain()
    var values: AssociatedValues? = AssociatedValues()
    values?[object, .part] = Thing { ends.up() }
    values = nil
    withExtendedLifetime(object) { #expect(ends.value == 1) }
  }

  @Test func ownersKeepThoseOfANameSpaceThatHasGone() {
    let ends = Counter()
    var owner: Owner? = Owner()
    var values: AssociatedValues? = AssociatedValues()
    if let owner { values?[owner, .part] = Thing { ends.up() } }
    values = nil
    #expect(ends.value == 0)
    owner = nil
    #expect(ends.value == 1)
  }

  @Test(arguments: makers.indices)
  func theirEndMayUseThem(_ maker: Int) {
    let object = Self.makers[maker]()
    let values = AssociatedValues()
    let box = Pair(object, values)
    values[object, .part] = Thing {
      box.values[box.object, .nickname] = "from the end"
      box.values.removeExpired()
    }
    values[object, .part] = nil
    #expect(values[object, .nickname] == "from the end")
  }

  @Test(arguments: makers.indices)
  func inThreads(_ maker: Int) {
    let pairs = (0..<4).map { _ in Pair(Self.makers[maker](), AssociatedValues()) }
    let wrong = Counter()
    threads(4) { thread in
      for step in 0..<2000 {
        let pair = pairs[step % 4]
        let key = AssociatedKey<Int>("of thread \(thread)")
        pair.values[pair.object, key] = step
        if pair.values[pair.object, key] != step { wrong.up() }
        pair.values[Plain(), key] = step
      }
    }
    #expect(wrong.value == 0)
  }

  private final class Pair: @unchecked Sendable {
    let object: AnyObject
    let values: AssociatedValues
    init(_ object: AnyObject, _ values: AssociatedValues) {
      self.object = object
      self.values = values
    }
  }
}
