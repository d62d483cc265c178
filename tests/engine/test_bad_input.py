"""Wrong arguments are ValueErrors that name what is wrong, and nothing changes."""

import copy
import pickle

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import uno_env as uno

from .strategies import FIELDS, limits, mixed_rules

WRONG_GAMES = {
    "unknown variant 'bridge'": {"variant": "bridge"},
    "variant is 7": {"variant": 7},
    "variant is None": {"variant": None},
    "rules text": {"variant": "classic(("},
    "rules is 'classic'": {"rules": "classic"},
    "num_players is 1;": {"num_players": 1},
    "num_players is 11;": {"num_players": 11},
    "num_players is 2.0": {"num_players": 2.0},
    "num_players is '4'": {"num_players": "4"},
    "num_players is True": {"num_players": True},
    "num_players is 5.*even": {"variant": "teams", "num_players": 5},
    "num_players is 7; no_mercy": {"variant": "no_mercy", "num_players": 7},
    "needs 302 cards": {"variant": "classic(hand_size=30)", "num_players": 10},
    "seed is -1": {"seed": -1},
    "seed is 18446744073709551616": {"seed": 2**64},
    "seed is 1.5": {"seed": 1.5},
    "seed is None": {"seed": None},
    "seed is True": {"seed": True},
    "episode is 'season'": {"episode": "season"},
    "episode is None": {"episode": None},
    r"episode is \['round'\]": {"episode": ["round"]},
}


@pytest.mark.parametrize("named", WRONG_GAMES)
def test_a_game_that_cannot_be(named):
    with pytest.raises(ValueError, match=named):
        uno.Game(**WRONG_GAMES[named])


@pytest.mark.parametrize(
    "action",
    [
        *(None, True, 1.5, [], {}, b"draw", (1,), object(), float("nan")),
        *(-1, -(2**70), uno.NUM_ACTIONS, 2**63, 2**70),
        *("", "fly", "DRAW", " draw", "play", "play red", "play red-99", "color pink", "target +0"),
        *("swap +2 +1", "give red-1", "catch", "over"),
    ],
)
def test_an_action_that_cannot_be(action):
    game = uno.Game("classic", seed=11)
    before, told = game.snapshot(), list(game.events)
    with pytest.raises(ValueError, match=r"\w"):
        game.step(action)
    assert game.snapshot() == before and game.events == told
    assert game.record()["actions"] == []


def test_unknown_and_illegal_actions_are_told_apart():
    game = uno.Game("classic", seed=11)
    with pytest.raises(uno.UnknownAction, match=r"'fly'.*ACTIONS"):
        game.step("fly")
    with pytest.raises(uno.IllegalAction, match=r"'catch' is not legal for seat \d.*legal: "):
        game.step("catch")


@pytest.mark.parametrize("seat", [-1, 4, 2**70, None, "0", 0.0, True, [0]])
def test_a_seat_that_cannot_be(seat):
    game = uno.Game("classic", num_players=4)
    for ask in (game.view, game.observe):
        with pytest.raises(ValueError, match="seat is"):
            ask(seat)


@pytest.mark.parametrize("mode", ["money", None, 1, ["win"]])
def test_a_reward_that_cannot_be(mode):
    with pytest.raises(ValueError, match=r"reward is .*win, points"):
        uno.Game("classic").rewards(mode)


@pytest.mark.parametrize("number", [-1, uno.NUM_ACTIONS, 10**30])
def test_an_action_id_that_cannot_be(number):
    with pytest.raises(uno.UnknownAction, match=str(number)):
        uno.action_text(number)


@pytest.mark.parametrize("text", ["", "fly", None, 7, ["draw"]])
def test_an_action_text_that_cannot_be(text):
    with pytest.raises(uno.UnknownAction):
        uno.action_id(text)


WRONG_TEXTS = [
    *("", " ", "bridge", "classic(", "classic)", "classic()x", "(a=1)", "classic(hand_size)"),
    *("classic(hand_size=)", "classic(hand_size=many)", "classic(hand_size=0)", "classic(=7)"),
    *("classic(hand_size=7,hand_size=8)", "classic(hands_size=7)", "classic(variant=teams)"),
    *("classic(deck.red-77=1)", "classic(deck.red-7=-1)", "classic(deck.red-7=100)"),
    *("classic(deck.*=50)", "classic(deck.*=0)", "classic(deck=5)", "classic(stacking=sideways)"),
    *("classic(jump_in=maybe)", "classic(mercy_limit=3)", "classic(going_out_half=true)"),
    *(
        "teams(mercy_limit=25)",
        "classic(min_players=9,max_players=3)",
        "no_mercy(challenge=target)",
    ),
]


@pytest.mark.parametrize("text", WRONG_TEXTS)
def test_a_rules_text_that_cannot_be(text):
    with pytest.raises(uno.RulesError):
        uno.Rules.from_text(text)


@pytest.mark.parametrize("text", [None, 7, ["classic"], b"classic"])
def test_a_rules_text_of_another_type(text):
    with pytest.raises(uno.RulesError):
        uno.Rules.from_text(text)


@pytest.mark.parametrize(
    "data",
    [
        *(None, 7, "classic", ["variant"], {"variant": 7}, {"variant": None}),
        *({"deck": 7}, {"deck": {"red-7": "two"}}, {"deck": {7: 1.5}}, {"hand_size": "many"}),
        *({"hand_size": None}, {"hand_size": 7.5}, {"jump_in": "perhaps"}, {7: 7}, {"": 0}),
        *({"hand_size": 10**30}, {"deck": {"red-1": True}}, {"stacking": ["none"]}),
    ],
)
def test_a_rules_mapping_that_cannot_be(data):
    with pytest.raises(uno.RulesError):
        uno.Rules.from_dict(data)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("", "mapping"),
        ("- classic", "mapping"),
        ("variant: [", "YAML"),
        ("variant: bridge", "bridge"),
        ("variant: classic\nhand_sise: 7", "hand_size"),
        ("deck: {red-77: 1}", "red-77"),
        ("!!python/object/apply:os.getcwd []", "YAML"),
        ("\x00", "YAML"),
    ],
)
def test_a_rules_file_that_cannot_be(tmp_path, content, named):
    path = tmp_path / "house.yaml"
    path.write_text(content)
    with pytest.raises(uno.RulesError, match=named):
        uno.Rules.from_file(path)


def test_a_rules_file_that_is_not_there(tmp_path):
    with pytest.raises(uno.RulesError, match=r"nowhere\.yaml"):
        uno.Rules.from_file(tmp_path / "nowhere.yaml")
    with pytest.raises(uno.RulesError, match="cannot read"):
        uno.Rules.from_file(tmp_path)


@pytest.mark.parametrize("name", FIELDS)
def test_a_value_out_of_bounds_names_the_rule(name):
    rules = uno.Rules.preset("classic")
    wrong = [object(), "sideways", None, float("nan")]
    if uno.Rules.model_fields[name].annotation is int:
        wrong += [limits(name)[0] - 1, limits(name)[1] + 1]
    for value in wrong:
        with pytest.raises(uno.RulesError, match=name):
            rules.replace(**{name: value})


def test_rules_cannot_be_changed_in_place():
    rules = uno.Rules.preset("classic")
    with pytest.raises(uno.RulesError, match="frozen"):
        rules.hand_size = 3


def test_rules_without_changes_are_the_classic_game():
    assert uno.Rules() == uno.Rules.preset("classic")
    assert uno.Rules(hand_size=5) == uno.Rules.preset("classic").replace(hand_size=5)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"stacking": "x"}, "stacking is 'x'"),
        ({"stakcing": "none"}, "did you mean stacking"),
        ({"variant": "bridge"}, "bridge"),
        ({"deck": uno.Deck()}, "deck has 0 cards"),
        ({"deck": {"red-7": 2}}, "deck"),
        ({"going_out_half": True}, "team_mode"),
    ],
)
def test_every_way_to_make_rules_refuses_alike(fields, named):
    for make in (lambda given: uno.Rules(**given), uno.Rules.model_validate):
        with pytest.raises(uno.RulesError, match=named):
            make(fields)
    with pytest.raises(uno.RulesError, match="stacking"):
        uno.Rules.model_validate_json('{"stacking": "x"}')


def test_rules_are_copied_and_pickled_whole():
    rules = uno.Rules.preset("no_mercy").replace(stacking="none", deck={"wild-draw10": 2})
    copies = (pickle.loads(pickle.dumps(rules)), copy.copy(rules), copy.deepcopy(rules))  # noqa: S301
    for other in (*copies, rules.model_copy(), uno.Rules.model_validate(rules)):
        assert other == rules and hash(other) == hash(rules)
        assert other.text() == rules.text()


@settings(max_examples=100)
@given(mixed_rules())
def test_rules_survive_text_mapping_and_file(tmp_path_factory, rules):
    assert uno.Rules.from_text(rules.text()) == rules
    assert uno.Rules.from_text(rules.text()).text() == rules.text()
    assert uno.Rules.from_dict(rules.to_dict()) == rules
    assert rules.replace() == rules and hash(rules.replace()) == hash(rules)
    path = tmp_path_factory.getbasetemp() / "rules.yaml"
    path.write_text(yaml.safe_dump(rules.to_dict()))
    assert uno.Rules.from_file(path) == rules


@settings(max_examples=300)
@given(st.text(max_size=40) | st.from_regex(r"classic\([a-z_.=0-9,-]{0,30}\)", fullmatch=True))
def test_no_text_breaks_the_parser(text):
    try:
        rules = uno.Rules.from_text(text)
    except uno.RulesError as refusal:
        assert str(refusal)
    else:
        assert uno.Rules.from_text(rules.text()) == rules
