"""Paimon's own software against the provider and the dev catalog."""
