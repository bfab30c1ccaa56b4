"""Mail that waits to go out."""

from config.settings import Settings


def server_name(settings: Settings) -> str:
    """The name that all senders know the mail server by."""
    return "mailbox" if settings.smtp_url is None else f"{settings.smtp_url.host}:{settings.smtp_url.port}"
