"""Results under construction (Chou 2018, section 3.4, Table 3).

In reading order: `outputs`, `widening` (levels that have filled up), `appending` (in storage order), `counting`
(results that teams append to).
"""
