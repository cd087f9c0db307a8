/* The parts of OpenMP's runtime that kernels call, on plain threads: ThreadSanitizer does not see what libgomp does.

   Every region starts its own threads and joins them. Iterations are handed out one by one, whatever was asked for, so
   that neighbours run on different threads. */

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum { THREADS = 4 };

typedef struct {
    void (*run)(void *);
    void *data;
    pthread_mutex_t lock;
    pthread_barrier_t barrier;
    long next, end, step;
    int started, arrived;
} team;

typedef struct {
    team *of;
    int number;
} member;

static __thread member self = {NULL, 0};
static pthread_mutex_t critical = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument)
{
    self = *(member *)argument;
    self.of->run(self.of->data);
    return NULL;
}

static void together(team own)
{
    pthread_t thread[THREADS];
    member each[THREADS];
    pthread_mutex_init(&own.lock, NULL);
    pthread_barrier_init(&own.barrier, NULL, THREADS);
    for (int n = 0; n < THREADS; n++) {
        each[n] = (member){&own, n};
        if (pthread_create(&thread[n], NULL, work, &each[n])) {
            abort();
        }
    }
    for (int n = 0; n < THREADS; n++) {
        pthread_join(thread[n], NULL);
    }
    pthread_barrier_destroy(&own.barrier);
    pthread_mutex_destroy(&own.lock);
}

void GOMP_parallel(void (*run)(void *), void *data, unsigned threads, unsigned flags)
{
    (void)threads;
    (void)flags;
    together((team){.run = run, .data = data});
}

#define PARALLEL_LOOP(kind) \
    void GOMP_parallel_loop_##kind(void (*run)(void *), void *data, unsigned threads, long start, long end, long step, \
                                   long chunk, unsigned flags) \
    { \
        (void)threads; \
        (void)chunk; \
        (void)flags; \
        together((team){.run = run, .data = data, .next = start, .end = end, .step = step}); \
    }

PARALLEL_LOOP(guided)
PARALLEL_LOOP(nonmonotonic_guided)
PARALLEL_LOOP(dynamic)
PARALLEL_LOOP(nonmonotonic_dynamic)

void GOMP_barrier(void)
{
    if (self.of) {
        pthread_barrier_wait(&self.of->barrier);
    }
}

static bool next_of(team *t, long *begin, long *end)
{
    pthread_mutex_lock(&t->lock);
    const bool found = t->step > 0 ? t->next < t->end : t->next > t->end;
    *begin = t->next;
    *end = t->next + t->step;
    if (found) {
        t->next += t->step;
    }
    pthread_mutex_unlock(&t->lock);
    return found;
}

static bool start_of(long start, long end, long step, long *first, long *last)
{
    team *t = self.of;
    pthread_mutex_lock(&t->lock);
    if (t->started == 0) {
        t->next = start;
        t->end = end;
        t->step = step;
    }
    t->started = (t->started + 1) % THREADS;
    pthread_mutex_unlock(&t->lock);
    pthread_barrier_wait(&t->barrier);
    return next_of(t, first, last);
}

#define LOOP(kind) \
    bool GOMP_loop_##kind##_start(long a, long b, long step, long chunk, long *first, long *last) \
    { \
        (void)chunk; \
        return start_of(a, b, step, first, last); \
    } \
    bool GOMP_loop_##kind##_next(long *first, long *last) { return next_of(self.of, first, last); }

LOOP(guided)
LOOP(nonmonotonic_guided)
LOOP(dynamic)
LOOP(nonmonotonic_dynamic)

void GOMP_loop_end(void) { GOMP_barrier(); }
void GOMP_loop_end_nowait(void) {}

/* Whether a thread is the first of its team to come to a block for one; the barrier behind it keeps blocks apart. */
bool GOMP_single_start(void)
{
    team *t = self.of;
    if (!t) {
        return true;
    }
    pthread_mutex_lock(&t->lock);
    const bool first = t->arrived == 0;
    t->arrived = (t->arrived + 1) % THREADS;
    pthread_mutex_unlock(&t->lock);
    return first;
}

void GOMP_critical_start(void) { pthread_mutex_lock(&critical); }
void GOMP_critical_end(void) { pthread_mutex_unlock(&critical); }
void GOMP_atomic_start(void) { pthread_mutex_lock(&critical); }
void GOMP_atomic_end(void) { pthread_mutex_unlock(&critical); }
int omp_get_num_threads(void) { return self.of ? THREADS : 1; }
int omp_get_thread_num(void) { return self.of ? self.number : 0; }
int omp_get_max_threads(void) { return THREADS; }
