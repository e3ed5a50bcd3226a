"""Which release of Bazel reads this, compared with others (bazel_features 1.50)."""

def _parts(version):
    """`8.0.0-pre.20240101.1` in an order in which a release comes after what led to it."""
    numbers, _, early = version.partition("-")
    if not early and "rc" in numbers:
        numbers, _, early = numbers.partition("rc")
        early = "rc" + early
    parts = [int(part) for part in numbers.split(".") if part.isdigit()]
    return (parts + [0, 0, 0])[:3], 0 if early else 1, early

def _running():
    version = getattr(native, "bazel_version", "").split(" ")[0]

    # A Bazel that was built by hand has no version; it counts as newer than all.
    return _parts(version or "999999.0.0")

_RUNNING = _running()

def since(version):
    return _RUNNING >= _parts(version)

def after(version):
    return _RUNNING > _parts(version)

def since_within(version):
    """Whether this is that release or a later one of the same major number."""
    return since(version) and _RUNNING[0][0] == _parts(version)[0][0]
