/*
 * x(i)<$e(i),merge> = e(i)
 *
 * x: bitmap, float64, fill 0.0
 * e: SparseVector, float64, fill 0.0
 * x: bitmap, float64, fill 0.0
 *
 * ∀i
 *   x(i)<$e(i)> = e(i)
 */
#include "gnomon.h"

static GN_APART int assemble_arrays(gn_tensor *x, const int32_t * restrict e1_pos, const int32_t * restrict e1_crd,
        int64_t e1_dimension, const int32_t * restrict x_old1_flag)
{
    int status = GN_OK;
    int32_t * restrict x1_flag = NULL;
    double * restrict x_vals = NULL;
    x1_flag = gn_room(e1_dimension, sizeof(int32_t), &status);
    x_vals = gn_zeros(e1_dimension, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    for (int64_t p = 0; p < e1_dimension; p++) {
        x1_flag[p] = x_old1_flag[p];
    }
    /* i: iterate e */
    for (int64_t pe1 = e1_pos[0], pe1_end = e1_pos[1]; pe1 < pe1_end; pe1++) {
        const int64_t i = e1_crd[pe1];
        int64_t px1 = i;
        if (x1_flag[px1] != 1) {
            x1_flag[px1] = 1;
        }
    }
    x->level[0].array[0] = x1_flag;
    x->level[0].length[0] = e1_dimension;
    x->vals = x_vals;
    x->size = e1_dimension;
    done:;
    if (status != GN_OK) {
        free(x1_flag);
        free(x_vals);
    }
    return status;
}

int assemble(gn_tensor *x, const gn_tensor *e, const gn_tensor *x_old)
{
    return assemble_arrays(x, e->level[0].array[0], e->level[0].array[1], e->level[0].extent, x_old->level[0].array[0]);
}

static GN_APART int compute_arrays(const int32_t * restrict e1_pos, const int32_t * restrict e1_crd,
        int64_t e1_dimension, const double * restrict e_vals, const double * restrict x_old_vals,
        double * restrict x_vals)
{
    for (int64_t p = 0; p < e1_dimension; p++) {
        x_vals[p] = x_old_vals[p];
    }
    /* i: iterate e */
    const int64_t pe1_end = e1_pos[1];
    for (int64_t pe1_next = e1_pos[0]; pe1_next < pe1_end; pe1_next += 8) {
        gn_prefetch(e1_crd, pe1_next + 256);
        gn_prefetch(e_vals, pe1_next + 256);
        const int64_t pe1_last = gn_min_int64(pe1_next + 8, pe1_end);
        for (int64_t pe1 = pe1_next; pe1 < pe1_last; pe1++) {
            const int64_t i = e1_crd[pe1];
            const double vx = e_vals[pe1];
            int64_t px1 = i;
            x_vals[px1] = vx;
        }
    }
    return GN_OK;
}

int compute(gn_tensor *x, const gn_tensor *e, const gn_tensor *x_old)
{
    return compute_arrays(e->level[0].array[0], e->level[0].array[1], e->level[0].extent, e->vals, x_old->vals,
            x->vals);
}

static GN_APART int evaluate_arrays(gn_tensor *x, const int32_t * restrict e1_pos, const int32_t * restrict e1_crd,
        int64_t e1_dimension, const double * restrict e_vals, const int32_t * restrict x_old1_flag,
        const double * restrict x_old_vals)
{
    int status = GN_OK;
    int32_t * restrict x1_flag = NULL;
    double * restrict x_vals = NULL;
    x1_flag = gn_room(e1_dimension, sizeof(int32_t), &status);
    x_vals = gn_room(e1_dimension, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    for (int64_t p = 0; p < e1_dimension; p++) {
        x1_flag[p] = x_old1_flag[p];
    }
    for (int64_t p = 0; p < e1_dimension; p++) {
        x_vals[p] = x_old_vals[p];
    }
    /* i: iterate e */
    for (int64_t pe1 = e1_pos[0], pe1_end = e1_pos[1]; pe1 < pe1_end; pe1++) {
        const int64_t i = e1_crd[pe1];
        const double vx = e_vals[pe1];
        int64_t px1 = i;
        if (x1_flag[px1] != 1) {
            x1_flag[px1] = 1;
            x_vals[px1] = vx;
        } else {
            x_vals[px1] = vx;
        }
    }
    x->level[0].array[0] = x1_flag;
    x->level[0].length[0] = e1_dimension;
    x->vals = x_vals;
    x->size = e1_dimension;
    done:;
    if (status != GN_OK) {
        free(x1_flag);
        free(x_vals);
    }
    return status;
}

int evaluate(gn_tensor *x, const gn_tensor *e, const gn_tensor *x_old)
{
    return evaluate_arrays(x, e->level[0].array[0], e->level[0].array[1], e->level[0].extent, e->vals,
            x_old->level[0].array[0], x_old->vals);
}

static GN_APART int update_arrays(const int32_t * restrict e1_pos, const int32_t * restrict e1_crd,
        const double * restrict e_vals, int32_t * restrict x1_flag, double * restrict x_vals)
{
    /* i: iterate e */
    for (int64_t pe1 = e1_pos[0], pe1_end = e1_pos[1]; pe1 < pe1_end; pe1++) {
        const int64_t i = e1_crd[pe1];
        const double vx = e_vals[pe1];
        int64_t px1 = i;
        if (x1_flag[px1] != 1) {
            x1_flag[px1] = 1;
            x_vals[px1] = vx;
        } else {
            x_vals[px1] = vx;
        }
    }
    return GN_OK;
}

int update(gn_tensor *x, const gn_tensor *e, const gn_tensor *x_old)
{
    (void) x_old;
    return update_arrays(e->level[0].array[0], e->level[0].array[1], e->vals, x->level[0].array[0], x->vals);
}
