"""Libraries that not everybody needs: named with the command that installs them where they are missing."""

from importlib import import_module
from types import ModuleType

from canasta.diagnostics import CanastaError, Diagnostic


def babel(module: str = "babel") -> ModuleType:
    """Give Babel, which knows the languages, or a module of it.

    Raises:
        CanastaError: TR0001 when it is not installed.
    """
    return needed(module, "TR0001", "book", "a book in another language than English")


def needed(module: str, id_: str, extra: str, purpose: str) -> ModuleType:
    """Import a library of an extra.

    Raises:
        CanastaError: with the id given, when it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        message = f"{purpose} needs the library {module.partition('.')[0]}, which is not installed"
        hint = f"install it with `pip install 'canasta-spec[{extra}]'`"
        raise CanastaError([Diagnostic(id_, message, hint=hint)]) from None
