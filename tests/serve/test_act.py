"""One decision over HTTP: views, positions, batches, advice, and what is refused."""

import json

import httpx
import pytest

import uno_env as uno
from uno_env.state_io.encode_view import GIVE_IDS, PLAY_IDS

POSITION = {"hand": ["red-5", "blue-skip", "wild"], "top_card": "red-9", "hand_sizes": [3, 5, 1]}


def ask(http: httpx.Client, **request):
    return http.post("/v1/act", json=request)


def error_of(answer: httpx.Response) -> tuple[int, str]:
    body = answer.json()["error"]
    assert set(body) <= {"code", "message", "details", "request_id"} and body["message"]
    assert body["request_id"] == answer.headers["x-request-id"]
    return answer.status_code, body["code"]


BOTS = [("heuristic", variant) for variant in uno.VARIANTS] + [
    ("greedy", "teams"),
    ("random", "loche"),
]


@pytest.mark.parametrize(("bot", "variant"), BOTS)
def test_a_bot_plays_by_its_views(http, bot, variant):
    game = uno.Game(variant, 4, seed=5)
    for _ in range(40):
        if game.over:
            break
        view = game.view(game.actor)
        answer = ask(http, bot=bot, view=view).json()
        assert answer["action"] in view["legal"] and answer["bot"] == bot
        ids = {**PLAY_IDS, **GIVE_IDS}
        assert answer["id"] == ids[answer["action"]]
        assert answer["sentence"]
        game.step(answer["action"])


def test_a_decision_and_its_advice_agree(http):
    """A view without advice takes the fast path, with advice the route; the heuristic is steady."""
    game = uno.Game("no_mercy", 4, seed=1)
    same = 0
    for _ in range(30):
        view = game.view(game.actor)
        quick = ask(http, bot="heuristic", view=view).json()
        slow = ask(http, bot="heuristic", view=view, advice=True).json()
        chances = {option["action"]: option["probability"] for option in slow["legal"]}
        assert list(chances) == view["legal"]
        assert sum(chances.values()) == pytest.approx(1)
        assert chances[quick["action"]] > 0
        same += quick["action"] == slow["action"]
        game.step(quick["action"])
        if game.over:
            break
    assert same > 15


def test_a_view_may_come_without_events_and_engine_state(http):
    game = uno.Game("classic", 3, seed=3)
    view = {k: v for k, v in game.view(game.actor).items() if k not in ("events", "engine_state")}
    assert ask(http, view=view).json()["action"] in game.legal()


def test_a_position_needs_little(http):
    answer = ask(http, bot="greedy", position=POSITION, advice=True).json()
    shares = {option["action"]: option["probability"] for option in answer["legal"]}
    assert set(shares) == {"play red-5", "play wild"} and min(shares.values()) > 0
    assert answer["win_estimate"] is None


@pytest.mark.parametrize(
    ("more", "legal"),
    [
        ({"drawn_card": "red-5"}, {"play red-5", "keep"}),
        ({"rules": {"stacking": "equal_or_higher"}, "pending": {"amount": 2}}, {"take"}),
        ({"top_card": "wild-draw4", "active_color": "green", "pending": {"amount": 4},
          "phase": "challenge"}, {"accept", "challenge"}),
        ({"rules": "hyper_speed"}, {"play red-5", "play wild", "draw"}),
        ({"hand": ["red-5"], "hand_sizes": [1, 2, 2], "phase": "uno-call"},
         {"call-uno", "stay-silent"}),
    ],
)  # fmt: skip
def test_positions_of_other_phases(http, more, legal):
    answer = ask(http, position={**POSITION, **more}, advice=True)
    assert answer.status_code == 200, answer.text
    assert {option["action"] for option in answer.json()["legal"]} == legal


@pytest.mark.parametrize(
    "wrong",
    [
        {"hands": [["red-1"]]},
        {"draw_pile": ["red-1"]},
        {"engine_state": {}},
        {"hand_sizes": [2, 5, 1]},
        {"hand_sizes": [3]},
        {"hand": ["red-12", "blue-1", "wild"]},
        {"top_card": None},
        {"top_card": "wild"},
        {"seat": 3},
        {"phase": "play", "pending": {"amount": 2}},
        {"phase": "over"},
        {"known": {"7": ["red-1"]}},
        {"rules": {"stacking": "sometimes"}},
        {"rules": {"no_such_rule": 1}},
        {"variant": "poker"},
    ],
)
def test_a_wrong_position_is_refused_with_the_reason(http, wrong):
    status, code = error_of(ask(http, position={**POSITION, **wrong}))
    assert (status, code) in ((422, "position"), (422, "invalid"))


def test_other_hands_are_never_accepted(http):
    answer = ask(http, view={"hands": [["red-1"], ["blue-2"]], "seat": 0})
    assert error_of(answer) == (422, "position")
    assert "hands" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, "bad_json"),
        (b"[]", 422, "invalid"),
        (b"{}", 422, "invalid"),
        (b'{"bot": "nobody", "position": {}}', 422, "invalid"),
        (json.dumps({"bot": "nobody", "position": POSITION}).encode(), 422, "unknown_bot"),
        (json.dumps({"bot": "../x.py:Bot", "position": POSITION}).encode(), 422, "unknown_bot"),
        (json.dumps({"bot": "runs/quick/last", "position": POSITION}).encode(), 422, "unknown_bot"),
        (json.dumps({"bot": "http://x/", "position": POSITION}).encode(), 422, "unknown_bot"),
        (json.dumps({"bot": "oracle:sims=5", "position": POSITION}).encode(), 422, "unknown_bot"),
        (json.dumps({"position": POSITION, "extra": 1}).encode(), 422, "invalid"),
        (json.dumps({"position": POSITION, "view": {}}).encode(), 422, "invalid"),
        (b'{"position": {"hand": ["\\ud800"], "hand_sizes": [1, 1]}}', 422, "invalid"),
    ],
)
def test_a_wrong_request_is_refused_with_a_code(http, body, status, code):
    answer = http.post("/v1/act", content=body, headers={"Content-Type": "application/json"})
    assert error_of(answer) == (status, code)


def test_a_batch_answers_each_request_in_its_place(http):
    games = [uno.Game(variant, 4, seed=2) for variant in uno.VARIANTS]
    requests = [{"bot": "heuristic", "view": game.view(game.actor)} for game in games]
    requests.insert(3, {"bot": "nobody", "position": POSITION})
    requests.insert(5, {"position": {**POSITION, "seat": 9}})
    answers = http.post("/v1/act/batch", json={"requests": requests}).json()["answers"]
    assert len(answers) == len(requests)
    wrong = [index for index, answer in enumerate(answers) if "error" in answer]
    assert wrong == [3, 5]
    good = [answer for answer in answers if "error" not in answer]
    assert all(a["action"] in g.legal() for a, g in zip(good, games, strict=True))


def test_what_there_is(http):
    bots = http.get("/v1/bots").json()
    names = [bot["name"] for bot in bots["bots"]]
    assert {"random", "greedy", "heuristic", "chatty"} <= set(names)
    assert not any(name.startswith("oracle") for name in names), "it looks at hidden cards"
    assert bots["default"] in names
    found = http.get("/v1/variants").json()
    assert [variant["name"] for variant in found["variants"]] == list(uno.VARIANTS)
    switches = {switch["name"]: switch for switch in found["switches"]}
    assert set(switches) == set(uno.Rules.model_fields) - {"variant"}
    assert {switch["group"] for switch in found["switches"]} == set(found["groups"])
    assert switches["hand_size"]["least"] == 1 and switches["stacking"]["values"][0] == "none"
    for variant in found["variants"]:
        whole = {**variant["rules"]}
        assert uno.Rules.from_dict(whole) == uno.Rules.preset(variant["name"])
    no_mercy = {v["name"]: v for v in found["variants"]}["no_mercy"]
    assert no_mercy["players"] == {"least": 2, "most": 6, "usual": 2} and no_mercy["cards"] == 168


def test_rules_are_checked_for_a_form(http):
    good = http.post(
        "/v1/rules", json={"rules": {"variant": "no_mercy", "stacking": "none"}}
    ).json()
    assert good["text"] == "no_mercy(stacking=none)" and good["players"]["most"] == 6
    bad = http.post("/v1/rules", json={"rules": {"variant": "teams", "mercy_limit": 25}})
    assert error_of(bad) == (422, "rules") and "mercy_limit" in bad.text


def test_health_and_metrics(http):
    assert http.get("/healthz").json()["status"] == "ok"
    assert ask(http, bot="heuristic", position=POSITION).status_code == 200
    text = http.get("/metrics").text
    assert 'uno_requests_total{route="/v1/act",status="200"}' in text
    assert "uno_batch_size_bucket" in text


def test_openapi_has_examples(http):
    document = http.get("/openapi.json").json()
    assert document["components"]["schemas"]["ActRequest"]["examples"]
    assert {"/v1/act", "/v1/tables", "/v1/tables/{table_id}/act"} <= set(document["paths"])
    assert http.get("/docs").status_code == 200
