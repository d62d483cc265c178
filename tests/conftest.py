"""Settings of the property tests: the fast set is the same on every run, the slow one explores."""

try:
    from hypothesis import HealthCheck, settings
except ImportError:  # environments of `make interop` have no property tests
    settings = None

# A failing game is rebuilt from its rules, seats and seeds, so shrinking stays cheap and no
# database of earlier failures is needed.
if settings is not None:
    settings.register_profile(
        "uno",
        deadline=None,
        derandomize=True,
        database=None,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("uno")
