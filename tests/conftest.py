"""Hypothesis profiles: `default` for `make test`, `deep` for `make deep`."""

from hypothesis import HealthCheck, settings

quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile("default", deadline=None, max_examples=200, suppress_health_check=quiet)
settings.register_profile("deep", deadline=None, max_examples=4000, suppress_health_check=quiet)
settings.load_profile("default")
