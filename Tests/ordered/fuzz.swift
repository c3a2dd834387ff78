// What libFuzzer calls: a stream of operations on ordered dictionaries. The first byte chooses the kind of key.
import CollectionsSupport
import SatchelCollections

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  guard let kind = bytes.first else { return 0 }
  let stream = [UInt8](bytes.dropFirst())
  let fault =
    switch kind % 3 {
    case 0: OrderedReplay<Int>.run(stream)
    case 1: OrderedReplay<String>.run(stream)
    default: OrderedReplay<CollidingKey>.run(stream)
    }
  if let fault { fatalError(fault) }
  return 0
}
