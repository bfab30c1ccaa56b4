"""HTML as a reader sees it (IN-06)."""

import pytest

from workers.parsing.html import to_text


@pytest.mark.parametrize(
    "style",
    [
        "display:none",
        "DISPLAY : NONE !important",
        "visibility:hidden",
        "opacity:0",
        "font-size:0",
        "font-size:0px",
        "font-size:1px",
        "font-size:1%",
        "line-height:0",
        "max-height:0;overflow:hidden",
        "height:0;overflow:hidden",
        "width:1px;overflow:hidden",
        "mso-hide:all",
        "position:absolute;left:-9999px",
        "text-indent:-9999px",
        "clip:rect(0 0 0 0)",
        "color:white",
        "color:#fff",
        "color:#fefefe",
        "color:rgb(255, 255, 255)",
        "color:rgba(0,0,0,0)",
        "color:transparent",
        "color:#00000000",
        "color:#111;background:#000",
        "color:red;background-color:#ff0000;color:#ff0000",
        "text-decoration:line-through",
    ],
)
def test_in_06_what_cannot_be_seen_is_not_read(style):
    assert to_text(f'<div>bid 30</div><div style="{style}">bid <b>99</b></div><div>pass</div>') == "bid 30\npass"


@pytest.mark.parametrize(
    "style",
    [
        "color:white;background:black",
        "color:#fff;background:#123 url(x.png)",
        "color:#888",
        "color:papayawhip",
        "color:currentcolor",
        "font-size:9px",
        "font-size:0.8em",
        "font-size:smaller",
        "opacity:0.5",
        "max-height:none",
        "height:0",
        "background:none",
        "left:-10px",
        "nonsense",
        "width:auto;:;;",
        "color:#12345",
        "color:rgb(1,2)",
    ],
)
def test_in_06_what_can_be_seen_is_read(style):
    assert to_text(f'<div style="{style}">bid 30</div>') == "bid 30"


@pytest.mark.parametrize(
    "page, expected",
    [
        ('<body bgcolor="#000000" text="white">bid 30</body>', "bid 30"),
        ('<font color="white">bid 99</font><p>bid 30</p>', "bid 30"),
        ('<div style="font-size:0"><span style="font-size:14px">bid 30</span>x</div>', "bid 30"),
        (
            "<style>/* x */ p.x, #y {display:none} @media print {b{font-size:0}}</style>"
            "<p class='X'>1<p id=y>2<b>3</b><p>bid 30",
            "bid 30",
        ),
        ("<p hidden>1</p><title>2</title><script>3</script><!-- 4 --><template>5</template><p>bid 30", "bid 30"),
        ("<textarea>1</textarea><select><option>2</select><button>3</button><del>4</del>bid 30", "bid 30"),
        ("a<span hidden>b</span>c", "ac"),
        ("bid&nbsp;30<br>pass", "bid 30\npass"),
        ("<div>a</div><div><br></div><div>b</div>", "a\n\nb"),
        ("<p class=MsoNormal>a</p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>b</p>", "a\n\nb"),
        ("<p style='margin:0'>a</p><p style='margin-top:0;margin-bottom:0px'>b</p>", "a\nb"),
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("<pre>a\n\nb</pre>", "a\n\nb"),
        ("<div style='white-space:pre-wrap'>a\nb</div>", "a\nb"),
        ("<table><tr><td>bid<td>30</table>", "bid  30"),
        ("<ul><li>bid 30</ul>", "* bid 30"),
        ("\ue000bid 30&#xe001;", "bid 30"),
        ("", ""),
        ("<!---->", ""),
        ("<html></html>", ""),
        ("<p style='margin-before:99999em;margin:;padding:..'>bid 30", "bid 30"),
    ],
)
def test_in_06_a_page_reads_as_it_looks(page, expected):
    assert to_text(page).strip() == expected


@pytest.mark.parametrize(
    "quotation",
    [
        "<blockquote>{}</blockquote>",
        "<blockquote type=cite><div>{}</div></blockquote>",
        "<div class=gmail_quote>{}</div>",
        "<div class='yahoo_quoted'>{}</div>",
        "<div class=moz-cite-prefix>{}</div>",
        "<div class=protonmail_quote>{}</div>",
        "<div name=quote>{}</div>",
        "<div id=mail-editor-reference-message-container>{}</div>",
        "<div style='border-left:2px solid blue;padding:0'>{}</div>",
        "<table style='border-left:solid 1px'><tr><td>{}</table>",
        "<ul class=yahoo_quoted><li>{}</ul>",
    ],
)
def test_in_08_quotations_are_marked(quotation):
    lines = to_text(f"<div>bid 30</div>{quotation.format('bid 99')}<div>pass</div>").split("\n")
    assert [line for line in lines if line and not line.startswith(">")] == ["bid 30", "pass"]
    assert [line[:2] for line in lines if "99" in line] == ["> "]


@pytest.mark.parametrize(
    "start", ["<div id=appendonsend></div>", "<div id=divRplyFwdMsg>From</div>", "<hr id=stopSpelling>"]
)
def test_in_08_what_outlook_answers_fills_the_rest(start):
    text = to_text(f"<div>bid 30</div>{start}<div>bid 99</div><table><tr><td>bid 98</table>")
    lines = text.strip().split("\n")
    assert lines[0] == "bid 30"
    assert {"> bid 99", "> bid 98"} <= set(lines)
    assert all(line.startswith(">") for line in lines[1:])


def test_in_08_the_rest_ends_with_the_quotation_around_it():
    text = to_text("<blockquote><div id=x_appendonsend></div>bid 99</blockquote><div>bid 30</div>")
    assert text.split("\n")[-1] == "bid 30"


def test_in_08_answers_between_the_quotations_of_gmail_stand_free():
    page = "<div class=gmail_quote><blockquote>a</blockquote><div>bid 30</div><blockquote>b</blockquote></div>"
    assert to_text(page).split("\n") == ["> a", "bid 30", "> b"]


def test_in_08_quotations_may_lie_within_one_another():
    page = "a<blockquote>b<blockquote>c</blockquote>d</blockquote>e"
    assert to_text(page).split("\n") == ["a", "> b", "> c", "> d", "e"]


def test_in_08_signatures_of_mail_programs_are_set_apart():
    assert to_text("<div>bid 30</div><div class=gmail_signature>bid 99</div>") == "bid 30\n-- \nbid 99"
