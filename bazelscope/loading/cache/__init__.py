"""Packages, listings of trees and stamps of files, kept on disk for the next run."""
