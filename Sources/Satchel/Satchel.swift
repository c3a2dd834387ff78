// The umbrella: `import Satchel` gives all of it. Each module is also usable alone.
@_exported import SatchelCollections
@_exported import SatchelLogging
@_exported import SatchelSettings
@_exported import SatchelValues
@_exported import SatchelSystem
