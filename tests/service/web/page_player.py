"""Somebody who plays on the page of a game with nothing but its forms: buttons, numbers, selections."""

import random
from dataclasses import replace

from tests.service.web.browser import Browser, Form, Page

MOST_CLICKS = 60
"""Of one turn: more is a page on which one goes round in circles."""
WHOLE = "With this your move is whole."


class PagePlayer:
    """A seat that is played by forms, at random."""

    def __init__(self, browser: Browser, game: str, chance: random.Random) -> None:
        self.browser, self.game, self.chance = browser, game, chance
        self.clicks = 0

    def turn(self) -> Page:
        """Answer what is asked; the page that comes then."""
        page = self.browser.get(f"/g/{self.game}")
        for _ in range(MOST_CLICKS):
            self.clicks += 1
            page, played = self.step(page)
            if played:
                assert page.status == 200, page.words
                return page
        raise AssertionError(page.words)

    def step(self, page: Page) -> tuple[Page, bool]:
        """One click, and whether it played."""
        form = self.form(page)
        picks = [value for name, value in form.buttons if name == "pick"]
        compose = next((value for name, value in form.buttons if name in ("compose", "seal")), None)
        if "class" in self.refused(page):
            return self.drop(page, form), False
        if WHOLE in page.words or (self.is_playable(page) and (not picks or self.chance.random() < 0.1)):
            return self.send(form, "moves", play="1"), True
        if compose is not None:
            return self.compose(page, form, compose)
        return self.send(form, "draft", pick=self.chance.choice(picks)), False

    def compose(self, page: Page, form: Form, words: str) -> tuple[Page, bool]:
        """Fill in numbers, or an order, and press the button below them."""
        filled = {name: str(self.chance.randint(least, most)) for name, least, most in self.counts(page)}
        places = [name for name in form.fields if name.startswith("place-")]
        order = self.chance.sample(range(len(places)), len(places))
        filled |= {name: str(number) for name, number in zip(places, order, strict=True)}
        if self.is_sealed(page):
            return self.send(form, "draft", seal=words, **filled), True
        return self.send(form, "draft", compose=words, **filled), False

    def drop(self, page: Page, form: Form) -> Page:
        """Take out the lines that are refused and all after them."""
        return self.send(form, "draft", drop=[value for name, value in form.buttons if name == "drop"][-1])

    def send(self, form: Form, to: str, **filled: str) -> Page:
        """Press the button with this name and value, which leads there."""
        return self.browser.send(replace(form, action=f"/g/{self.game}/{to}"), **filled)

    def form(self, page: Page) -> Form:
        return page.form(f"/g/{self.game}/draft")

    @staticmethod
    def is_playable(page: Page) -> bool:
        return WHOLE in page.words or "You can play this now" in page.words

    @staticmethod
    def is_sealed(page: Page) -> bool:
        return any("data-sealed" in attributes for _, attributes in page.tags)

    @staticmethod
    def refused(page: Page) -> dict[str, str]:
        return next((found for _, found in page.tags if found.get("class") == "refused"), {})

    @staticmethod
    def counts(page: Page) -> list[tuple[str, int, int]]:
        """The numbers that are asked for: name, least, most."""
        return [
            (found["name"], int(found["min"]), int(found["max"]))
            for _, found in page.tags
            if found.get("name", "").startswith("amount-")
        ]
