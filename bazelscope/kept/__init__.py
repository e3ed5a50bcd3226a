"""What a run keeps on disk for the next: files that are checked before they are believed."""
