/*
 * y(i) = A(i,j) * x(j)
 *
 * y: dense, float64, fill 0.0
 * A: BCSR(3,3), float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀io
 *   ∀jo
 *     ∀ii
 *       ∀ji
 *         y(i) += A(i,j) * x(j)
 */
#include "gnomon.h"

int assemble(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    (void) y;
    (void) A;
    (void) x;
    return GN_OK;
}

static GN_APART int compute_arrays(const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        const double * restrict A_vals, int64_t x1_dimension, const double * restrict x_vals, double * restrict y_vals,
        int64_t i_dimension)
{
    if (i_dimension % 3 == 0 && x1_dimension % 3 == 0) {
        /* io: iterate every io; locate A */
        for (int64_t io = 0; io < (i_dimension + 2) / 3; io++) {
            double ty[3];
            for (int64_t ii = 0; ii < 3; ii++) {
                ty[ii] = 0.0;
            }
            /* jo: iterate A */
            for (int64_t pA2 = A2_pos[io], pA2_end = A2_pos[io + 1]; pA2 < pA2_end; pA2++) {
                const int64_t jo = A2_crd[pA2];
                /* ii: iterate every ii; locate A */
                for (int64_t ii = 0; ii < 3; ii++) {
                    int64_t pA3 = pA2 * 3 + ii;
                    /* ji: iterate every ji; locate A, x */
                    for (int64_t ji = 0; ji < 3; ji++) {
                        int64_t pA4 = pA3 * 3 + ji;
                        int64_t px1 = ji + jo * 3;
                        ty[ii] += A_vals[pA4] * x_vals[px1];
                    }
                }
            }
            for (int64_t ii = 0; ii < 3; ii++) {
                int64_t py1 = io * 3 + ii;
                y_vals[py1] = ty[ii];
            }
        }
    } else {
        for (int64_t p = 0; p < i_dimension; p++) {
            y_vals[p] = 0.0;
        }
        /* io: iterate every io; locate A */
        for (int64_t io = 0; io < (i_dimension + 2) / 3; io++) {
            /* jo: iterate A */
            for (int64_t pA2 = A2_pos[io], pA2_end = A2_pos[io + 1]; pA2 < pA2_end; pA2++) {
                const int64_t jo = A2_crd[pA2];
                /* ii: iterate every ii; locate A */
                for (int64_t ii = 0, ii_end = gn_min_int64(3, i_dimension - io * 3); ii < ii_end; ii++) {
                    const int64_t i = io * 3 + ii;
                    int64_t pA3 = pA2 * 3 + ii;
                    double ty = y_vals[i];
                    /* ji: iterate every ji; locate A, x */
                    for (int64_t ji = 0, ji_end = gn_min_int64(3, x1_dimension - jo * 3); ji < ji_end; ji++) {
                        int64_t pA4 = pA3 * 3 + ji;
                        int64_t px1 = ji + jo * 3;
                        ty += A_vals[pA4] * x_vals[px1];
                    }
                    y_vals[i] = ty;
                }
            }
        }
    }
    return GN_OK;
}

int compute(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    return compute_arrays(A->level[1].array[0], A->level[1].array[1], A->vals, x->level[0].extent, x->vals, y->vals,
            A->shape[0]);
}

int evaluate(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    return compute_arrays(A->level[1].array[0], A->level[1].array[1], A->vals, x->level[0].extent, x->vals, y->vals,
            A->shape[0]);
}
