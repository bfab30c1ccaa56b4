"""format=flowed undone (RFC 3676): soft line breaks, space-stuffing, DelSp."""


def unflow(text: str, *, delsp: bool) -> str:
    """Text with a line for each paragraph; quoted lines keep their depth as `> `."""
    lines: list[str] = []
    open_depth = -1
    paragraph = ""
    for line in text.split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        signature = content == "-- "
        if open_depth >= 0 and (depth != open_depth or signature):
            lines.append(_quoted(open_depth, paragraph))
            open_depth = -1
        paragraph = paragraph + content if open_depth >= 0 else content
        if content.endswith(" ") and not signature:
            open_depth = depth
            paragraph = paragraph[:-1] if delsp else paragraph
        else:
            lines.append(_quoted(depth, paragraph))
            open_depth = -1
    if open_depth >= 0:
        lines.append(_quoted(open_depth, paragraph))
    return "\n".join(lines)


def _quoted(depth: int, text: str) -> str:
    return f"{'>' * depth} {text}" if depth else text
