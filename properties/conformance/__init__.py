"""The conformance suite: cases for every rule of the specification, to be run on any system.

In reading order: `rule` (rules and cases), `meaning`, `storage`, `scheduled` (problems for schedules), `scheduling`,
`branching`, `generating` and `graphs` (the rules, by page of docs/spec), `suite` (their cases), `conform` (a system
against them), `files` (the cases as JSON), `command` (`gnomon conform`).
"""
