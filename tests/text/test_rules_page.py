"""The page of the rules in force: complete, in both languages, house rules marked."""

import re

import pytest

import uno_env as uno
from uno_env.text import rules_page, rules_summary
from uno_env.text.language import LANGUAGES
from uno_env.text.rules_page import SECTIONS, TOLD_ELSEWHERE
from uno_env.text.rules_words import FAVOURITES, rules_words, switch_words, value_words


def lines(page):
    return [line for section in page["sections"] for line in section["lines"]]


def test_both_languages_word_the_same():
    english, french = (rules_words(lang) for lang in LANGUAGES)
    assert english.keys() == french.keys()
    for key, table in english.items():
        if isinstance(table, dict):
            assert table.keys() == french[key].keys(), key
    for key, text in english["sentences"].items():
        assert re.findall(r"\{\w+\}", text) == re.findall(r"\{\w+\}", french["sentences"][key])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_switch_is_worded_without_developer_words(lang):
    """No names of switches, no underscores: what people read are people's words."""
    shown = set(uno.Rules.model_fields) - {"variant", "min_players", "max_players"}
    for name in shown:
        said = switch_words(name, lang)
        assert not re.search(r"\w_\w|=|\bseat\b|\bUnder \w+:", said), (name, said)
    for page in (rules_page(uno.Rules.preset(v), 4, lang, True) for v in uno.VARIANTS):
        for line in lines(page):
            assert not re.search(r"\w_\w|[{}=\[\]]", line["text"]), line


@pytest.mark.parametrize("variant", uno.VARIANTS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_preset_has_a_page_without_house_rules(variant, lang):
    page = rules_page(uno.Rules.preset(variant), None, lang, match=True)
    assert [line for line in lines(page) if line["house"]] == []
    assert all(card["name"] for card in page["cards"])
    kinds = {face.rpartition("+")[0] or face for face in uno.Rules.preset(variant).deck}
    for card in page["cards"]:
        assert card["face"] in uno.Rules.preset(variant).deck or card["face"] in kinds


def test_every_switch_has_its_place():
    """A switch no section knows is told by its description, so it can never be missing."""
    known = TOLD_ELSEWHERE | {key for keys in SECTIONS.values() for key in keys}
    for name in set(uno.Rules.model_fields) - known:
        assert switch_words(name, "en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_house_rules_are_marked(lang):
    rules = uno.Rules.preset("classic").replace(
        stacking="equal_or_higher", uno_penalty=4, seven_swap=True, hyper_cumulative=True
    )
    page = rules_page(rules, 4, lang)
    house = [line["text"] for line in lines(page) if line["house"]]
    assert len(house) == 3, house  # there is no Hyper Speed card in this deck
    assert any(" 4" in line for line in house)
    seven = next(card for card in page["cards"] if card["kind"] == "7")
    assert "7" in seven["text"]
    assert rules_summary(rules, lang=lang)


def test_a_switch_without_a_sentence_falls_back_to_its_description(monkeypatch):
    monkeypatch.delitem(rules_words("en")["sentences"], "roulette_active_color=player")
    rules = uno.Rules.preset("no_mercy").replace(roulette_active_color="player")
    told = [line["text"] for line in lines(rules_page(rules, 4)) if line["house"]]
    assert told == ["Which colour is played after a colour roulette. [that of who played it]"]
    monkeypatch.delitem(rules_words("en")["switches"], "roulette_active_color")
    described = uno.Rules.model_fields["roulette_active_color"].description
    assert switch_words("roulette_active_color", "en") == described


@pytest.mark.parametrize("variant", uno.VARIANTS)
@pytest.mark.parametrize("name", FAVOURITES)
def test_each_favourite_can_be_turned_on_and_off_or_says_why_not(variant, name):
    """The ten favourites are meant for every preset; what contradicts one is refused in words."""
    preset, refused = uno.Rules.preset(variant), []
    for value in FAVOURITES[name]:
        try:
            changed = preset.replace(**{name: value})
        except uno.RulesError as error:
            refused.append(str(error))
            continue
        assert rules_page(changed, None)["sections"]
    assert len(refused) <= 1


def test_values_are_words():
    assert value_words("stacking", "draw2_draw4_with_joker_cancel", "en") == (
        "+2 and +4; a wild cancels"
    )
    assert value_words("team_mode", "none", "fr") == "chacun pour soi"
    assert value_words("seven_swap", True, "fr") == "oui"
    assert value_words("draw_policy", "not_worded_yet", "en") == "not worded yet"
