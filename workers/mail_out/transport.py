"""Ways for a letter to leave: a mail server over a connection that is kept, or the development mailbox."""

import contextlib
import smtplib
from typing import Any, Final, Protocol

from config.logging import without_addresses
from config.readers import SmtpServer
from config.settings import Settings
from service.mail.development_mailbox import Folder
from service.mail.outgoing import server_name
from service.mail.smtp_session import connect, set_timeout
from workers.letters.letter_data import Superseded
from workers.mail_out.letter import Letter

GIVE_UP: Final = "5"
GOODBYE: Final = 421


class Refused(Exception):
    """The mail server will never take this letter (5xx)."""


class Deferred(Exception):
    """Not now: the server said 4xx of this letter, or for a reason below."""


class Away(Deferred):
    """The server is not there for any letter: it cannot be reached, or takes none of us just now."""


class BrokeOff(Away):
    """The server went away with the letter in hand. It may have been delivered."""


class Transport(Protocol):
    """What takes letters."""

    name: str
    """Where letters go, for operators and for the state of it that all senders share."""

    def send(self, letter: Letter) -> None:
        """Return when the letter is in other hands. Raises Refused or Deferred; Superseded where it is not true."""

    def close(self) -> None:
        """End what is kept open."""


def transport(settings: Settings) -> Transport:
    """The way out that the settings name."""
    if settings.smtp_url is None:
        return Mailbox(Folder(settings.data_dir / "mailbox"))
    return Smtp(settings.smtp_url, settings)


class Mailbox:
    """Into the development mailbox."""

    def __init__(self, folder: Folder) -> None:
        self.name = "mailbox"
        self.folder = folder

    def send(self, letter: Letter) -> None:
        """Keep it in the folder."""
        letter.still_true()
        try:
            self.folder.deliver(letter.data)
        except OSError as error:
            raise Away(f"the mailbox cannot be written: {error.strerror}") from error

    def close(self) -> None:
        """Nothing is kept open."""


class Smtp:
    """To a mail server, over one connection as long as it lasts. Not for two threads at once."""

    def __init__(self, server: SmtpServer, settings: Settings) -> None:
        self.name = server_name(settings)
        self.server = server
        self.settings = settings
        self.connection: smtplib.SMTP | None = None

    def send(self, letter: Letter) -> None:
        """Hand it over; a connection found dead before anything was said is made anew once."""
        kept = self.connection is not None
        try:
            self._hand_over(letter)
        except smtplib.SMTPServerDisconnected as error:
            if not kept or self._said_something:
                raise self._broke_off() from error
            self._hand_over_anew(letter)

    def _hand_over_anew(self, letter: Letter) -> None:
        try:
            self._hand_over(letter)
        except smtplib.SMTPServerDisconnected as error:
            raise self._broke_off() from error

    def _broke_off(self) -> Away:
        return (BrokeOff if self._said_something else Away)("the mail server broke off")

    def _hand_over(self, letter: Letter) -> None:
        self._said_something = False
        try:
            connection = self.connection or self._connect()
            self._dialogue(connection, letter)
        except smtplib.SMTPRecipientsRefused as error:
            code, text = next(iter(error.recipients.values()))
            self._give_back()
            raise _verdict(code, text) from error
        except smtplib.SMTPSenderRefused as error:
            self._give_back()
            verdict = _verdict(error.smtp_code, error.smtp_error)
            raise verdict if isinstance(verdict, Refused) else Away(str(verdict)) from error
        except Superseded:
            self._give_back()
            raise
        except smtplib.SMTPDataError as error:
            self._give_back()
            raise _verdict(error.smtp_code, error.smtp_error) from error
        except smtplib.SMTPServerDisconnected:
            self._drop()
            raise
        except smtplib.SMTPAuthenticationError as error:
            self._drop()
            raise Away("the mail server does not accept our password") from error
        except (OSError, smtplib.SMTPException) as error:
            self._drop()
            gone = BrokeOff if self._said_something else Away
            raise gone(f"the mail server cannot be reached ({type(error).__name__})") from error
        except BaseException:  # a time limit strikes anywhere: what is half said must not be taken for the next mail
            self._drop()
            raise

    def _dialogue(self, connection: smtplib.SMTP, letter: Letter) -> None:
        """One transaction; the final answer may take longer than the others (RFC 5321 4.5.3.2)."""
        code, text = connection.mail(letter.return_path)
        _require_open(code)
        if code != 250:
            raise smtplib.SMTPSenderRefused(code, text, letter.return_path)
        code, text = connection.rcpt(letter.to)
        _require_open(code)
        if code not in (250, 251):
            raise smtplib.SMTPRecipientsRefused({letter.to: (code, text)})
        letter.still_true()
        self._said_something = True
        set_timeout(connection, self.settings.smtp_data_timeout)
        code, text = connection.data(letter.data)
        set_timeout(connection, self.settings.smtp_timeout)
        _require_open(code)
        if code != 250:
            raise smtplib.SMTPDataError(code, text)

    def _connect(self) -> smtplib.SMTP:
        self.connection = connect(self.server, self.settings)
        return self.connection

    def _give_back(self) -> None:
        """Keep the connection after a refusal, if the server still listens."""
        if self.connection is not None:
            try:
                self.connection.rset()
            except (OSError, smtplib.SMTPException):
                self._drop()

    def _drop(self) -> None:
        if self.connection is not None:
            with contextlib.suppress(OSError, smtplib.SMTPException):
                self.connection.close()
            self.connection = None

    def close(self) -> None:
        """Say goodbye."""
        if self.connection is not None:
            with contextlib.suppress(OSError, smtplib.SMTPException):
                self.connection.quit()
            self._drop()


def _require_open(code: int) -> None:
    """A server that says 421 closes the connection (RFC 5321 3.8), most often because it was idle for too long."""
    if code == GOODBYE:
        raise smtplib.SMTPServerDisconnected("421")


def _verdict(code: int, text: Any) -> Exception:
    """What a server's no means. Its words are kept and logged, without the addresses in them."""
    words = text.decode("ascii", "replace") if isinstance(text, bytes) else text
    said = without_addresses(f"{code} {words}")[:200]
    return Refused(said) if str(code).startswith(GIVE_UP) else Deferred(said)
