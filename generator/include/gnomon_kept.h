/*
 * Arrays of the host on the device: a copy for one call, or one that is kept from call to call. Part of gnomon_cuda.h.
 */

#ifndef GNOMON_KEPT_H
#define GNOMON_KEPT_H

#include <stdatomic.h>

/* Copies that the device keeps of arrays which do not change, from one call to the next. */
typedef struct gn_kept {
    const void *host;
    void *device;
    struct gn_kept *next;
} gn_kept;

static gn_kept *gn_kept_arrays = NULL;
static atomic_flag gn_kept_busy = ATOMIC_FLAG_INIT;

static inline void gn_kept_begin(void)
{
    while (atomic_flag_test_and_set(&gn_kept_busy))
        ;
}

static inline void gn_kept_end(void)
{
    atomic_flag_clear(&gn_kept_busy);
}

/* What is kept of an array; NULL if nothing is. */
static inline gn_kept *gn_kept_find(const void *host)
{
    gn_kept *found = gn_kept_arrays;
    while (found != NULL && found->host != host)
        found = found->next;
    return found;
}

/* Keep a copy of an array from its first use on, or keep it no longer. */
int gn_keep(const void *host);
int gn_forget(const void *host);

int gn_keep(const void *host)
{
    gn_kept *made = malloc(sizeof(gn_kept));
    if (made == NULL)
        return GN_MEMORY;
    gn_kept_begin();
    *made = (gn_kept){host, NULL, gn_kept_arrays};
    gn_kept_arrays = made;
    gn_kept_end();
    return GN_OK;
}

int gn_forget(const void *host)
{
    gn_kept_begin();
    gn_kept **place = &gn_kept_arrays;
    while (*place != NULL && (*place)->host != host)
        place = &(*place)->next;
    gn_kept *found = *place;
    if (found != NULL)
        *place = found->next;
    gn_kept_end();
    if (found != NULL && found->device != NULL)
        gn_device_free(found->device);
    free(found);
    return GN_OK;
}

/* An array of the host on the device: the copy that is kept, or a new one. */
static inline void *gn_device_lend(const void *host, int64_t count, size_t size, int *status)
{
    gn_kept_begin();
    gn_kept *kept = gn_kept_find(host);
    void *device = kept == NULL ? NULL : kept->device;
    if (device == NULL) {
        device = gn_device_array(count, size, status);
        gn_device_put(device, host, count, size, status);
        if (kept != NULL && *status == GN_OK)
            kept->device = device;
    }
    gn_kept_end();
    return device;
}

/* Let the device forget an array, unless it is a copy that is kept. */
static inline void gn_device_return(void *device)
{
    gn_kept_begin();
    const gn_kept *found = gn_kept_arrays;
    while (found != NULL && found->device != device)
        found = found->next;
    gn_kept_end();
    if (device != NULL && found == NULL)
        gn_device_free(device);
}

#endif
