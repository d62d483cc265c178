"""What a language model is told for one decision: the rules in force, then the position."""

from uno_env import Rules
from uno_env.state_io.view import View
from uno_env.text import count_tokens, describe, rules_summary
from uno_env.text.language import Language

SYSTEM = {
    "en": "You play the card game UNO to win. You are told what you can see and a numbered list "
    'of legal actions. Reply with JSON only: {"action": NUMBER}.',
    "fr": "Vous jouez au jeu de cartes UNO pour gagner. On vous dit ce que vous voyez et une liste "
    "numérotée d'actions possibles. Répondez en JSON seulement : "
    '{"action": NUMÉRO}.',
}


def system_prompt(view: View, lang: Language = "en") -> str:
    """What is asked of it, and the rules in force."""
    rules = Rules.from_dict({"variant": view["variant"], **view["rules"]})
    is_match = view["episode"] == "match"
    told = rules_summary(rules, view["num_players"], lang, is_match)
    return "\n".join([SYSTEM[lang], *(f"- {line}" for line in told)])


def user_prompt(view: View, lang: Language = "en") -> str:
    """The position in words."""
    return describe(view, lang, "short")


def prompt_tokens(view: View, lang: Language = "en") -> int:
    """About how many tokens it reads for one decision."""
    return count_tokens(system_prompt(view, lang)) + count_tokens(user_prompt(view, lang))
