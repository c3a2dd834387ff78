import Glibc

/// The `satchel` command.
@main
enum Main {
  static func main() {
    Descriptors.fillGaps()
    let code = Dispatch.run(CommandLineWords.afterName)
    exit(code.rawValue)
  }
}
