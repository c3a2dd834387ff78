// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CSatchel
import Glibc
import Satchel
import SatchelLogging
import SatchelSystem

/// A `satchel_type *`, as the engine asks for it.
private struct ForeignType: DescribedType {
  let type: UnsafePointer<satchel_type>

  var kind: DescribedKind? { DescribedKind(rawValue: type.pointee.kind) }
  var name: String? { shown(type.pointee.name) }
  var size: Int { type.pointee.size }
  var count: Int { type.pointee.count }
  var element: ForeignType? { type.pointee.element.map(ForeignType.init(type:)) }
  var identity: UnsafeRawPointer { UnsafeRawPointer(type) }

  func member(_ index: Int) -> DescribedMember<ForeignType>? {
    guard let members = type.pointee.members, let name = shown(members[index].name), let type = members[index].type
    else {
      return nil
    }
    return DescribedMember(name: name, offset: members[index].offset, type: ForeignType(type: type))
  }

  func enumerator(_ index: Int) -> (name: String, value: Int64)? {
    guard let enumerators = type.pointee.enumerators, let name = shown(enumerators[index].name) else { return nil }
    return (name, enumerators[index].value)
  }

  /// What is too long for a name is cut.
  private func shown(_ name: UnsafePointer<CChar>?) -> String? {
    name.map { String(decoding: UnsafeRawBufferPointer(start: $0, count: strnlen($0, 256)), as: UTF8.self) }
  }
}

@implementation @_cdecl("satchel_log_dump")
public func satchel_log_dump(
  _ log: UnsafeMutablePointer<satchel_log>?, _ number: Int32, _ site: UnsafePointer<satchel_log_site>?,
  _ label: UnsafePointer<CChar>?, _ type: UnsafePointer<satchel_type>?, _ value: UnsafeRawPointer?
) -> Int32 {
  guard let log else { return invalid("log is NULL") }
  guard let severity = Severity(number: number) else { return invalid("there is no such severity") }
  guard let type else { return invalid("type is NULL") }
  return withLabel(label) { label in
    do throws(Logger.UnusableType) {
      let type = ForeignType(type: type)
      return code(try Logger(handle: log).dump(value, as: type, label: label, severity: severity, at: CallSite(site)))
    } catch {
      return invalid(error.reason)
    }
  }
}

@implementation @_cdecl("satchel_log_dump_text")
public func satchel_log_dump_text(
  _ log: UnsafeMutablePointer<satchel_log>?, _ number: Int32, _ site: UnsafePointer<satchel_log_site>?,
  _ label: UnsafePointer<CChar>?, _ text: satchel_bytes
) -> Int32 {
  guard let log else { return invalid("log is NULL") }
  guard let severity = Severity(number: number) else { return invalid("there is no such severity") }
  guard let bytes = text.buffer else { return invalid("the text is a range without bytes, or of an absurd size") }
  guard Memory.hasRoom(for: bytes.count * 4) else { return failed(.noMemory) }
  return withLabel(label) { label in
    code(Logger(handle: log).dump(described: bytes, label: label, severity: severity, at: CallSite(site)))
  }
}

private func withLabel(_ label: UnsafePointer<CChar>?, _ body: (String) -> Int32) -> Int32 {
  guard let label else { return body("<No label>") }
  var result = SATCHEL_EINVAL
  let code = attempt { () throws(SatchelError) in
    guard let text = try label.text() else { throw SatchelError(.invalid, "the label is not UTF-8") }
    result = body(text)
  }
  return code == SATCHEL_OK ? result : code
}
