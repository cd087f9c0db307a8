"""The conformance suite: cases for every rule of the specification, to be run on any system.

In reading order: `rule` (rules and cases), `operands` (of cases), `notation`, `types`, `operators`, `denotation`,
`agreement`, `masks`, `levels`, `formats`, `statements`, `loops`, `execution`, `scheduled` (problems for schedules),
`scheduling`, `branching`, `generating`, `devices`, `graphs` and `errors` (the rules, by chapter of docs/spec), `suite`
(their cases), `conform` (a system against them), `files` (the cases as JSON), `command` (`gnomon conform`).
"""
