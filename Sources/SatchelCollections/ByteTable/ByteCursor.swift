import Glibc
import SatchelSystem

/// A place in a walk that its table knows of, so that whatever happens to the table the walk goes on as it should.
public struct ByteCursor {
  enum State {
    /// Nowhere yet.
    case fresh
    /// At the entry in place `place`.
    case at
    /// Before the place `place`.
    case between
  }
  /// nil once the table has been freed.
  public internal(set) var table: ByteTablePointer?
  var state = State.fresh
  var place = 0
  var previous: ByteCursorPointer?
  var next: ByteCursorPointer?

  public init() {}
}
public typealias ByteCursorPointer = UnsafeMutablePointer<ByteCursor>

extension UnsafeMutablePointer where Pointee == ByteCursor {
  /// The cursor's memory is the caller's. O(1).
  public func open(_ table: ByteTablePointer) -> SatchelError.Code? {
    guard !table.pointee.isDying else { return .invalid }
    pointee.table = table
    pointee.next = table.pointee.cursors
    pointee.next?.pointee.previous = self
    table.pointee.cursors = self
    return nil
  }

  /// O(1).
  public func close() {
    pointee.next?.pointee.previous = pointee.previous
    if let previous = pointee.previous {
      previous.pointee.next = pointee.next
    } else {
      pointee.table?.pointee.cursors = pointee.next
    }
    pointee.table = nil
  }

  /// The place of the next entry; nil at the end. O(1) on average.
  @inline(__always)
  public func advance(_ table: ByteTablePointer) -> Int? {
    let start =
      switch pointee.state {
      case .fresh: table.pointee.live.head
      case .at: pointee.place &+ 1
      case .between: pointee.place
      }
    return stand(at: table.firstLive(from: start), or: table.pointee.live.end)
  }

  /// The place of the entry before; nil at the beginning. O(1) on average.
  @inline(__always)
  public func retreat(_ table: ByteTablePointer) -> Int? {
    let start = pointee.state == .fresh ? table.pointee.live.end : pointee.place
    return stand(at: table.lastLive(before: start), or: table.pointee.live.head)
  }

  @inline(__always)
  private func stand(at found: Int?, or bound: Int) -> Int? {
    pointee.state = found == nil ? .between : .at
    pointee.place = found ?? bound
    return found
  }

  /// The place of the present entry, where there is one.
  public var present: Int? { pointee.state == .at ? pointee.place : nil }
}

// What a table tells its cursors. Without any it costs a test.
extension UnsafeMutablePointer where Pointee == ByteTable {
  @inline(__always)
  private func forEachCursor(_ body: (ByteCursorPointer) -> Void) {
    var next = pointee.cursors
    while let cursor = next {
      next = cursor.pointee.next
      if cursor.pointee.state != .fresh { body(cursor) }
    }
  }

  /// The entry in a place is gone.
  @inline(__always)
  func leaveCursors(_ place: Int) {
    forEachCursor { if $0.pointee.place == place { $0.pointee.state = .between } }
  }

  /// The bounds have come nearer: places beyond them will be given away anew.
  @inline(__always)
  func boundCursors() {
    forEachCursor { $0.pointee.place = min(max($0.pointee.place, pointee.live.head), pointee.live.end) }
  }

  func rewindCursors() {
    forEachCursor {
      $0.pointee.state = .between
      $0.pointee.place = 0
    }
  }

  @inline(__always)
  func renumberCursors(_ moved: (Int) -> Int) {
    forEachCursor { $0.pointee.place = moved($0.pointee.place) }
  }

  /// Each entry from `place` on, but the last, is about to move to the place of its successor, and the last one to `place`: who
  /// stood there stays with the entry, who had passed one has passed one more.
  func shiftCursors(from place: Int) {
    forEachCursor { cursor in
      let stood = cursor.pointee.place
      if cursor.pointee.state == .at, stood >= place {
        cursor.pointee.place = firstLive(from: stood &+ 1) ?? place
      } else if cursor.pointee.state == .between, stood > place {
        cursor.pointee.place = firstLive(from: stood).map { $0 &+ 1 } ?? pointee.live.end
      }
    }
  }

  func detachCursors() {
    var next = pointee.cursors
    while let cursor = next {
      next = cursor.pointee.next
      cursor.pointee.table = nil
      cursor.pointee.next = nil
      cursor.pointee.previous = nil
    }
    pointee.cursors = nil
  }
}

/// A place in a walk that the table does not know of.
public struct BytePosition {
  public var ordinal: UInt64
  public var epoch: UInt64

  public init(ordinal: UInt64, epoch: UInt64) {
    self.ordinal = ordinal
    self.epoch = epoch
  }
}

extension UnsafeMutablePointer where Pointee == ByteTable {
  /// The place of the next entry, nil at the end. Throws `.stale` where the table has put its entries elsewhere since.
  public func next(_ position: inout BytePosition) throws(SatchelError) -> Int? {
    if position.epoch == 0 { position = BytePosition(ordinal: 0, epoch: pointee.epoch) }
    guard position.epoch == pointee.epoch else {
      throw SatchelError(.stale, "the dictionary has put its entries elsewhere since")
    }
    guard position.ordinal <= pointee.live.end,
      let place = firstLive(from: max(Int(position.ordinal), pointee.live.head))
    else {
      return nil
    }
    position.ordinal = UInt64(place) + 1
    return place
  }
}
