"""gnomon."""
