"""Every rule has a test or a note, every rule test says which rule it shows, the page is fresh."""

import pytest

from ..page_generators import generator

make_rules = generator("make_rules")


def covered() -> set[str]:
    """IDs with a test or a PHYSICAL note."""
    return {rule for test in make_rules.rule_tests() for rule in test.ids} | set(
        make_rules.physical()
    )


@pytest.mark.parametrize("prefix", make_rules.TITLES)
def test_every_rule_and_corner_case_is_covered(prefix):
    needed = [
        rule for rule in make_rules.rule_ids() if rule.startswith(prefix) and "-R" not in rule
    ]
    assert needed
    done = covered()
    missing = [rule for rule in needed if rule not in done]
    assert not missing, f"no test and no PHYSICAL note for {', '.join(missing)}"


def test_every_rule_test_names_a_known_rule_in_a_sentence():
    known = set(make_rules.rule_ids())
    for test in make_rules.rule_tests():
        assert test.ids, f"{test.file}: {test.name} names no rule"
        assert set(test.ids) <= known, f"{test.file}: {test.name} names an unknown rule"
        assert test.text.endswith("."), f"{test.file}: {test.name} needs a one-line sentence"
    assert set(make_rules.physical()) <= known


def test_no_two_rule_tests_have_the_same_name():
    names = [test.name for test in make_rules.rule_tests()]
    assert len(names) == len(set(names))


def test_the_rules_page_is_up_to_date():
    present = {rule[:2] for rule in covered()}
    if present != set(make_rules.TITLES):
        pytest.skip("rule tests of a whole variant are missing")
    text = make_rules.PAGE.read_text(encoding="utf-8")
    assert text == make_rules.page(), "run: python -m docs.make_rules"
