"""What the self-test of mail says, one thing at a time."""

from dataclasses import dataclass

WELL = "well"
NOTE = "note"
BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: whether it is well, how it is, and what to do where it is not."""

    mark: str
    what: str
    sentence: str
    remedy: str = ""

    def line(self) -> str:
        """For people: the remedy in a line of its own."""
        told = f"{self.mark:7} {self.what}: {printable(self.sentence)}"
        return f"{told}\n        {printable(self.remedy)}" if self.remedy else told

    def document(self) -> dict[str, str]:
        """For programs."""
        return {"mark": self.mark, "what": self.what, "sentence": self.sentence, "remedy": self.remedy}


def printable(text: str) -> str:
    """A text in which nothing moves the cursor: it may quote what servers of strangers say."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def well(what: str, sentence: str) -> Finding:
    """Something that is as it should be."""
    return Finding(WELL, what, sentence)


def note(what: str, sentence: str, remedy: str = "") -> Finding:
    """Something that a host should know, and may leave."""
    return Finding(NOTE, what, sentence, remedy)


def broken(what: str, sentence: str, remedy: str) -> Finding:
    """Something that keeps mail from arriving, or lets others write in a player's name."""
    return Finding(BROKEN, what, sentence, remedy)
