/*
 * y(i) = x(i) - max(k, z(k))    by split({1,1},i,block,thread,256),parallelize({1,1},block,GPUBlock,NoRaces),parallelize({1,1},thread,GPUThread,NoRaces)
 *
 * y: dense, float64, fill 0.0
 * x: dense, float64, fill 0.0
 * z: SparseVector, float64, fill 0.0
 *
 * ∀block  [GPUBlock NoRaces]
 *   ∀thread  [GPUThread NoRaces]
 *     y(i) = x(i) - max(w, copies_max(0.0, float64(lt(w1, 4))))
 * where w1:
 *   ∀k
 *     w1<$z(k)> += 1
 * where w:
 *   ∀k
 *     w<$z(k)> max= z(k)
 */
#include "gnomon_cuda.h"

void compute_fill_y_vals(int64_t x1_dimension, double * restrict y_vals);
void compute_w(const int32_t * restrict z1_pos, double * restrict tw, const double * restrict z_vals,
        bool * restrict tw_present);
void compute_w1(const int32_t * restrict z1_pos, int64_t * restrict tw1, bool * restrict tw1_present,
        int * restrict failed);
void compute_block(int64_t block_end, int64_t x1_dimension, double * restrict y_vals, const double * restrict x_vals,
        double tw, int64_t tw1);
void compute_block_2(int64_t block_end, int64_t x1_dimension, double * restrict y_vals, const double * restrict x_vals,
        double tw);
void compute_block_3(int64_t block_end, int64_t x1_dimension, double * restrict y_vals, const double * restrict x_vals,
        int64_t tw1);
void compute_block_4(int64_t block_end, int64_t x1_dimension, double * restrict y_vals, const double * restrict x_vals);

int assemble(gn_tensor *y, const gn_tensor *x, const gn_tensor *z)
{
    (void) y;
    (void) x;
    (void) z;
    return GN_OK;
}

int compute(gn_tensor *y, const gn_tensor *x, const gn_tensor *z)
{
    int status = GN_OK;
    const int64_t x1_dimension = x->level[0].extent;
    const double * restrict x_vals = x->vals;
    const int32_t * restrict z1_pos = z->level[0].array[0];
    const double * restrict z_vals = z->vals;
    double * restrict y_vals = y->vals;
    double *y_vals_device = NULL;
    int32_t *z1_pos_device = NULL;
    double *tw_device = NULL;
    double *z_vals_device = NULL;
    bool *tw_present_device = NULL;
    int64_t *tw1_device = NULL;
    bool *tw1_present_device = NULL;
    int *status_device = NULL;
    double *x_vals_device = NULL;
    gn_device_find(&status);
    y_vals_device = gn_device_array(y->size, sizeof(double), &status);
    {
        void *arguments[2] = {(void *) (&x1_dimension), (void *) (&y_vals_device)};
        gn_launch((const void *) compute_fill_y_vals, (x1_dimension + 255) / 256, 256, arguments, &status);
    }
    double tw = -INFINITY;
    bool tw_present = false;
    /* w: one thread computes what no loop on GPUBlock does */
    z1_pos_device = gn_device_lend(z1_pos, z->level[0].length[0], sizeof(int32_t), &status);
    tw_device = gn_device_lend(&tw, 1, sizeof(double), &status);
    z_vals_device = gn_device_lend(z_vals, z->size, sizeof(double), &status);
    tw_present_device = gn_device_lend(&tw_present, 1, sizeof(bool), &status);
    {
        void *arguments[4] = {(void *) (&z1_pos_device), (void *) (&tw_device), (void *) (&z_vals_device),
                (void *) (&tw_present_device)};
        gn_launch((const void *) compute_w, 1, 32, arguments, &status);
    }
    gn_device_get(&tw, tw_device, 1, sizeof(double), &status);
    gn_device_get(&tw_present, tw_present_device, 1, sizeof(bool), &status);
    if (status != GN_OK) {
        goto done;
    }
    tw1_device = gn_device_array(1, sizeof(int64_t), &status);
    tw1_present_device = gn_device_array(1, sizeof(bool), &status);
    status_device = gn_device_lend(&status, 1, sizeof(int), &status);
    x_vals_device = gn_device_lend(x_vals, x->size, sizeof(double), &status);
    if (tw_present) {
        int64_t tw1 = INT64_C(0);
        bool tw1_present = false;
        /* w1: one thread computes what no loop on GPUBlock does */
        gn_device_put(tw1_device, &tw1, 1, sizeof(int64_t), &status);
        gn_device_put(tw1_present_device, &tw1_present, 1, sizeof(bool), &status);
        {
            void *arguments[4] = {(void *) (&z1_pos_device), (void *) (&tw1_device), (void *) (&tw1_present_device),
                    (void *) (&status_device)};
            gn_launch((const void *) compute_w1, 1, 32, arguments, &status);
        }
        gn_device_get(&tw1, tw1_device, 1, sizeof(int64_t), &status);
        gn_device_get(&tw1_present, tw1_present_device, 1, sizeof(bool), &status);
        if (status != GN_OK) {
            goto done;
        }
        if (tw1_present) {
            /* block: iterate every block */
            int64_t block_end = (x1_dimension + 255) / 256;
            gn_device_put(tw1_device, &tw1, 1, sizeof(int64_t), &status);
            {
                void *arguments[6] = {(void *) (&block_end), (void *) (&x1_dimension), (void *) (&y_vals_device),
                        (void *) (&x_vals_device), (void *) (&tw), (void *) (&tw1)};
                gn_launch((const void *) compute_block, block_end, 256, arguments, &status);
            }
            gn_device_get(&tw1, tw1_device, 1, sizeof(int64_t), &status);
            if (status != GN_OK) {
                goto done;
            }
        } else {
            /* block: iterate every block */
            int64_t block_end = (x1_dimension + 255) / 256;
            {
                void *arguments[5] = {(void *) (&block_end), (void *) (&x1_dimension), (void *) (&y_vals_device),
                        (void *) (&x_vals_device), (void *) (&tw)};
                gn_launch((const void *) compute_block_2, block_end, 256, arguments, &status);
            }
            if (status != GN_OK) {
                goto done;
            }
        }
    } else {
        int64_t tw1 = INT64_C(0);
        bool tw1_present = false;
        /* w1: one thread computes what no loop on GPUBlock does */
        gn_device_put(tw1_device, &tw1, 1, sizeof(int64_t), &status);
        gn_device_put(tw1_present_device, &tw1_present, 1, sizeof(bool), &status);
        {
            void *arguments[4] = {(void *) (&z1_pos_device), (void *) (&tw1_device), (void *) (&tw1_present_device),
                    (void *) (&status_device)};
            gn_launch((const void *) compute_w1, 1, 32, arguments, &status);
        }
        gn_device_get(&tw1, tw1_device, 1, sizeof(int64_t), &status);
        gn_device_get(&tw1_present, tw1_present_device, 1, sizeof(bool), &status);
        if (status != GN_OK) {
            goto done;
        }
        if (tw1_present) {
            /* block: iterate every block */
            int64_t block_end = (x1_dimension + 255) / 256;
            gn_device_put(tw1_device, &tw1, 1, sizeof(int64_t), &status);
            {
                void *arguments[5] = {(void *) (&block_end), (void *) (&x1_dimension), (void *) (&y_vals_device),
                        (void *) (&x_vals_device), (void *) (&tw1)};
                gn_launch((const void *) compute_block_3, block_end, 256, arguments, &status);
            }
            gn_device_get(&tw1, tw1_device, 1, sizeof(int64_t), &status);
            if (status != GN_OK) {
                goto done;
            }
        } else {
            /* block: iterate every block */
            int64_t block_end = (x1_dimension + 255) / 256;
            {
                void *arguments[4] = {(void *) (&block_end), (void *) (&x1_dimension), (void *) (&y_vals_device),
                        (void *) (&x_vals_device)};
                gn_launch((const void *) compute_block_4, block_end, 256, arguments, &status);
            }
            if (status != GN_OK) {
                goto done;
            }
        }
    }
    gn_device_get(y_vals, y_vals_device, y->size, sizeof(double), &status);
    gn_device_get(&status, status_device, 1, sizeof(int), &status);
    done:;
    gn_device_return(y_vals_device);
    gn_device_return(z1_pos_device);
    gn_device_return(tw_device);
    gn_device_return(z_vals_device);
    gn_device_return(tw_present_device);
    gn_device_return(tw1_device);
    gn_device_return(tw1_present_device);
    gn_device_return(status_device);
    gn_device_return(x_vals_device);
    return status;
}

int evaluate(gn_tensor *y, const gn_tensor *x, const gn_tensor *z)
{
    int status = GN_OK;
    const int64_t x1_dimension = x->level[0].extent;
    const double * restrict x_vals = x->vals;
    const int32_t * restrict z1_pos = z->level[0].array[0];
    const double * restrict z_vals = z->vals;
    double * restrict y_vals = y->vals;
    double *y_vals_device = NULL;
    int32_t *z1_pos_device = NULL;
    double *tw_device = NULL;
    double *z_vals_device = NULL;
    bool *tw_present_device = NULL;
    int64_t *tw1_device = NULL;
    bool *tw1_present_device = NULL;
    int *status_device = NULL;
    double *x_vals_device = NULL;
    gn_device_find(&status);
    y_vals_device = gn_device_array(y->size, sizeof(double), &status);
    {
        void *arguments[2] = {(void *) (&x1_dimension), (void *) (&y_vals_device)};
        gn_launch((const void *) compute_fill_y_vals, (x1_dimension + 255) / 256, 256, arguments, &status);
    }
    double tw = -INFINITY;
    bool tw_present = false;
    /* w: one thread computes what no loop on GPUBlock does */
    z1_pos_device = gn_device_lend(z1_pos, z->level[0].length[0], sizeof(int32_t), &status);
    tw_device = gn_device_lend(&tw, 1, sizeof(double), &status);
    z_vals_device = gn_device_lend(z_vals, z->size, sizeof(double), &status);
    tw_present_device = gn_device_lend(&tw_present, 1, sizeof(bool), &status);
    {
        void *arguments[4] = {(void *) (&z1_pos_device), (void *) (&tw_device), (void *) (&z_vals_device),
                (void *) (&tw_present_device)};
        gn_launch((const void *) compute_w, 1, 32, arguments, &status);
    }
    gn_device_get(&tw, tw_device, 1, sizeof(double), &status);
    gn_device_get(&tw_present, tw_present_device, 1, sizeof(bool), &status);
    if (status != GN_OK) {
        goto done;
    }
    tw1_device = gn_device_array(1, sizeof(int64_t), &status);
    tw1_present_device = gn_device_array(1, sizeof(bool), &status);
    status_device = gn_device_lend(&status, 1, sizeof(int), &status);
    x_vals_device = gn_device_lend(x_vals, x->size, sizeof(double), &status);
    if (tw_present) {
        int64_t tw1 = INT64_C(0);
        bool tw1_present = false;
        /* w1: one thread computes what no loop on GPUBlock does */
        gn_device_put(tw1_device, &tw1, 1, sizeof(int64_t), &status);
        gn_device_put(tw1_present_device, &tw1_present, 1, sizeof(bool), &status);
        {
            void *arguments[4] = {(void *) (&z1_pos_device), (void *) (&tw1_device), (void *) (&tw1_present_device),
                    (void *) (&status_device)};
            gn_launch((const void *) compute_w1, 1, 32, arguments, &status);
        }
        gn_device_get(&tw1, tw1_device, 1, sizeof(int64_t), &status);
        gn_device_get(&tw1_present, tw1_present_device, 1, sizeof(bool), &status);
        if (status != GN_OK) {
            goto done;
        }
        if (tw1_present) {
            /* block: iterate every block */
            int64_t block_end = (x1_dimension + 255) / 256;
            gn_device_put(tw1_device, &tw1, 1, sizeof(int64_t), &status);
            {
                void *arguments[6] = {(void *) (&block_end), (void *) (&x1_dimension), (void *) (&y_vals_device),
                        (void *) (&x_vals_device), (void *) (&tw), (void *) (&tw1)};
                gn_launch((const void *) compute_block, block_end, 256, arguments, &status);
            }
            gn_device_get(&tw1, tw1_device, 1, sizeof(int64_t), &status);
            if (status != GN_OK) {
                goto done;
            }
        } else {
            /* block: iterate every block */
            int64_t block_end = (x1_dimension + 255) / 256;
            {
                void *arguments[5] = {(void *) (&block_end), (void *) (&x1_dimension), (void *) (&y_vals_device),
                        (void *) (&x_vals_device), (void *) (&tw)};
                gn_launch((const void *) compute_block_2, block_end, 256, arguments, &status);
            }
            if (status != GN_OK) {
                goto done;
            }
        }
    } else {
        int64_t tw1 = INT64_C(0);
        bool tw1_present = false;
        /* w1: one thread computes what no loop on GPUBlock does */
        gn_device_put(tw1_device, &tw1, 1, sizeof(int64_t), &status);
        gn_device_put(tw1_present_device, &tw1_present, 1, sizeof(bool), &status);
        {
            void *arguments[4] = {(void *) (&z1_pos_device), (void *) (&tw1_device), (void *) (&tw1_present_device),
                    (void *) (&status_device)};
            gn_launch((const void *) compute_w1, 1, 32, arguments, &status);
        }
        gn_device_get(&tw1, tw1_device, 1, sizeof(int64_t), &status);
        gn_device_get(&tw1_present, tw1_present_device, 1, sizeof(bool), &status);
        if (status != GN_OK) {
            goto done;
        }
        if (tw1_present) {
            /* block: iterate every block */
            int64_t block_end = (x1_dimension + 255) / 256;
            gn_device_put(tw1_device, &tw1, 1, sizeof(int64_t), &status);
            {
                void *arguments[5] = {(void *) (&block_end), (void *) (&x1_dimension), (void *) (&y_vals_device),
                        (void *) (&x_vals_device), (void *) (&tw1)};
                gn_launch((const void *) compute_block_3, block_end, 256, arguments, &status);
            }
            gn_device_get(&tw1, tw1_device, 1, sizeof(int64_t), &status);
            if (status != GN_OK) {
                goto done;
            }
        } else {
            /* block: iterate every block */
            int64_t block_end = (x1_dimension + 255) / 256;
            {
                void *arguments[4] = {(void *) (&block_end), (void *) (&x1_dimension), (void *) (&y_vals_device),
                        (void *) (&x_vals_device)};
                gn_launch((const void *) compute_block_4, block_end, 256, arguments, &status);
            }
            if (status != GN_OK) {
                goto done;
            }
        }
    }
    gn_device_get(y_vals, y_vals_device, y->size, sizeof(double), &status);
    gn_device_get(&status, status_device, 1, sizeof(int), &status);
    done:;
    gn_device_return(y_vals_device);
    gn_device_return(z1_pos_device);
    gn_device_return(tw_device);
    gn_device_return(z_vals_device);
    gn_device_return(tw_present_device);
    gn_device_return(tw1_device);
    gn_device_return(tw1_present_device);
    gn_device_return(status_device);
    gn_device_return(x_vals_device);
    return status;
}
