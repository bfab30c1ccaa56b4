"""The player's own words among quotations (IN-08, IN-26, OUT-32)."""

import pytest

from workers.parsing.new_text import MARKER, Line, marker_line, new_text

QUOTE = "> Your turn\n>\n> — reply above this line · k7x2 —\n>\n> type: bid 20"


def own(text, marks=("k7x2",)):
    """The lines of the new text that are not empty, and where they stood."""
    found = new_text(text, marks)
    assert not found.unsure
    return [line.text for line in found.lines if line.text], found.position


def test_lines_are_numbered_as_the_player_counts_them():
    assert new_text("\n \nHi\n\nbid 30\n\n", []).lines == [Line(1, "Hi"), Line(2, ""), Line(3, "bid 30")]


# Our marker


def test_out_32_the_marker_is_made_of_a_code_in_any_language():
    assert marker_line("k7x2") == MARKER.format(code="k7x2") == "— reply above this line · k7x2 —"
    assert marker_line("k7x2", "au-dessus de cette ligne") == "— au-dessus de cette ligne · k7x2 —"


@pytest.mark.parametrize(
    "marker",
    [
        marker_line("k7x2"),
        marker_line("K7X2", "oberhalb dieser Zeile antworten"),
        "> " + marker_line("k7x2"),
        "\xa0> > " + marker_line("k7x2"),
        "| " + marker_line("k7x2"),
        "*" + marker_line("k7x2") + "*",
        "- reply above this line - k7x2 -",
        "-- reply above this line · k7x2 --",
        "? reply above this line ? k7x2 ?",
        "â€” reply above this line Â· k7x2 â€”",
        "reply above this line · k7x2 —",
        "– reply above this line · k7x2",
        "—\xa0reply above this line\xa0·\xa0k7x2\xa0—\u200b",
        "— reply above this line ·\nk7x2 —",
        "— reply above this\nline · k7x2 —",
        "— reply above\nthis line\n· k7x2 —",
        "— some other words · z9z9 —",
    ],
)
def test_in_08_new_text_ends_above_the_marker_however_it_was_mangled(marker):
    assert own(f"bid 30\n\n{marker}\n\nWard 4 is open.\n\nbid 20") == (["bid 30"], "top")


@pytest.mark.parametrize("marker", ["— reply above this line ·\nk7x2 —", "— reply above this\nline · k7x2 —"])
def test_in_08_a_wrapped_marker_leaves_the_order_right_above_it(marker):
    assert own(f"place 3\nend\n{marker}\nbid 20") == (["place 3", "end"], "top")


@pytest.mark.parametrize(
    "line",
    [
        "k7x2",
        "my code is k7x2",
        "bid k7x2x -",
        "k7x2 - that was your code?",
        "- bid 30 · 31 -",
        "place 3 -> 4",
        "— well —",
    ],
)
def test_in_08_what_only_resembles_a_marker_is_text(line):
    assert own(f"{line}\n\nbid 30")[0] == [line, "bid 30"]


def test_in_08_a_marker_with_nothing_above_and_no_quote_signs_is_unsure():
    assert new_text("\n— reply above this line · k7x2 —\n\nbid 20", ["k7x2"]).unsure.startswith("We could not tell")


# Introductions


@pytest.mark.parametrize(
    "introduction",
    [
        "On Fri, 20 Nov 2026 at 18:19, Wardroom <game@w.example> wrote:",
        "On Fri, 20 Nov 2026 at 18:19, Wardroom\n<game@w.example> wrote:",
        "On Fri, 20 Nov 2026\nat 18:19, Wardroom – your turn\n<game@w.example>\nwrote:",
        "On 20.11.26 18:19, Wardroom wrote:",
        "Am Fr., 20. Nov. 2026 um 18:19 Uhr schrieb Wardroom <\ngame@w.example>:",
        "Am 20.11.2026 um 18:19 schrieb Wardroom:",
        "Wardroom <game@w.example> schrieb am Fr., 20. Nov. 2026, 18:19:",
        "Le ven. 20 nov. 2026 à 18:19, Wardroom <game@w.example> a écrit\xa0:",
        "El vie, 20 nov 2026 a las 18:19, Wardroom (<game@w.example>) escribió:",
        "Il giorno ven 20 nov 2026 alle ore 18:19 Wardroom <game@w.example> ha scritto:",
        "Op vr 20 nov 2026 om 18:19 schreef Wardroom <game@w.example>:",
        "Em sex., 20 de nov. de 2026 às 18:19, Wardroom <game@w.example> escreveu:",
        "Den fre 20 nov. 2026 kl 18:19 skrev Wardroom <game@w.example>:",
        "pt., 20 lis 2026 o 18:19 Wardroom <game@w.example> napisał(a):",
        "пт, 20 нояб. 2026 г. в 18:19, Wardroom <game@w.example> написал:",
        "2026年11月20日(金) 18:19 Wardroom <game@w.example>:",
        "2026-11-20 18:19 GMT+01:00 Wardroom <game@w.example>:",
        "*On Fri, 20 Nov 2026 at 18:19, Wardroom <game@w.example> wrote:*",
        '"Wardroom – your turn" <game@w.example>\nwrote on 20 Nov 2026:',
        "From: Wardroom\nSent: Friday\nTo: Ann\nSubject: x",
        "*From:* Wardroom\n*Date:* Friday\n*To:* Ann\n*Subject:* x",
        "Von: Wardroom\nGesendet: Freitag\nAn: Ann\nBetreff: x",
        "Gesendet: Freitag\nVon: Wardroom\nAn: Ann\nBetreff: x",
        "De : Wardroom\nEnvoyé : vendredi\nÀ : Ann\nObjet : x",
        "De: Wardroom\nEnviado el: viernes\nPara: Ann\nAsunto: x",
        "Da: Wardroom\nInviato: venerdì\nA: Ann\nOggetto: x",
        "Van: Wardroom\nVerzonden: vrijdag\nAan: Ann\nOnderwerp: x",
        "发件人： Wardroom\n发送时间： 2026\n收件人： Ann\n主题： x",
        "-----Original Message-----",
        "-----Ursprüngliche Nachricht-----",
        "-------- Message d'origine --------",
        "---------- Forwarded message ---------",
        "---- On Fri, 20 Nov 2026 Wardroom wrote ----",
        "-- On Fri, 20 Nov 2026 Wardroom wrote --",
        "--Original Message--",
        "Begin forwarded message:",
        "Début du message réexpédié :",
        "________________________________",
    ],
)
def test_in_08_new_text_ends_above_an_introduction(introduction):
    assert own(f"Hi\n\nbid 30\n\n{introduction}\n\nbid 20\n") == (["Hi", "bid 30"], "top")


@pytest.mark.parametrize(
    "introduction", ["-----Original Message-----", "Begin forwarded message:", "From: W\nTo: A\nSubject: x"]
)
def test_in_26_below_a_forward_nothing_counts(introduction):
    found = new_text(f"{introduction}\n> quoted\n\nbid 20\n", [])
    assert (found.lines, bool(found.unsure)) == ([], True)


def test_in_08_an_introduction_does_not_swallow_the_order_above_it():
    wrote = "On Fri, 20 Nov 2026 at 18:19, Wardroom\n<game@w.example> wrote:"
    for order in ("3", "bid 30", "On my turn\nbid 30"):
        assert own(f"{order}\n{wrote}\n> x")[0] == order.split("\n")


@pytest.mark.parametrize(
    "line",
    [
        "On Friday I wrote a letter:",
        "I schrieb:",
        "From: the bottom of my heart",
        "To: win",
        "bid 30:",
        "--- bid 30 ---",
        "a -- b",
    ],
)
def test_in_08_what_only_resembles_an_introduction_is_text(line):
    assert own(f"{line}\n\nbid 30")[0] == [line, "bid 30"]


# Quoted lines


@pytest.mark.parametrize(
    "sign", [">", "> ", ">>", " >", "\xa0>", "\u200b> ", "|", "| ", "│ ", "¦ ", "＞", "» ", "AB> ", "&gt; "]
)
def test_in_08_quoted_lines_never_count(sign):
    assert own(f"bid 30\n\n{sign}bid 20\n{sign}bid 10") == (["bid 30"], "top")
    assert own(f"{sign}bid 20\n\nbid 30") == (["bid 30"], "bottom")


def test_in_08_bottom_posting_is_read_below_the_last_quoted_line():
    found = new_text(f"On Fri, 20 Nov 2026, Wardroom wrote:\n{QUOTE}\n\nHi\n\nbid 30\n", ["k7x2"])
    assert found.position == "bottom"
    assert found.lines == [Line(1, "Hi"), Line(2, ""), Line(3, "bid 30")]


def test_in_08_answers_between_quoted_lines_are_flagged():
    found = new_text(f"{QUOTE}\nbid 30\n> more\n\npass\n", ["k7x2"])
    assert (found.position, [line.text for line in found.lines if line.text]) == ("inline", ["bid 30", "pass"])


def test_in_08_nothing_but_a_quotation_is_an_empty_answer():
    found = new_text(f"On Fri, 20 Nov 2026, Wardroom wrote:\n{QUOTE}\n", ["k7x2"])
    assert (found.lines, found.unsure) == ([], "")


def test_in_08_an_introduction_without_quote_signs_and_nothing_above_is_unsure():
    assert new_text("On Fri, 20 Nov 2026, Wardroom wrote:\n\nYour turn\n\nbid 30", ["k7x2"]).unsure


def test_in_08_paragraphs_under_the_quotation_are_handed_over_when_there_is_text_on_top():
    found = new_text(f"Hi\n\n{QUOTE}\nwrapped rest\n\nbid 30\nbid 31\n> x\n\n-- \nbid 99\n", ["k7x2"])
    assert [line.text for line in found.lines if line.text] == ["Hi"]
    assert [line.text for line in found.below] == ["bid 30", "bid 31"]


def test_in_08_text_under_a_quotation_without_signs_is_part_of_it():
    found = new_text("bid 30\n\n-----Original Message-----\n> x\n\nbid 20", [])
    assert ([line.text for line in found.lines if line.text], found.below) == (["bid 30"], [])


# Signatures


def test_a_signature_is_cut_and_counted():
    found = new_text("bid 30\n\n-- \nAnn\n\nAmes Ltd\n\n> x", [])
    assert ([line.text for line in found.lines if line.text], found.cut, found.cut_from) == (["bid 30"], 3, "--")


@pytest.mark.parametrize(
    "line",
    [
        "--",
        "-- ",
        "\xa0--",
        "—",
        "Sent from my iPhone",
        "*Sent from my iPhone*",
        "Von meinem iPhone gesendet",
        "Envoyé de mon iPhone",
        "Enviado desde mi iPhone",
        "Inviato da iPhone",
        "Verstuurd vanaf mijn iPhone",
        "Get Outlook for iOS<https://aka.ms/o0ukef>",
        "[Get Outlook for iOS]",
        "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
        "Gesendet mit der GMX iPhone App",
        "Provenance : Courrier pour Windows",
    ],
)
def test_a_signature_ends_the_new_text(line):
    assert own(f"bid 30\n{line}\nbid 99") == (["bid 30"], "top")
    assert own(f"> x\n\nbid 30\n{line}\nbid 99") == (["bid 30"], "bottom")


def test_a_line_some_program_put_on_top_hides_nothing():
    assert own("Sent from my iPhone\n\nbid 30") == (["bid 30"], "top")


def test_a_signature_alone_on_top_is_no_answer():
    assert own(f"Sent from my iPhone\n\n{QUOTE}\n\nbid 30") == (["bid 30"], "bottom")


# Size


def test_t_57_a_text_over_the_limits_is_not_searched():
    assert new_text("x\n" * 1001, []).unsure
    assert new_text("x" * 300_000, []).unsure


def test_new_text_of_nothing_is_nothing():
    assert new_text("", []).lines == []
    assert new_text(" \n\xa0\n", ["k7x2", ""]).lines == []
