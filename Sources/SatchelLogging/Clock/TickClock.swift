import CSatchelSystem
import Glibc
import SatchelSystem

/// What the ticks of records mean: nanoseconds since 1970.
///
/// Nobody measures the rate of the ticks beforehand: the first process of a boot writes down a pair of tick and time, and a leader
/// that turns a record's tick into a time takes another pair then. The error is that of reading the clock, some ten nanoseconds,
/// since the tick lies between both pairs or just beside the second.
struct TickClock {
  /// Of the control file.
  private enum Place {
    static let kind = 0
    static let tick = 8
    static let monotonic = 16
    /// The last pair that a leader took, and the rate it had: what records of an earlier boot are told by.
    static let lastTick = 24
    static let lastWall = 32
    static let rate = 40
  }

  private let place: UnsafeMutableRawPointer
  private let anchorTick: UInt64
  private let anchorMonotonic: Int64
  private var tick: UInt64 = 0
  private var wall: Int64 = 0
  private var rate = 1.0
  private var wallOffset: Int64 = 0
  private var sampled: Int64 = 0
  private let isLive: Bool
  /// Ticks are those of the processor, not nanoseconds of the system's clock.
  let usesTicks: Bool

  /// The clock of this boot.
  init(_ control: Control) {
    self.init(control.start + ControlLayout.clock, isLive: true)
    sample()
  }

  /// The clock as an earlier boot has left it.
  init(earlier control: Control) { self.init(control.start + ControlLayout.earlierClock, isLive: false) }

  private init(_ place: UnsafeMutableRawPointer, isLive: Bool) {
    self.place = place
    usesTicks = place.load(fromByteOffset: Place.kind, as: UInt32.self) == 1
    anchorTick = place.load(fromByteOffset: Place.tick, as: UInt64.self)
    anchorMonotonic = place.load(fromByteOffset: Place.monotonic, as: Int64.self)
    tick = place.load(fromByteOffset: Place.lastTick, as: UInt64.self)
    wall = place.load(fromByteOffset: Place.lastWall, as: Int64.self)
    rate = place.load(fromByteOffset: Place.rate, as: Double.self)
    self.isLive = isLive
  }

  static func keepAsEarlier(_ control: Control) {
    memcpy(control.start + ControlLayout.earlierClock, control.start + ControlLayout.clock, 64)
  }

  /// Begins a new boot, or a new directory.
  static func start(_ control: Control) {
    let place = control.start + ControlLayout.clock
    let usesTicks = scs_has_steady_ticks() && kernelTrustsTicks
    let now = pair(usesTicks)
    place.storeBytes(of: usesTicks ? 1 : 0, toByteOffset: Place.kind, as: UInt32.self)
    place.storeBytes(of: now.tick, toByteOffset: Place.tick, as: UInt64.self)
    place.storeBytes(of: now.monotonic, toByteOffset: Place.monotonic, as: Int64.self)
    place.storeBytes(of: now.tick, toByteOffset: Place.lastTick, as: UInt64.self)
    place.storeBytes(of: now.wall, toByteOffset: Place.lastWall, as: Int64.self)
    place.storeBytes(of: 1, toByteOffset: Place.rate, as: Double.self)
  }

  /// A kernel that has found the processors' counters to disagree has chosen another clock.
  private static var kernelTrustsTicks: Bool {
    let descriptor = scs_open(
      "/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC, 0)
    // Without /sys nothing speaks against them but caution.
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var text = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &text, text.count)
    guard count > 0 else { return false }
    let name = String(decoding: text[..<count].prefix { $0 > 0x20 }, as: UTF8.self)
    return ["tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter"].contains(name)
  }

  /// Tick and times of one instant: of several tries the one that was disturbed least.
  private static func pair(_ usesTicks: Bool) -> (tick: UInt64, monotonic: Int64, wall: Int64) {
    var best: (tick: UInt64, monotonic: Int64, wall: Int64) = (0, 0, 0)
    var least = UInt64.max
    for _ in 0..<4 {
      let before = usesTicks ? scs_tick() : 0
      let monotonic = scs_monotonic_ns()
      let wall = scs_now_ns()
      let took = usesTicks ? scs_tick() &- before : 0
      guard took < least else { continue }
      least = took
      best = (usesTicks ? before &+ took / 2 : UInt64(monotonic), monotonic, wall)
      if took < 400 { break }
    }
    return best
  }

  /// Takes a pair. The change of the system's clock against the monotonic one since the last call, where it was set; else 0.
  @discardableResult
  mutating func sample() -> Int64 {
    guard isLive else { return 0 }
    let now = TickClock.pair(usesTicks)
    tick = now.tick
    wall = now.wall
    let ticks = now.tick &- anchorTick
    if usesTicks, ticks > 0 { rate = Double(now.monotonic - anchorMonotonic) / Double(ticks) }
    place.storeBytes(of: tick, toByteOffset: Place.lastTick, as: UInt64.self)
    place.storeBytes(of: wall, toByteOffset: Place.lastWall, as: Int64.self)
    place.storeBytes(of: rate, toByteOffset: Place.rate, as: Double.self)
    let step = now.wall - now.monotonic - wallOffset
    wallOffset += step
    // Slewing, as by NTP, is no step: it is 0.05 % at most.
    let slewed = (now.monotonic - sampled) / 1000
    sampled = now.monotonic
    return abs(step) >= TickClock.leastStep + slewed ? step : 0
  }

  private static let leastStep: Int64 = 100_000_000

  /// The last pair's tick, and its time.
  var now: (tick: UInt64, wall: Int64) { (tick, wall) }

  @inline(__always)
  func time(of recordTick: UInt64) -> Int64 {
    let distance = Double(Int64(bitPattern: recordTick &- tick)) * rate
    // What is damaged may say anything.
    guard abs(distance) < 1e18 else { return wall }
    return wall &+ Int64(distance)
  }

  func ticks(in nanoseconds: Int64) -> UInt64 { UInt64(Double(nanoseconds) / min(max(rate, 1e-6), 1e6)) }
}
