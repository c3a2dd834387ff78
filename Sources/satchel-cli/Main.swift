import Glibc

/// The `satchel` command: what the linker calls `main`, under the name that SwiftPM gives it in this target.
///
/// Not `@main`, because Swift then looks for the arguments in /proc, and finds none where it is not mounted or there is
/// no descriptor left to open it.
@_cdecl("satchel_cli_main")
func main(count: Int32, words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32 {
  Descriptors.fillGaps()
  return Dispatch.run(Word.all(behindName: count, words)).rawValue
}
