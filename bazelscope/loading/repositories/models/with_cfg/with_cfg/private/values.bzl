"""The attributes of @with_cfg.bzl's rules that hold settings (0.8 to 1.0): their names and types."""

LABEL = type(Label("//:any"))
_SELECT = type(select({"//conditions:default": []}))

def is_select(value):
    return type(value) == _SELECT

def attribute_of(setting):
    """The attribute that holds a setting's value."""
    if type(setting) == LABEL:
        name = "%s_%s" % (hash(str(setting)), setting.name)
        return "s_" + "".join([c if c.isalnum() else "_" for c in name.elems()])
    if type(setting) != "string":
        fail("Expected setting to be a Label or a string, got: %r (%s)" % (setting, type(setting)))
    plain = setting.lstrip("-")
    if plain != setting or not plain:
        fail('"%s" is not a valid setting, did you mean "%s"?' % (setting, plain))
    if plain.startswith("//command_line_option:"):
        fail('Invalid setting "%s", did you mean "%s"?' % (setting, plain.partition(":")[2]))
    if plain[0] in "@/:":
        fail("Custom build settings can only be referenced via Labels, did you mean Label(%r)?" % plain)
    return "with_cfg_" + setting

def key_of(setting):
    return str(setting) if type(setting) == LABEL else "//command_line_option:" + setting

def values_as_attributes(values):
    return {attribute_of(setting): value for setting, value in values.items()}

def type_of(value):
    """The name of the attribute type that holds such values; of selects, by how they read."""
    if not is_select(value):
        return _plain_type(value) or "string_list"
    text = repr(value)
    is_list = "]" in text and (": [" in text or text.startswith("["))
    suffix = "_list" if is_list else ""
    for mark in ("[", ": "):
        for part in text.split(mark)[1:]:
            kind = _kind_of_text(part)
            if kind:
                return kind if kind == "bool" else kind + suffix
    return "string_list"

def _kind_of_text(text):
    if text.startswith("Label("):
        return "label"
    if text.startswith('"'):
        return "string"
    if text.startswith("True") or text.startswith("False"):
        return "bool"
    return "int" if text[:1].isdigit() or text.startswith("-") else None

def _plain_type(value):
    if type(value) != "list":
        return _type_of_one(value)
    inner = _type_of_one(value[0]) if value else None
    return inner + "_list" if inner else None

def _type_of_one(value):
    if type(value) == LABEL:
        return "label"
    return type(value) if type(value) in ("bool", "int", "string") else None
