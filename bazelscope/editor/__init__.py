"""Answers where people write: what an editor shows of a place in a file, and the server that
tells it so.

Each question is a function of the workspace's state, a file's text and a position, with a typed
answer; only `server` and `protocol` know the Language Server Protocol and import its libraries.
"""
