"""Model of @aspect_bazel_lib//lib:base64.bzl (1.0 to 3.7), for text in ASCII."""

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_PRINTED = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
_CODES = {letter: 32 + number for number, letter in enumerate(_PRINTED.elems())} | {
    "\t": 9,
    "\n": 10,
    "\r": 13,
}
_LETTERS = {code: letter for letter, code in _CODES.items()}

def _encode(text):
    codes = [_CODES[letter] for letter in text.elems()]
    made = ""
    for start in range(0, len(codes), 3):
        part = codes[start:start + 3]
        first, second, third = (part + [0, 0])[:3]
        bits = (first << 16) | (second << 8) | third
        digits = [_DIGITS[(bits >> shift) & 63] for shift in [18, 12, 6, 0]]
        made += "".join(digits[:len(part) + 1]) + "=" * (3 - len(part))
    return made

def _decode(text):
    values = [_DIGITS.find(digit) for digit in text.rstrip("=").elems()]
    made = ""
    for start in range(0, len(values), 4):
        part = values[start:start + 4]
        bits = 0
        for value in (part + [0, 0, 0])[:4]:
            bits = (bits << 6) | value
        codes = [(bits >> shift) & 255 for shift in [16, 8, 0]]
        made += "".join([_LETTERS[code] for code in codes[:len(part) - 1]])
    return made

base64 = struct(decode = _decode, encode = _encode)
