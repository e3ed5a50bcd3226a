"""Model of @rules_jvm_external//:specs.bzl (2.0 to 6.10)."""

def _given(**attributes):
    return {name: value for name, value in attributes.items() if value != None}

def _repository(url, user = None, password = None):
    credentials = {"user": user, "password": password} if user and password else None
    return _given(repo_url = url, credentials = credentials)

def _artifact(
        group,
        artifact,
        version = "",
        packaging = None,
        classifier = None,
        override_license_types = None,
        exclusions = None,
        neverlink = None,
        testonly = None,
        force_version = None):
    return _given(
        group = group,
        artifact = artifact,
        version = version,
        packaging = packaging,
        classifier = classifier,
        override_license_types = override_license_types,
        exclusions = exclusions,
        neverlink = neverlink,
        testonly = testonly,
        force_version = force_version,
    )

def _exclusion(group, artifact):
    return {"group": group, "artifact": artifact}

maven = struct(repository = _repository, artifact = _artifact, exclusion = _exclusion)
