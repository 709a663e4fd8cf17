"""The version of the package, in one place; also where the package is not installed."""

__version__ = "0.3.0"
