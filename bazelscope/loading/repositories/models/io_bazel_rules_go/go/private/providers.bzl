"""Model of rules_go's providers."""

GoArchive = provider()
GoArchiveData = provider()
GoLibrary = provider()
GoPath = provider()
GoSDK = provider()
GoSource = provider()
