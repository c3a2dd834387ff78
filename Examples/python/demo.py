"""Reads a domain that others write too, changes it, and says who wrote what."""

import sys

import satchel


def show(key: str, settings: satchel.Settings) -> None:
    """One line: the key, its value, the revision that set it and the program that did."""
    if key in settings:
        info = settings.info(key)
        print(
            f"  Python reads {key:<12} {settings[key]!s:<36} revision {info.revision:<3} by {info.program}"
        )


settings = satchel.Settings(sys.argv[1] if len(sys.argv) > 1 else "org.example.player")
for key in ("PRETTY_NAME", "volume", "lastWriter"):
    show(key, settings)

with settings.transaction() as change:
    volume = change["volume"] = change.get("volume", 0.5) + 0.25
    change["lastWriter"] = "a Python program"
plays = settings.add("plays")
print(
    f"  Python writes volume {volume}, lastWriter, plays {plays}; now at revision {settings.revision}"
)
