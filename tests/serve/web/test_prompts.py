"""A prompt says what follows from each answer, in both languages."""

import json

import httpx
import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

import uno_env as uno

from ..playing import bearer, new_table
from .clicking import sit_down
from .conftest import OpenPage
from .positions import act, table_at

WORDS = [
    # variant, seed, phase, verb, what English and French say
    ("classic", 36, "challenge", "challenge",
     ["laid a wild +4 on yellow",
      "Player 2 draws 4",
      "you draw 6",
      "Accept: you draw 4 and lose"],
     ["joker +4 sur du jaune", "4 pour Player 2", "6 pour vous", "Accepter : vous piochez 4"]),
    ("no_mercy", 72, "stack", "take",
     ["+4 against you, from Player 2",
      "sends its sum on to Player 1",
      "take 4 and lose your turn"],
     ["+4 contre vous, de Player 2",
      "renvoie sa somme à Player 1",
      "prenez 4 et passez votre tour"]),
    ("ig2000", 23, "stack", "challenge",
     ["A raised wild cancels it", "Player 2 draws 6", "you draw 6", "Or take 4"],
     ["Un joker relevé", "6 pour Player 2", "6 pour vous", "Ou prenez 4"]),
    ("loche", 216, "react", "sum",
     ["6 + 8 + 7 + 2 + 20 + 7 = 50", "lay your whole hand"],
     ["6 + 8 + 7 + 2 + 20 + 7 = 50", "posez toute votre main"]),
    ("ig2000", 50, "react", "jump-in",
     ["Jump in: you hold red 2 too", "play goes on from you"],
     ["Interceptez : vous avez aussi 2 rouge", "le jeu repart de vous"]),
    ("no_mercy", 282, "swap-target", "target",
     ["Swap your 6 cards with whom?"],
     ["Échanger vos 6 cartes"]),
    ("teams", 521, "give-half", "give",
     ["Player 2 is out of cards", "1 more of your 3 cards"],
     ["plus de cartes", "Encore 1 de vos 3 cartes"]),
    ("teams", 1, "pass-card", "give",
     ["Pass a card to Player 2"],
     ["Passez une carte à Player 2"]),
    ("classic", 468, "uno-call", "call-uno",
     ["call UNO", "you draw 2"],
     ["annoncez UNO", "vous piochez 2"]),
    ("classic", 444, "uno-catch", "catch",
     ["Player 2 has one card", "Player 2 draws 2"],
     ["une carte, sans annonce UNO", "2 à piocher"]),
    ("classic", 286, "play-drawn", "keep",
     ["You drew green 2"],
     ["Vous avez pioché 2 vert"]),
    ("no_mercy", 9, "roulette-color", "color",
     ["You draw until it comes"],
     ["Vous piochez jusqu"]),
]  # fmt: skip


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_prompt_says_what_follows(open_page: OpenPage, http: httpx.Client, language: str):
    page = open_page(locale=f"{language}-{language.upper()}")
    for variant, seed, phase, verb, english, french in WORDS:
        sit_down(page, table_at(http, variant, seed, phase, verb, 4 if variant == "teams" else 3))
        expect(page.locator(".prompt")).to_have_attribute("data-phase", phase)
        asking = " ".join((page.locator(".asking").text_content() or "").split())
        for words in english if language == "en" else french:
            assert words in asking, (phase, asking)


def test_cards_that_answer_a_penalty_show_the_sum(page: Page, http: httpx.Client):
    sit_down(page, table_at(http, "no_mercy", 72, "stack", "take", 3))
    sums = page.locator(".hand-card.lively .outcome")
    expect(sums).to_have_text(["+8", "+14"])
    label = page.locator('.hand-card[data-card="red-draw4"]').get_attribute("aria-label")
    assert "+8 for Player 1" in (label or "")


def test_a_jump_in_is_made_with_the_card_itself(page: Page, http: httpx.Client):
    sit_down(page, table_at(http, "ig2000", 50, "react", "jump-in", 3))
    card = page.locator(".hand-card.lively")
    expect(card).to_have_attribute("data-card", "red-2")
    expect(page.locator(".your-turn")).to_have_text("Your choice")
    card.click()
    expect(page.locator(".log [data-event='jump-in']")).to_have_count(1)


def test_targets_are_players_with_their_hand_sizes(page: Page, http: httpx.Client):
    table = table_at(http, "no_mercy", 282, "swap-target", "target", 3)
    sit_down(page, table)
    sizes = http.get(
        f"/v1/tables/{table['table']}/view", headers=bearer(table["seats"][0]["token"])
    ).json()["view"]["hand_sizes"]
    for seat in (1, 2):
        plate = page.locator(f'.plate.offered[data-seat="{seat}"]')
        expect(plate.locator(".count")).to_have_text(str(sizes[seat]))
        assert str(sizes[seat]) in (plate.locator(".pick").get_attribute("aria-label") or "")


def test_with_nothing_to_play_the_hand_dims_and_the_prompt_says_so(page: Page, http: httpx.Client):
    """The first seed whose first seat has nothing that matches."""
    seed = next(
        seed
        for seed in range(500)
        if (game := uno.Game("classic", 2, seed=seed)).phase == "play" and game.legal() == ["draw"]
    )
    actor = uno.Game("classic", 2, seed=seed).actor
    assert actor is not None
    seats = [{"kind": "human", "name": f"Player {n}"} for n in range(2)]
    sit_down(page, new_table(http, variant="classic", seats=seats, seed=seed), actor)
    expect(page.locator(".task")).to_have_text("Nothing to play: draw a card")
    expect(page.locator(".detail")).to_contain_text("None of your cards is")
    expect(page.locator(".hand.asked .hand-card.still")).to_have_count(7)
    assert "brightness" in page.locator(".hand-card .card-picture").first.evaluate(
        "card => getComputedStyle(card).filter"
    )
    expect(page.locator("#draw-pile")).to_be_enabled()


def test_your_turn_is_said_only_in_your_turn(page: Page, http: httpx.Client):
    table = table_at(http, "classic", 1, "play", "draw", 3)
    sit_down(page, table)
    expect(page.locator(".your-turn")).to_have_text("Your turn")
    page.locator('.hand-card[data-card="wild"]').click()
    expect(page.locator(".your-turn")).to_have_text("Your choice")
    act(http, table, 0, "color red")
    expect(page.locator(".your-turn")).to_have_count(0)


def rename_phase(page: Page, phase: str, name: str) -> None:
    """From now on the page is told of another phase than the server is in."""

    def connect(route: WebSocketRoute) -> None:
        def change(message: str | bytes) -> str:
            return json.dumps(json.loads(message)).replace(
                f'"phase": "{phase}"', f'"phase": "{name}"'
            )

        route.connect_to_server().on_message(lambda message: route.send(change(message)))

    page.route_web_socket("**/stream", connect)


def test_a_phase_the_page_does_not_know_is_played_by_buttons(page: Page, http: httpx.Client):
    """A newer server may ask for what this page has no words for."""
    rename_phase(page, "challenge", "duel")
    sit_down(page, table_at(http, "classic", 36, "challenge", "challenge", 3))
    expect(page.locator(".task")).to_have_text("Your decision")
    page.locator('.choices [data-action="accept"]').click()
    expect(page.locator(".log [data-event='accept']")).to_have_count(1)


def test_who_has_to_draw_is_chosen_at_the_plates(page: Page, http: httpx.Client):
    rename_phase(page, "swap-target", "draw-target")
    sit_down(page, table_at(http, "no_mercy", 282, "swap-target", "target", 3))
    expect(page.locator(".task")).to_have_text("Who has to draw?")
    expect(page.locator(".plate.offered")).to_have_count(2)
    page.locator('.plate[data-seat="1"] .pick').click()
    expect(page.locator(".log [data-event='swap']")).to_have_count(1)


def test_more_of_the_same_is_laid_from_the_hand_or_passed(page: Page, http: httpx.Client):
    rename_phase(page, "react", "play-more")
    sit_down(page, table_at(http, "ig2000", 50, "react", "jump-in", 3))
    expect(page.locator(".task")).to_have_text("Lay more of the same?")
    expect(page.locator(".hand-card.lively")).to_have_count(1)
    page.keyboard.press("p")
    expect(page.locator(".prompt")).not_to_have_attribute("data-phase", "play-more")
