"""The macro of @with_cfg.bzl (0.8 to 1.0): a target of the wrapped kind, an alias behind the transition, and a
front that has the target's name. Locations in `args` that a select() chooses are left as they are,
and so are dependencies in a select() of an attribute that is reset, and locations of what is reset."""

load(":rules.bzl", "frontend_of", "unwrap_template_variable_info")
load(":values.bzl", "LABEL", "is_select", "values_as_attributes")

_OF_ALL = ["compatible_with", "deprecation", "features", "restricted_to", "target_compatible_with"]
_OF_TESTS = ["flaky", "local", "shard_count", "size", "timeout"]
_PRIVATE = ["//visibility:private"]

def wrapper_of(rule_info, alias, values, original, reset):
    return lambda *, name, **kwargs: _wrap(rule_info, alias, values, original, reset, name, kwargs)

def _wrap(rule_info, alias, values, original, reset, name, kwargs):
    directory, slash, base = name.rpartition("/")
    inner = directory + slash + base + "_/"
    runs = rule_info.executable or rule_info.test
    tags = kwargs.pop("tags", None)
    visibility = kwargs.pop("visibility", None)
    manual = tags if tags and "manual" in tags else (tags or []) + ["manual"]
    common = _taken(kwargs, _OF_ALL + (["exec_compatible_with"] if rule_info.test else []))
    if rule_info.test:
        common["testonly"] = True
    else:
        common |= _taken(kwargs, ["testonly"])
    extra = _taken(kwargs, _OF_TESTS) if rule_info.test else {}
    if rule_info.native and runs:
        extra |= _taken(kwargs, ["env", "env_inherit"])
    helper = {
        "tags": ["manual"],
        "testonly": common.get("testonly", False),
        "visibility": _PRIVATE,
    }
    aliased = name + "_with_cfg"
    front = _of_front(kwargs)
    if runs and "args" in kwargs:
        front |= _args_of_front(aliased, kwargs["args"], helper)
    if runs and "toolchains" in kwargs:
        unwrap = name + "__unwrap_template_variable_info"
        unwrap_template_variable_info(name = unwrap, exports = ":" + aliased, **helper)
        front["toolchains"] = [":" + unwrap]

    rule_info.kind(
        name = inner + base,
        tags = manual,
        visibility = _PRIVATE,
        **(_reset(kwargs, reset, alias, name, helper) | common | extra)
    )
    settings = values_as_attributes(values) | common
    if original:
        settings["internal_only_reset"] = False
    alias(
        name = aliased,
        exports = ":" + inner + base,
        tags = manual,
        visibility = _PRIVATE,
        **settings
    )
    frontend_of(rule_info)(
        name = name,
        exports = ":" + aliased,
        tags = tags,
        visibility = visibility,
        **(common | extra | front)
    )
    for pattern in rule_info.implicit_targets:
        prefix = directory + slash
        alias(
            name = _filled(pattern, prefix, base),
            exports = ":" + _filled(pattern, inner, base),
            tags = manual,
            visibility = visibility,
            **settings
        )

def _taken(kwargs, names):
    return {name: kwargs.pop(name) for name in names if name in kwargs}

def _filled(pattern, prefix, base):
    return pattern.format(basename = base, dirprefix = prefix, name = prefix + base)

def _of_front(kwargs):
    """What of execution the front has: what is of no group, and what is of tests."""
    front = {}
    properties = kwargs.get("exec_properties") or {}
    if type(properties) == "dict":
        properties = {k: v for k, v in properties.items() if "." not in k or k.startswith("test.")}
    if properties:
        front["exec_properties"] = properties
    group = (kwargs.get("exec_group_compatible_with") or {}).get("test")
    if group:
        front["exec_group_compatible_with"] = {"test": group}
    return front

def _args_of_front(aliased, args, helper):
    """`args` with a filegroup in place of each label that one of them has the location of."""
    if is_select(args) or not args:
        return {"args": args}
    data = {}
    shown = []
    for text in args:
        pieces = text.split("$(")
        for index, piece in enumerate(pieces):
            expression, end, rest = piece.partition(")")
            function, space, label = expression.partition(" ")
            if index == 0 or not end or not space or pieces[index - 1].endswith("$"):
                continue
            group = aliased + "__args__" + _escaped(label)
            if group not in data:
                data[group] = None
                native.filegroup(
                    name = group,
                    srcs = [":" + aliased],
                    output_group = "_with_cfg.bzl_args__" + label,
                    **helper
                )
            pieces[index] = function + " :" + group + end + rest
        shown.append("$(".join(pieces))
    return {"args": shown, "data": [native.package_relative_label(group) for group in data]}

def _escaped(label):
    for old, new in (("_", "_U"), ("/", "_S"), ("\\", "_B"), (":", "_C"), ("@", "_A")):
        label = label.replace(old, new)
    return label

def _reset(kwargs, attributes, alias, name, helper):
    """The attributes with a resetting alias in place of each dependency of some of them."""
    known = {}
    for attribute in attributes:
        value = kwargs.get(attribute)
        if not value or is_select(value):
            continue
        prefix = name + "__" + attribute
        if type(value) == "list":
            new = [_alias_of(each, known, alias, prefix, helper) for each in value]
        elif type(value) == "dict":
            new = {
                _alias_of(each, known, alias, prefix, helper): kept
                for each, kept in value.items()
            }
        else:
            new = _alias_of(value, known, alias, prefix, helper)
        kwargs = kwargs | {attribute: new}
    return kwargs

def _alias_of(dependency, known, alias, prefix, helper):
    if type(dependency) not in ("string", LABEL):
        return dependency
    label = native.package_relative_label(dependency)
    if label not in known:
        number = len([1 for each in known.values() if each.startswith(":%s_" % prefix)])
        made = "%s_%d" % (prefix, number)
        alias(name = made, exports = label, **helper)
        known[label] = ":" + made
    return known[label]
