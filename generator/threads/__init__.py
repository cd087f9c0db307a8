"""Loops on threads and lanes (Senanayake 2020, section 4, parallelize).

In reading order: `work` (what pays for a team), `ownership` (who owns what a loop writes), `region` (loops that a team
shares out), `division` (of which result each iteration appends a part), `parts` (how a team does that), `lanes`.
"""
