"""Somebody who plays in a window and may use nothing but roles and names, as a screen reader tells them."""

import random
import re
from collections.abc import Callable
from contextlib import suppress

from playwright.sync_api import Error, Locator

from tests.browser.house import Window

MOST_STEPS = 40
"""Of one turn: more is a page on which one goes round in circles."""
MOST_TABS = 400
IMPATIENCE = 0.3
"""How often somebody plays what they have, though they could add to it."""
PLAY = re.compile("^Play( \\d+ actions| and end my turn)?:")
SEAL = "Seal it"
ADD = "Add it to the draft"
TAKE_OUT = re.compile("^Take out: ")
NO_ANSWERS = re.compile("^(Begin this line again|Seal it|Add it to the draft)$")

Press = Callable[[Window, Locator], None]


def click(window: Window, button: Locator) -> None:
    """By mouse or finger."""
    button.click()


def press_key(window: Window, button: Locator) -> None:
    """By keys alone: Tab until the focus is there, then Enter."""
    wanted = button.element_handle()
    for _ in range(MOST_TABS):
        if window.page.evaluate("wanted => document.activeElement === wanted", wanted):
            return window.page.keyboard.press("Enter")
        window.page.keyboard.press("Tab")
    raise AssertionError(f"no Tab leads to {button}")


class WindowPlayer:
    """A seat that is played in a window, at random."""

    def __init__(self, window: Window, game: str, chance: random.Random, press: Press = click) -> None:
        self.window, self.page, self.game, self.chance, self.press = window, window.page, game, chance, press

    def turn(self) -> None:
        """Answer what is asked."""
        self.page.goto(f"/g/{self.game}")
        for _ in range(MOST_STEPS):
            if self.step():
                return
        raise AssertionError(self.move.aria_snapshot())

    @property
    def move(self) -> Locator:
        return self.page.get_by_role("region", name=re.compile("^(Your move|You have answered)"))

    def step(self) -> bool:
        """One press, and whether it played."""
        play, question = self.move.get_by_role("button", name=PLAY), self.move.locator("fieldset")
        answers = [] if not question.count() else self.answers(question)
        whole = self.move.get_by_text("With this your move is whole.").count()
        if whole or (play.count() and (not answers or self.chance.random() < IMPATIENCE)):
            return self.send(play)
        if question.get_by_role("spinbutton").count():
            self.fill(question)
        seal, add = self.move.get_by_role("button", name=SEAL), question.get_by_role("button", name=ADD)
        if seal.count():
            return self.send(seal)
        if add.count():
            self.send(add)
            return self.take_out_what_is_refused()
        self.send(self.chance.choice(answers))
        return False

    def answers(self, question: Locator) -> list[Locator]:
        return [button for button in question.get_by_role("button").all() if not NO_ANSWERS.match(button.inner_text())]

    def fill(self, question: Locator) -> None:
        """Numbers within the bounds that are told with them."""
        for number in question.get_by_role("spinbutton").all():
            least, most = int(number.get_attribute("min") or 0), int(number.get_attribute("max") or 0)
            number.fill(str(self.chance.randint(least, most)))

    def take_out_what_is_refused(self) -> bool:
        """A line at random may be refused: it is taken out again."""
        refused = self.move.get_by_role("listitem").filter(has=self.page.locator(".fault"))
        if refused.count():
            self.send(refused.last.get_by_role("button", name=TAKE_OUT))
        return False

    def send(self, button: Locator) -> bool:
        """Press a button and wait until what comes of it has taken the place of what was there."""
        before = self.page.locator("#draft").element_handle()
        with self.page.expect_response(lambda answer: answer.request.method == "POST"):
            self.press(self.window, button)
        with suppress(Error):  # a whole new page
            before.wait_for_element_state("hidden")
        self.window.settle()
        return True
