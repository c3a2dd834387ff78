import Glibc
import SatchelLogging
import SatchelSystem
import TestSupport
import Testing

@Suite struct LevelTests {
  @Test func directivesNameCategories() {
    let directives = LevelDirectives("warning, net=trace,db=off")
    #expect(directives.general == .from(.warning))
    #expect(directives.mask(for: "net") == .all)
    #expect(directives.mask(for: "db") == [])
    #expect(directives.mask(for: "ui") == .from(.warning))
    #expect(directives.unknown.isEmpty)
  }

  @Test func theLastWordCounts() {
    #expect(LevelDirectives("info,error,net=info,net=fatal").mask(for: "net") == .from(.fatal))
    #expect(LevelDirectives("info,error").general == .from(.error))
  }

  @Test func whatMakesNoSenseIsNamed() {
    let directives = LevelDirectives("loud,net=,=info,info,,a=b=info")
    #expect(directives.unknown == ["loud", "net=", "=info", "a=b=info"])
    #expect(directives.general == .from(.info))
    #expect(LevelDirectives("").mask(for: "x") == nil)
  }
}
