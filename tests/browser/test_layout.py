"""What is in sight without scrolling, in every kind of decision and at the end: board, question and *Play*."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.house import OBSERVE, SHIFT, SHIFTED, House, Window

WIDE = ((1024, 768), (1366, 768), (1440, 900), (1920, 1080))
PHONES = ((360, 740), (390, 844))
BOARD = {True: 0.95, False: 0.6}
"""The least share of the board that is in sight, on a desk and on a phone."""
SMALLEST = 11
"""Pixels of the smallest letters on a board."""
MOST_MOVES = 400
DECISIONS = {"tammany-hall": 4, "city-hall": 9}
"""How many kinds of decisions are looked at, at least."""
MOST_STEPS = 4
"""Choices that are made one after the other in a decision, each followed by a look."""
NAMES = ("ann", "bob", "cyd")

MEASURE = """
() => {
  scrollTo(0, 0);
  const inside = (box) =>
    box.width && box.left > -1 && box.top > -1 && box.right < innerWidth + 1 && box.bottom < innerHeight + 1;
  const whole = (element, edge = 2) => {
    const box = element.getBoundingClientRect();
    if (!inside(box)) return false;
    return [box.top + edge, box.bottom - edge].every((y) => {
      const seen = document.elementFromPoint(box.left + box.width / 2, y);
      return seen && (element.contains(seen) || seen.contains(element));
    });
  };
  const part = document.querySelector("[data-test=board]"), board = part.querySelector("svg");
  const box = board.getBoundingClientRect();
  let shown = 0;
  for (let x = 0.5; x < 24; x += 1) for (let y = 0.5; y < 24; y += 1) {
    const seen = document.elementFromPoint(box.left + (box.width * x) / 24, box.top + (box.height * y) / 24);
    if (seen && part.contains(seen)) shown += 1;
  }
  const letters = [...board.querySelectorAll("text")].filter((text) => text.getBoundingClientRect().width);
  const scale = box.width / board.viewBox.baseVal.width;
  const size = (text) => (parseFloat(getComputedStyle(text).fontSize) * scale * text.getCTM().a) / board.getCTM().a;
  const overlaps = [];
  for (const [index, one] of letters.entries()) for (const other of letters.slice(index + 1)) {
    const [at, by] = [one, other].map((text) => text.getBoundingClientRect());
    const wide = Math.min(at.right, by.right) - Math.max(at.left, by.left);
    const high = Math.min(at.bottom, by.bottom) - Math.max(at.top, by.top);
    const many = 0.45 * Math.min(at.height, by.height);
    if (wide > 2 && high > many) overlaps.push(`${one.textContent} / ${other.textContent}`);
  }
  return {
    board: shown / 576,
    drafted: Boolean(document.querySelector(".draft-lines")),
    question: [...document.querySelectorAll("#question legend")].every((part) => whole(part)),
    choices: [...document.querySelectorAll("#question .choice, #question input, #question select")]
      .map((part) => whole(part)),
    play: whole(document.querySelector("[data-test=play]")),
    own: [...document.querySelectorAll(".stage, .newest, .mine .held .n")]
      .map((part) => whole(part, 6)), // high letters reach into the line above
    smallest: Math.min(...letters.map(size)),
    overlaps,
    sideways: document.documentElement.scrollWidth > innerWidth,
  };
}
"""


def decisions(house: House, kind: str) -> Iterator[tuple[str, str]]:
    """Each kind of decision of a game that is played at random, and who is asked."""
    game, known = house.tables.begin(*NAMES, kind=kind), set()
    for number in range(MOST_MOVES):
        head = house.tables.head(game)
        if head.table.status != "running":
            return
        phase = house.tables.phase(game)
        view = head.rules.decider.view(head.table.game, None)
        decision = f"{phase} {view.get('office') or ''}" if phase == "resolve" else phase
        if decision not in known:
            known.add(decision)
            yield decision, game
        house.tables.play_on(game, number)


def found(window: Window, size: tuple[int, int]) -> list[str]:
    """What is not in sight at a size that should be. A draft may push further questions down: *Play* stays."""
    window.page.set_viewport_size({"width": size[0], "height": size[1]})
    seen = window.page.evaluate(MEASURE)
    is_wide = size in WIDE
    asked = seen["choices"][: 6 if is_wide else 2]
    wrong = {
        f"{seen['board']:.0%} of the board": seen["board"] < BOARD[is_wide],
        "no question": not (seen["question"] or seen["drafted"]),
        f"choices {seen['choices']}": not (all(asked) or seen["drafted"]),
        "no Play": not seen["play"],
        f"stage and own chips {seen['own']}": not (all(seen["own"]) or is_wide),
        f"letters of {seen['smallest']:.1f} px": seen["smallest"] < SMALLEST,
        f"texts upon each other: {seen['overlaps']}": bool(seen["overlaps"]),
        "it scrolls sideways": seen["sideways"],
    }
    return [what for what, is_wrong in wrong.items() if is_wrong]


def found_in_reveal(window: Window) -> list[str] | None:
    """What is not as it should be where the bids are looked at on a phone; None if nothing was decided.

    The table covers the question, not the board, until *Next*.
    """
    page, (wide, high) = window.page, PHONES[0]
    page.set_viewport_size({"width": wide, "height": high})
    if not page.locator("a.opened").count():
        return None
    page.locator("a.opened").click()
    to_next = page.locator("#reveal .next").bounding_box()
    board = page.evaluate(MEASURE)["board"]
    shown = page.locator("#reveal details[open] tbody tr").count()
    page.locator("#reveal .next").click()
    wrong = {
        f"{board:.0%} of the board": board < BOARD[False],
        "no table": not shown,
        "no Next": to_next is None or to_next["y"] + to_next["height"] > high,
        "it stays": page.locator("#reveal").is_visible() or not page.evaluate(MEASURE)["play"],
    }
    return [what for what, is_wrong in wrong.items() if is_wrong]


@pytest.mark.parametrize("kind", DECISIONS)
def test_board_question_and_play_are_in_sight_without_scrolling(house, kind):
    """Law of the looks: every kind of decision, in six sizes, and in three languages at the tightest two."""
    windows = {name: house.window(name, path="/rules", first=OBSERVE) for name in NAMES}
    seen, opened, wrong = 0, [], {}
    for decision, game in decisions(house, kind):
        name = NAMES[house.tables.awaited(game)[0]]
        window = windows[name]
        for language in ("en", "fr", "de"):
            house.tables.change_profile(name, language=language)
            window.page.goto(f"/g/{game}", wait_until="load")
            if (shift := window.page.evaluate(SHIFTED)) > SHIFT:
                wrong[decision, language, window.page.viewport_size["width"]] = [f"it moves by {shift}"]
            for size in (*WIDE, *PHONES) if language == "en" else (WIDE[0], PHONES[0]):
                if missing := found(window, size):
                    wrong[decision, language, size] = missing
        house.tables.change_profile(name, language="en")
        window.page.goto(f"/g/{game}", wait_until="load")
        if (missing := found_in_reveal(window)) is not None:
            opened.append(missing)
        for step in range(1, MOST_STEPS):
            choices = window.page.locator("#question .choice")
            if not choices.count():
                break
            choices.nth(step % choices.count()).click()
            window.settle()
            for size in (WIDE[0], WIDE[1], PHONES[0]):
                if missing := found(window, size):
                    wrong[decision, step, size] = missing
        window.page.evaluate("localStorage.clear()")  # the draft
        if (kind, decision) == ("tammany-hall", "bid"):
            window.page.goto(f"/g/{game}", wait_until="load")
            for seat in house.tables.awaited(game):
                house.tables.move(game, seat, "bid none")
            expect(window.page.locator("#reveal")).to_be_visible()  # by itself, while the page is looked at
        seen += 1
    house.tables.play_out(game, 2, late=0)
    window = windows["ann"]
    window.page.goto(f"/g/{game}", wait_until="load")
    for size in (*WIDE, *PHONES):
        if missing := found(window, size):
            wrong["the end", size] = missing
    window.page.locator(".podium summary").click()
    for size in (*WIDE, *PHONES):
        if missing := found(window, size):
            wrong["the end, without the podium", size] = missing
    for hand in ("left", "right"):
        window.page.goto(f"/g/{game}?hand={hand}", wait_until="load")
        for size in WIDE[:2]:
            missing = found(window, size)
            board, move = (window.page.locator(part).bounding_box() for part in ("#board", "#draft"))
            assert board is not None
            assert move is not None
            if missing or (board["x"] > move["x"]) != (hand == "left"):
                wrong[hand, size] = [*missing, f"board at {board['x']}, move at {move['x']}"]
    assert wrong == {}
    assert seen >= DECISIONS[kind]
    assert opened
    assert [missing for missing in opened if missing] == []
