"""Model of rules_go's providers (0.22 to 0.62)."""

GoArchive = provider()
GoArchiveData = provider()
GoLibrary = provider()
GoPath = provider()
GoSDK = provider()
GoSource = provider()
