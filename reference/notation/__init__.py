"""Index notation: text, terms, and what makes them well formed (Kjolstad 2017, section 3).

In reading order: `syntax` (the terms, and the letters used for them everywhere), `coordinates` (index variables as
values), `tokens` and `parser`, `misspellings` and `idioms` (what other languages write, for hints), `text` (an
expression as it is written, parsed once), `printer`, `types` (the dtype of every part), `constants`, `reductions`
(implicit sums made explicit), `extent` (known or not), `places` (products that are places of operands),
`reinterpretation` (in a semiring), `wellformed` (over operands), `resolution` (an expression together with what its
tensors are), `elaboration` (conversions made explicit). Operators that users compose: `composition` (what they
compute), `folding` (how far reductions by them are off), `declaration`.
"""
