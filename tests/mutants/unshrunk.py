"""A pytest plugin: a Hypothesis profile with three times the examples of `make test`, and no failure made smaller."""

from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "unshrunk",
    deadline=None,
    max_examples=120,
    database=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much),
)
