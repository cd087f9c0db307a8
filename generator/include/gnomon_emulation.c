/*
 * The emulation's half of gnomon_emulation.h: memory on the device, launches, and fibers for the threads of a block.
 *
 * A fiber runs until it waits, at a barrier or for the lanes of its warp, or until chance takes its turn away, before an
 * atomic operation. Then the scheduler, on the stack of whoever launched the kernel, draws the next one. A kernel that is
 * compiled with -fsanitize=thread calls what stands at the end of this file at every access: it has no ThreadSanitizer
 * beside it, but is told of races, of reads of what nothing has been stored in, and of places that are no memory of the
 * device, and chance takes turns away there, too.
 */

#define _GNU_SOURCE
#include "gnomon_emulation.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

enum { MOST_THREADS = 1024, LANES = 32, STACK = 1 << 16, GUARD = 64 };
static const int64_t MOST_TURNS = 1000000000;

/* ---- What is seen to go wrong, and chance. */

static struct {
    char fault[400];
    uint64_t chance, pause;
    int devices;
    int64_t memory, held;
    cudaError_t last;
} run = {.chance = 1, .devices = 1, .memory = INT64_MAX};

static uint64_t draw(uint64_t below)
{
    run.chance ^= run.chance << 13;
    run.chance ^= run.chance >> 7;
    run.chance ^= run.chance << 17;
    return (run.chance >> 16) % below;
}

static void fault(const char *text, ...)
{
    if (run.fault[0] != '\0')
        return;
    va_list args;
    va_start(args, text);
    vsnprintf(run.fault, sizeof run.fault, text, args);
    va_end(args);
}

void gn_emulate(uint64_t seed, int devices, int64_t memory)
{
    run.chance = (seed + 1) * 0x9e3779b97f4a7c15U | 1U;
    run.devices = devices;
    run.memory = memory;
    run.last = cudaSuccess;
    run.fault[0] = '\0';
}

const char *gn_emulation_fault(void)
{
    return run.fault;
}

int64_t gn_emulation_held(void)
{
    return run.held;
}

static cudaError_t say(cudaError_t error)
{
    if (error != cudaSuccess)
        run.last = error;
    return error;
}

/* ---- Fibers. */

typedef enum { READY, AT_BARRIER, IN_WARP, DONE } standing;

typedef struct {
    standing standing;
    const char *file;
    int line;
    gn_meeting kind;
    unsigned int mask;
    int distance;
    size_t size;
    unsigned char given[16], taken[16];
    uint64_t synced[LANES];
#if defined(__x86_64__)
    void *place;
#else
    ucontext_t place;
#endif
} fiber;

static fiber fibers[MOST_THREADS];
static char *stacks;
static struct {
    gn_entry *entry;
    void **arguments;
    int threads, ready, left, current;
    int order[MOST_THREADS];
    uint64_t interval, first, syncs;
    int64_t turns;
#if defined(__x86_64__)
    void *place;
#else
    ucontext_t place;
#endif
} block = {.current = -1, .interval = 1};
gn_turn gn_emulation_turn;

#if defined(__SANITIZE_ADDRESS__)
void __sanitizer_start_switch_fiber(void **, const void *, size_t);
void __sanitizer_finish_switch_fiber(void *, const void **, size_t *);
static const void *outer_stack;
static size_t outer_size;
#define LEAVE(keep, stack, size) __sanitizer_start_switch_fiber(keep, stack, size)
#define ARRIVE(keep, stack, size) __sanitizer_finish_switch_fiber(keep, stack, size)
void __asan_unpoison_memory_region(void const volatile *, size_t);
#define CLEAN(stack, size) __asan_unpoison_memory_region(stack, size)
#else
#define LEAVE(keep, stack, size) ((void)0)
#define ARRIVE(keep, stack, size) ((void)0)
#define CLEAN(stack, size) ((void)0)
#endif

#if defined(__x86_64__)
void gn_emulation_switch(void **from, void *to);
__asm__(".text\n"
        ".hidden gn_emulation_switch\n"
        ".globl gn_emulation_switch\n"
        "gn_emulation_switch:\n"
        "    pushq %rbp\n    pushq %rbx\n    pushq %r12\n    pushq %r13\n    pushq %r14\n    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n    popq %r14\n    popq %r13\n    popq %r12\n    popq %rbx\n    popq %rbp\n"
        "    ret\n");
#define SWITCH(from, to) gn_emulation_switch(&(from), to)
#else
#define SWITCH(from, to) swapcontext(&(from), &(to))
#endif

/* Back to the scheduler; what follows runs when this fiber has its turn again. */
static void wait_turn(void)
{
    fiber *const own = &fibers[block.current];
    void *kept = NULL;
    (void)kept;
    LEAVE(own->standing == DONE ? NULL : &kept, outer_stack, outer_size);
    SWITCH(own->place, block.place);
    ARRIVE(kept, &outer_stack, &outer_size);
}

/* A fiber that has gone wrong never has a turn again. */
static void stop(void)
{
    fiber *const own = &fibers[block.current];
    own->standing = DONE;
    while (own->standing == DONE)
        wait_turn();
}

static void begin(void)
{
    ARRIVE(NULL, &outer_stack, &outer_size);
    block.entry(block.arguments);
    stop();
}

static void prepare(int thread)
{
    fiber *const own = &fibers[thread];
    char *const low = stacks + (size_t)thread * STACK;
    own->standing = READY;
    CLEAN(low, STACK);
    memset(own->synced, 0, sizeof own->synced);
#if defined(__x86_64__)
    void **top = (void **)(void *)(low + STACK) - 8;
    memset(top, 0, 8 * sizeof *top);
    void (*const first)(void) = begin;
    memcpy(&top[6], &first, sizeof first);
    own->place = top;
#else
    getcontext(&own->place);
    own->place.uc_stack.ss_sp = low;
    own->place.uc_stack.ss_size = STACK;
    own->place.uc_link = NULL;
    makecontext(&own->place, begin, 0);
#endif
    block.order[thread] = thread;
}

static void resume(int thread)
{
    void *kept = NULL;
    (void)kept;
    block.current = thread;
    gn_emulation_turn.thread.x = (unsigned int)thread;
    LEAVE(&kept, stacks + (size_t)thread * STACK, STACK);
    SWITCH(block.place, fibers[thread].place);
    ARRIVE(kept, NULL, NULL);
    block.current = -1;
}

/* Chance may take the turn away. */
static void pause_turn(void)
{
    if (block.current >= 0 && run.pause != 0 && draw(run.pause) == 0)
        wait_turn();
}

/* ---- Barriers and warps. */

static void arrive(standing why, const char *file, int line)
{
    fiber *const own = &fibers[block.current];
    own->standing = why;
    own->file = file;
    own->line = line;
}

void gn_emulation_barrier(const char *file, int line)
{
    arrive(AT_BARRIER, file, line);
    wait_turn();
}

static void wake(int thread)
{
    fibers[thread].standing = READY;
    block.order[block.ready++] = thread;
}

/* The lane whose value a lane is given: its own, where it asks beyond the warp. */
static int source(int lane)
{
    const fiber *const own = &fibers[block.current / LANES * LANES + lane];
    switch (own->kind) {
    case GN_FROM:
        return (int)((unsigned int)own->distance % LANES);
    case GN_DOWN:
        return own->distance < 0 || lane + own->distance >= LANES ? lane : lane + own->distance;
    case GN_UP:
        return own->distance < 0 || lane < own->distance ? lane : lane - own->distance;
    case GN_XOR:
        return (lane ^ own->distance) & (LANES - 1);
    default:
        return lane;
    }
}

/* What all lanes of a mask meet for happens. */
static void exchange(int first, unsigned int mask)
{
    unsigned int votes = 0;
    block.syncs++;
    for (int lane = 0; lane < LANES; lane++)
        if (mask >> lane & 1U) {
            unsigned int vote = 0;
            memcpy(&vote, fibers[first + lane].given, sizeof vote);
            votes |= (unsigned int)(vote != 0) << lane;
        }
    for (int lane = 0; lane < LANES; lane++) {
        if ((mask >> lane & 1U) == 0)
            continue;
        fiber *const own = &fibers[first + lane];
        const int of = source(lane);
        if ((mask >> of & 1U) == 0) {
            fault("lane %d asks for the value of lane %d, which is not in the mask 0x%x, in line %d of %s", lane, of, mask,
                  own->line, own->file);
            return;
        }
        memcpy(own->taken, own->kind == GN_BALLOT ? (const void *)&votes : fibers[first + of].given, own->size);
        for (int other = 0; own->kind == GN_SYNC && other < LANES; other++)
            if (mask >> other & 1U)
                own->synced[other] = block.syncs;
    }
    for (int lane = 0; lane < LANES; lane++)
        if ((mask >> lane & 1U) && first + lane != block.current)
            wake(first + lane);
    fibers[block.current].standing = READY;
}

void gn_emulation_meet(
    gn_meeting kind, unsigned int mask, void *value, size_t size, int distance, const char *file, int line)
{
    const int lane = block.current % LANES, first = block.current - lane;
    fiber *const own = &fibers[block.current];
    arrive(IN_WARP, file, line);
    own->kind = kind;
    own->mask = mask;
    own->distance = distance;
    own->size = size;
    if (size != 0)
        memcpy(own->given, value, size);
    if ((mask >> lane & 1U) == 0) {
        fault("lane %d is not in its own mask 0x%x, in line %d of %s", lane, mask, line, file);
        stop();
    }
    bool all = true;
    for (int k = 0; k < LANES; k++) {
        if ((mask >> k & 1U) == 0)
            continue;
        const fiber *const other = &fibers[first + k];
        if (first + k >= block.threads || other->standing == DONE) {
            fault("the mask 0x%x names lane %d, which has left or never was, in line %d of %s", mask, k, line, file);
            stop();
        }
        all &= other->standing == IN_WARP && other->line == line && other->kind == kind && other->mask == mask;
    }
    if (all)
        exchange(first, mask);
    if (run.fault[0] != '\0')
        stop();
    if (own->standing == IN_WARP)
        wait_turn();
    if (size != 0)
        memcpy(value, own->taken, size);
}

/* ---- Memory. */

typedef struct visit {
    uint64_t interval, sync;
    int thread;
    bool atomic;
} visit;

typedef struct {
    bool stored;
    visit writer, reader, other;
} cell;

typedef struct area {
    char *base;
    size_t bytes, grain;
    char *held;
    bool *stored;
    cell *cells;
    struct area *next;
} area;

static area *areas, shared;
extern char gn_shared_begin[] __asm__("__start_gn_shared") __attribute__((weak, visibility("hidden")));
extern char gn_shared_end[] __asm__("__stop_gn_shared") __attribute__((weak, visibility("hidden")));

static void rubbish(void *p, size_t bytes)
{
    static const int kinds[] = {0xff, 0x7f, 0xa5, 0x81};
    memset(p, kinds[draw(4)], bytes);
}

static bool is_whole(const area *of)
{
    for (int k = 0; k < GUARD; k++)
        if (of->held[k] != (char)0x5a || of->base[of->bytes + (size_t)k] != (char)0x5a)
            return false;
    return true;
}

static void check_guards(void)
{
    for (area *each = areas; each != NULL; each = each->next)
        if (!is_whole(each))
            fault("a write around an array of %zu bytes", each->bytes);
}

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = run.devices;
    return say(run.devices > 0 ? cudaSuccess : cudaErrorNoDevice);
}

cudaError_t cudaMalloc(void **made, size_t bytes)
{
    if (run.devices == 0)
        return say(cudaErrorNoDevice);
    if ((uint64_t)bytes > (uint64_t)(run.memory - run.held))
        return say(cudaErrorMemoryAllocation);
    area *const of = calloc(1, sizeof *of);
    char *const held = malloc(bytes + 2 * GUARD);
    bool *const stored = calloc(bytes, 1);
    if (of == NULL || held == NULL || stored == NULL) {
        free(of);
        free(held);
        free(stored);
        return say(cudaErrorMemoryAllocation);
    }
    *of = (area){.base = held + GUARD, .bytes = bytes, .held = held, .stored = stored, .next = areas};
    memset(held, 0x5a, bytes + 2 * GUARD);
    rubbish(of->base, bytes);
    areas = of;
    run.held += (int64_t)bytes;
    *made = of->base;
    return cudaSuccess;
}

cudaError_t cudaFree(void *array)
{
    if (array == NULL)
        return cudaSuccess;
    for (area **at = &areas; *at != NULL; at = &(*at)->next) {
        area *const of = *at;
        if (of->base != array)
            continue;
        if (!is_whole(of))
            fault("a write around an array of %zu bytes", of->bytes);
        *at = of->next;
        run.held -= (int64_t)of->bytes;
        memset(of->held, 0x99, of->bytes + 2 * GUARD);
        free(of->held);
        free(of->stored);
        free(of->cells);
        free(of);
        return cudaSuccess;
    }
    fault("memory is freed that is not on the device");
    return say(cudaErrorInvalidValue);
}

/* The array that a place is in, which holds so many bytes from there on; NULL if there is none. */
static area *find(const volatile void *p, size_t bytes)
{
    const char *const at = (const char *)(uintptr_t)p;
    for (area *each = areas; each != NULL; each = each->next)
        if (at >= each->base && at + bytes <= each->base + each->bytes)
            return each;
    return shared.bytes != 0 && at >= shared.base && at + bytes <= shared.base + shared.bytes ? &shared : NULL;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    const bool puts = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool gets = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    area *const target = puts ? find(to, bytes) : NULL, *const origin = gets ? find(from, bytes) : NULL;
    if ((puts && target == NULL) || (gets && origin == NULL)) {
        fault("a copy of %zu bytes that does not stay in an array on the device", bytes);
        return say(cudaErrorInvalidValue);
    }
    memcpy(to, from, bytes);
    if (target != NULL)
        memset(target->stored + ((char *)to - target->base), 1, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemset(void *to, int byte, size_t bytes)
{
    area *const target = find(to, bytes);
    if (target == NULL) {
        fault("%zu bytes are set that do not stay in an array on the device", bytes);
        return say(cudaErrorInvalidValue);
    }
    memset(to, byte, bytes);
    memset(target->stored + ((char *)to - target->base), 1, bytes);
    return cudaSuccess;
}

/* ---- Launches. */

enum { MOST_KERNELS = 4096 };
static struct {
    const void *kernel;
    gn_entry *entry;
    int threads;
} kernels[MOST_KERNELS];
static int known;

void gn_emulation_kernel(const void *kernel, gn_entry *entry, int threads)
{
    if (known == MOST_KERNELS)
        abort();
    kernels[known].kernel = kernel;
    kernels[known].entry = entry;
    kernels[known++].threads = threads;
}

/* All threads that are left stand at one barrier: they go on. Else they never will. */
static void open_barrier(void)
{
    const fiber *first = NULL;
    int stuck = -1, gone = -1;
    for (int k = 0; k < block.threads; k++) {
        const fiber *const each = &fibers[k];
        if (each->standing == DONE)
            gone = k;
        else if (first == NULL)
            first = each;
        if (each->standing == IN_WARP || (each->standing == AT_BARRIER && first != NULL && each->line != first->line))
            stuck = k;
    }
    if (stuck >= 0)
        fault("thread %d waits in line %d of %s, and others elsewhere: they never meet", stuck, fibers[stuck].line,
              fibers[stuck].file);
    else if (gone >= 0)
        fault("thread %d has left, and others wait for it at the barrier in line %d of %s", gone, first->line, first->file);
    if (run.fault[0] != '\0')
        return;
    block.interval++;
    for (int k = 0; k < block.threads; k++)
        wake(k);
}

static void run_block(void)
{
    shared = (area){.base = gn_shared_begin, .bytes = (size_t)(gn_shared_end - gn_shared_begin), .grain = 1, .cells = shared.cells};
    if (shared.bytes != 0)
        rubbish(shared.base, shared.bytes);
    if (shared.cells != NULL)
        memset(shared.cells, 0, shared.bytes * sizeof(cell));
    block.interval++;
    block.first = block.interval;
    block.ready = block.left = block.threads;
    for (int k = 0; k < block.threads; k++)
        prepare(k);
    while (block.left > 0 && run.fault[0] == '\0') {
        if (block.ready == 0) {
            open_barrier();
            continue;
        }
        if (block.turns++ > MOST_TURNS)
            fault("a kernel that does not end");
        const int n = (int)draw((uint64_t)block.ready), thread = block.order[n];
        block.order[n] = block.order[--block.ready];
        resume(thread);
        if (fibers[thread].standing == READY)
            block.order[block.ready++] = thread;
        else if (fibers[thread].standing == DONE)
            block.left--;
    }
}

static cudaError_t launch(int kernel, dim3 grid, dim3 threads, void **arguments)
{
    static const uint64_t pauses[] = {0, 2, 16, 16};
    const uint64_t blocks = grid.x, begin = draw(blocks);
    const size_t room = (size_t)threads.x * STACK;
    void *const made = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED)
        return cudaErrorMemoryAllocation;
    stacks = made;
    uint64_t step = 1 + draw(blocks);
    for (uint64_t a = step, b = blocks; b != 0; a = step, b = blocks) {
        while (b != 0) {
            const uint64_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1)
            break;
        step++;
    }
    run.pause = pauses[draw(4)];
    block.entry = kernels[kernel].entry;
    block.arguments = arguments;
    block.threads = (int)threads.x;
    block.turns = 0;
    gn_emulation_turn.threads = threads;
    gn_emulation_turn.blocks = grid;
    for (uint64_t k = 0, n = begin; k < blocks && run.fault[0] == '\0'; k++, n = (n + step) % blocks) {
        gn_emulation_turn.block.x = (unsigned int)n;
        run_block();
    }
    check_guards();
    for (area *each = areas; each != NULL; each = each->next)
        if (each->cells != NULL) {
            for (size_t k = 0; k < each->bytes; k++)
                each->stored[k] |= each->cells[k / each->grain].stored;
            free(each->cells);
            each->cells = NULL;
        }
    munmap(stacks, room);
    stacks = NULL;
    return run.fault[0] == '\0' ? cudaSuccess : cudaErrorLaunchFailure;
}

cudaError_t cudaLaunchKernel(
    const void *kernel, dim3 grid, dim3 threads, void **arguments, size_t bytes, cudaStream_t stream)
{
    (void)bytes;
    (void)stream;
    if (run.devices == 0)
        return say(cudaErrorNoDevice);
    for (int k = 0; k < known; k++) {
        if (kernels[k].kernel != kernel)
            continue;
        if (grid.x == 0 || grid.x > INT32_MAX || threads.x == 0 || threads.x > (unsigned int)kernels[k].threads
            || threads.x > MOST_THREADS || grid.y * grid.z * threads.y * threads.z != 1)
            return say(cudaErrorInvalidConfiguration);
        return say(launch(k, grid, threads, arguments));
    }
    return say(cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t last = run.last;
    run.last = cudaSuccess;
    return last;
}

cudaError_t cudaPeekAtLastError(void)
{
    return run.last;
}

cudaError_t cudaDeviceSynchronize(void)
{
    return run.last;
}

/* An event is the time at which it was recorded, in milliseconds. */
cudaError_t cudaEventCreate(cudaEvent_t *made)
{
    *made = calloc(1, sizeof(double));
    return *made == NULL ? say(cudaErrorMemoryAllocation) : cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free(event);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    (void)stream;
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    *event = 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    (void)event;
    return run.last;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end)
{
    *milliseconds = (float)(*end - *begin);
    return cudaSuccess;
}

/* ---- Accesses. */

/* Whether nothing orders what was done before what is done now, and one of both may see the other half done. */
static bool races(const visit *before, bool atomic)
{
    const fiber *const own = &fibers[block.current];
    if (before->interval == 0 || (before->atomic && atomic))
        return false;
    if (before->interval < block.first)
        return true;
    if (before->interval < block.interval || before->thread == block.current)
        return false;
    return before->thread / LANES != block.current / LANES || own->synced[before->thread % LANES] <= before->sync;
}

/* What is known of a place. Words that are updated may be part of an element, or hold several. */
static cell *cell_of(area *of, const char *at, size_t size, bool atomic)
{
    if (of->cells == NULL) {
        of->grain = of == &shared || atomic ? 1 : size;
        of->cells = calloc(of->bytes / of->grain + 1, sizeof(cell));
        if (of->cells == NULL)
            abort();
        for (size_t k = 0; of->stored != NULL && k < of->bytes; k++)
            of->cells[k / of->grain].stored |= of->stored[k];
    }
    return &of->cells[(size_t)(at - of->base) / of->grain];
}

static void visit_cell(cell *here, bool writes, bool atomic)
{
    if (!here->stored && (!writes || atomic)) {
        fault("thread %d of block %u reads what nothing has been stored in", block.current, gn_emulation_turn.block.x);
        stop();
    }
    if (races(&here->writer, atomic) || (writes && (races(&here->reader, atomic) || races(&here->other, atomic)))) {
        fault("thread %d of block %u races with another", block.current, gn_emulation_turn.block.x);
        stop();
    }
    const visit now = {.interval = block.interval, .sync = block.syncs, .thread = block.current, .atomic = atomic};
    if (writes) {
        here->writer = now;
        here->stored = true;
    } else {
        if (here->reader.interval != now.interval || here->reader.thread != now.thread)
            here->other = here->reader;
        here->reader = now;
    }
}

/* Elements of several words are a cell for each, where parts of them are reached too. */
static void reach(const volatile void *p, size_t size, bool writes, bool atomic)
{
    const char *const at = (const char *)(uintptr_t)p;
    if (block.current < 0)
        return;
    const char *const stack = stacks + (size_t)block.current * STACK, *const own = (const char *)&gn_emulation_turn;
    if ((at >= stack && at < stack + STACK) || (at >= own && at < own + sizeof gn_emulation_turn))
        return;
    pause_turn();
    area *const of = find(p, size);
    if (of == NULL) {
        fault("thread %d of block %u reaches what is no memory of the device", block.current, gn_emulation_turn.block.x);
        stop();
    }
    for (size_t k = 0; k < size; k += of->grain > 4 ? of->grain : 4)
        visit_cell(cell_of(of, at + k, size, atomic), writes, atomic);
}

/* A struct read or written whole: its words. */
static void reach_range(const volatile void *p, size_t size, bool writes)
{
    for (size_t k = 0; k < size; k += 8)
        reach((const volatile char *)p + k, size - k < 8 ? size - k : 8, writes, false);
}

static bool watches;

void gn_emulation_atomic(const volatile void *p, size_t size)
{
    if (watches)
        reach(p, size, true, true);
    else
        pause_turn();
}

#if !defined(__SANITIZE_THREAD__)
#define HIDDEN __attribute__((visibility("hidden")))
#define WATCH(size)                                                                                                   \
    HIDDEN void __tsan_read##size(void *p);                                                                           \
    HIDDEN void __tsan_write##size(void *p);                                                                          \
    HIDDEN void __tsan_volatile_read##size(void *p);                                                                  \
    HIDDEN void __tsan_volatile_write##size(void *p);                                                                 \
    HIDDEN void __tsan_unaligned_read##size(void *p);                                                                 \
    HIDDEN void __tsan_unaligned_write##size(void *p);                                                                \
    void __tsan_read##size(void *p) { reach(p, size, false, false); }                                                 \
    void __tsan_write##size(void *p) { reach(p, size, true, false); }                                                 \
    void __tsan_volatile_read##size(void *p) { reach(p, size, false, true); }                                         \
    void __tsan_volatile_write##size(void *p) { reach(p, size, true, true); }                                         \
    void __tsan_unaligned_read##size(void *p) { __tsan_read##size(p); }                                               \
    void __tsan_unaligned_write##size(void *p) { __tsan_write##size(p); }
WATCH(1)
WATCH(2)
WATCH(4)
WATCH(8)
WATCH(16)
HIDDEN void __tsan_read_range(void *p, size_t size);
HIDDEN void __tsan_write_range(void *p, size_t size);
HIDDEN void __tsan_init(void);
HIDDEN void __tsan_func_entry(void *p);
HIDDEN void __tsan_func_exit(void);
void __tsan_read_range(void *p, size_t size) { reach_range(p, size, false); }
void __tsan_write_range(void *p, size_t size) { reach_range(p, size, true); }
void __tsan_init(void) { watches = true; }
void __tsan_func_entry(void *p) { (void)p; }
void __tsan_func_exit(void) {}
#endif
