"""Kernels for GPUs (Senanayake 2020, sections 4 to 6).

In reading order: `sizes` (the threads of blocks), `unit` (a loop on a unit), `collective` (what threads do together),
`claims` (buckets that threads take), `listing` (what workspaces hold), `memory` (where workspaces are kept),
`temporaries` (whole results of one's own), `grid` (loops over blocks), `spread` (loops over warps and threads),
`segmented` (sums of neighbouring lanes), `nonzeros` (positions that threads share out), `alone` (what one thread
does), `scan` (sums of counts), `counting` (results that iterations append to), `insertion` (results that are hash
tables); then passes: `structure` (kernels without jumps), `fills` (results filled by the device), `outlining`
(kernels as functions), `residence` (what is copied to the device and back), `atomics` (updates spelled), `complex`
(types spelled), and `text`.
"""
