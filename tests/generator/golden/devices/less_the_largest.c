/*
 * y(i) = x(i) - max(k, z(k))    by split({1},i,block,thread,256),parallelize({1},block,GPUBlock,NoRaces),parallelize({1},thread,GPUThread,NoRaces)
 *
 * y: dense, float64, fill 0.0
 * x: dense, float64, fill 0.0
 * z: SparseVector, float64, fill 0.0
 *
 * ∀block  [GPUBlock NoRaces]
 *   ∀thread  [GPUThread NoRaces]
 *     y(i) = x(i) - w
 * where w:
 *   ∀k
 *     w max= z(k)
 */
#include "gnomon_cuda.h"

void compute_fill_y_vals(int64_t x1_dimension, double * restrict y_vals);
void compute_w(const int32_t * restrict z1_pos, int64_t z1_dimension, const int32_t * restrict z1_crd,
        double * restrict tw, const double * restrict z_vals, bool * restrict tw_present);
void compute_block(int64_t block_end, int64_t x1_dimension, double * restrict y_vals, const double * restrict x_vals,
        double tw);
void compute_block_2(int64_t block_end, int64_t x1_dimension, double * restrict y_vals, const double * restrict x_vals);

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
    const int32_t * restrict z1_crd = z->level[0].array[1];
    const int64_t z1_dimension = z->level[0].extent;
    const double * restrict z_vals = z->vals;
    double * restrict y_vals = y->vals;
    double *y_vals_device = NULL;
    int32_t *z1_pos_device = NULL;
    int32_t *z1_crd_device = NULL;
    double *tw_device = NULL;
    double *z_vals_device = NULL;
    bool *tw_present_device = NULL;
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
    z1_crd_device = gn_device_lend(z1_crd, z->level[0].length[1], sizeof(int32_t), &status);
    tw_device = gn_device_lend(&tw, 1, sizeof(double), &status);
    z_vals_device = gn_device_lend(z_vals, z->size, sizeof(double), &status);
    tw_present_device = gn_device_lend(&tw_present, 1, sizeof(bool), &status);
    {
        void *arguments[6] = {(void *) (&z1_pos_device), (void *) (&z1_dimension), (void *) (&z1_crd_device),
                (void *) (&tw_device), (void *) (&z_vals_device), (void *) (&tw_present_device)};
        gn_launch((const void *) compute_w, 1, 32, arguments, &status);
    }
    gn_device_get(&tw, tw_device, 1, sizeof(double), &status);
    gn_device_get(&tw_present, tw_present_device, 1, sizeof(bool), &status);
    if (status != GN_OK) {
        goto done;
    }
    x_vals_device = gn_device_lend(x_vals, x->size, sizeof(double), &status);
    if (tw_present) {
        /* block: iterate every block */
        int64_t block_end = (x1_dimension + 255) / 256;
        {
            void *arguments[5] = {(void *) (&block_end), (void *) (&x1_dimension), (void *) (&y_vals_device),
                    (void *) (&x_vals_device), (void *) (&tw)};
            gn_launch((const void *) compute_block, block_end, 256, arguments, &status);
        }
        if (status != GN_OK) {
            goto done;
        }
    } else {
        /* block: iterate every block */
        int64_t block_end = (x1_dimension + 255) / 256;
        {
            void *arguments[4] = {(void *) (&block_end), (void *) (&x1_dimension), (void *) (&y_vals_device),
                    (void *) (&x_vals_device)};
            gn_launch((const void *) compute_block_2, block_end, 256, arguments, &status);
        }
        if (status != GN_OK) {
            goto done;
        }
    }
    gn_device_get(y_vals, y_vals_device, y->size, sizeof(double), &status);
    done:;
    gn_device_return(y_vals_device);
    gn_device_return(z1_pos_device);
    gn_device_return(z1_crd_device);
    gn_device_return(tw_device);
    gn_device_return(z_vals_device);
    gn_device_return(tw_present_device);
    gn_device_return(x_vals_device);
    return status;
}

int evaluate(gn_tensor *y, const gn_tensor *x, const gn_tensor *z)
{
    int status = GN_OK;
    const int64_t x1_dimension = x->level[0].extent;
    const double * restrict x_vals = x->vals;
    const int32_t * restrict z1_pos = z->level[0].array[0];
    const int32_t * restrict z1_crd = z->level[0].array[1];
    const int64_t z1_dimension = z->level[0].extent;
    const double * restrict z_vals = z->vals;
    double * restrict y_vals = y->vals;
    double *y_vals_device = NULL;
    int32_t *z1_pos_device = NULL;
    int32_t *z1_crd_device = NULL;
    double *tw_device = NULL;
    double *z_vals_device = NULL;
    bool *tw_present_device = NULL;
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
    z1_crd_device = gn_device_lend(z1_crd, z->level[0].length[1], sizeof(int32_t), &status);
    tw_device = gn_device_lend(&tw, 1, sizeof(double), &status);
    z_vals_device = gn_device_lend(z_vals, z->size, sizeof(double), &status);
    tw_present_device = gn_device_lend(&tw_present, 1, sizeof(bool), &status);
    {
        void *arguments[6] = {(void *) (&z1_pos_device), (void *) (&z1_dimension), (void *) (&z1_crd_device),
                (void *) (&tw_device), (void *) (&z_vals_device), (void *) (&tw_present_device)};
        gn_launch((const void *) compute_w, 1, 32, arguments, &status);
    }
    gn_device_get(&tw, tw_device, 1, sizeof(double), &status);
    gn_device_get(&tw_present, tw_present_device, 1, sizeof(bool), &status);
    if (status != GN_OK) {
        goto done;
    }
    x_vals_device = gn_device_lend(x_vals, x->size, sizeof(double), &status);
    if (tw_present) {
        /* block: iterate every block */
        int64_t block_end = (x1_dimension + 255) / 256;
        {
            void *arguments[5] = {(void *) (&block_end), (void *) (&x1_dimension), (void *) (&y_vals_device),
                    (void *) (&x_vals_device), (void *) (&tw)};
            gn_launch((const void *) compute_block, block_end, 256, arguments, &status);
        }
        if (status != GN_OK) {
            goto done;
        }
    } else {
        /* block: iterate every block */
        int64_t block_end = (x1_dimension + 255) / 256;
        {
            void *arguments[4] = {(void *) (&block_end), (void *) (&x1_dimension), (void *) (&y_vals_device),
                    (void *) (&x_vals_device)};
            gn_launch((const void *) compute_block_2, block_end, 256, arguments, &status);
        }
        if (status != GN_OK) {
            goto done;
        }
    }
    gn_device_get(y_vals, y_vals_device, y->size, sizeof(double), &status);
    done:;
    gn_device_return(y_vals_device);
    gn_device_return(z1_pos_device);
    gn_device_return(z1_crd_device);
    gn_device_return(tw_device);
    gn_device_return(z_vals_device);
    gn_device_return(tw_present_device);
    gn_device_return(x_vals_device);
    return status;
}
