/*
 * C(i,j) = A(i,j) * x(j)    by parallelize(i,GPUBlock,NoRaces)
 *
 * C: CSR, float64, fill 0.0
 * A: dense,compressed(unordered), float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀i  [GPUBlock NoRaces]
 *   ∀j
 *     C(i,j) = A_ordered(i,j) * x(j)
 * where A_ordered:
 *   ∀i1
 *     ∀j1
 *       A_ordered(i1,j1) = A(i1,j1)
 */
#include "gnomon_cuda.h"

void assemble_count_i(int64_t A1_dimension, const int32_t * restrict A_ordered2_pos, int64_t * restrict C2_first);
void assemble_parts_of_C2_first(int64_t A1_dimension, int64_t * restrict C2_first, int64_t * restrict C_reached);
void assemble_reached_of_C2_first(int64_t A1_dimension, int64_t * restrict C_reached);
void assemble_scan_C2_first(int64_t A1_dimension, int64_t * restrict C2_first, const int64_t * restrict C_reached,
        int64_t * restrict C2_total);
void assemble_i(int64_t A1_dimension, int64_t pC2, const int64_t * restrict C2_first,
        const int32_t * restrict A_ordered2_pos, const int32_t * restrict A_ordered2_crd, int32_t * restrict C2_crd,
        int32_t * restrict C2_pos);
void compute_i(int64_t A1_dimension, int64_t pC2, const int64_t * restrict C2_first,
        const int32_t * restrict A_ordered2_pos, const int32_t * restrict A_ordered2_crd, double * restrict C_vals,
        const double * restrict A_ordered_vals, const double * restrict x_vals);
void evaluate_i(int64_t A1_dimension, int64_t pC2, const int64_t * restrict C2_first,
        const int32_t * restrict A_ordered2_pos, const int32_t * restrict A_ordered2_crd, int32_t * restrict C2_crd,
        double * restrict C_vals, const double * restrict A_ordered_vals, const double * restrict x_vals,
        int32_t * restrict C2_pos);

int assemble(gn_tensor *C, const gn_tensor *A, const gn_tensor *x)
{
    (void) x;
    int status = GN_OK;
    const int32_t * restrict A2_pos = A->level[1].array[0];
    const int32_t * restrict A2_crd = A->level[1].array[1];
    const int64_t A1_dimension = A->level[0].extent;
    int32_t * restrict A_ordered2_pos = NULL;
    int32_t * restrict A_ordered2_crd = NULL;
    int64_t pA_ordered2 = 0;
    int64_t A_ordered2_capacity = 0;
    int32_t * restrict C2_pos = NULL;
    int32_t * restrict C2_crd = NULL;
    double * restrict C_vals = NULL;
    int64_t pC2 = 0;
    int64_t C2_capacity = 0;
    gn_list A2_list = GN_NO_LIST;
    int64_t *C_reached = NULL;
    int64_t *C2_first = NULL;
    int64_t C2_total = 0;
    const int64_t A_size = A->size;
    int32_t *A_ordered2_pos_device = NULL;
    int64_t *C2_first_device = NULL;
    int64_t *C_reached_device = NULL;
    int64_t *C2_total_device = NULL;
    int32_t *A_ordered2_crd_device = NULL;
    int32_t *C2_crd_device = NULL;
    int32_t *C2_pos_device = NULL;
    gn_device_find(&status);
    A_ordered2_pos = gn_zeros(A1_dimension + 1, sizeof(int32_t), &status);
    A_ordered2_capacity = gn_estimate(A_size, GN_INDEX_MAX, 1);
    A_ordered2_crd = gn_resize(A_ordered2_crd, A_ordered2_capacity, sizeof(int32_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    C2_pos = gn_zeros(A1_dimension + 1, sizeof(int32_t), &status);
    C2_capacity = gn_estimate(A_size, GN_INDEX_MAX, 1);
    C2_crd = gn_resize(C2_crd, C2_capacity, sizeof(int32_t), &status);
    C_vals = gn_resize(C_vals, C2_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* A_ordered: what kernels read is put in order here, since none of them sorts */
    /* i1: iterate every i1; locate A */
    for (int64_t i1 = 0; i1 < A1_dimension; i1++) {
        const int64_t pA_ordered2_begin = pA_ordered2;
        /* j1: iterate A; reorder A */
        gn_order_int32(&A2_list, A2_crd, A2_pos[i1], A2_pos[i1 + 1], &status);
        if (status != GN_OK) {
            goto done;
        }
        int64_t sA2 = 0;
        if (A_ordered2_capacity - pA_ordered2 < A2_list.size - sA2) {
            const int64_t capacity = gn_foresee(A_ordered2_capacity, pA_ordered2, A2_list.size - sA2, i1, A1_dimension,
                    1, GN_INDEX_MAX, &status);
            A_ordered2_crd = gn_resize(A_ordered2_crd, capacity, sizeof(int32_t), &status);
            if (status != GN_OK) {
                goto done;
            }
            A_ordered2_capacity = capacity;
        }
        while (sA2 < A2_list.size) {
            const int64_t j1 = A2_list.item[sA2].coordinate;
            A_ordered2_crd[pA_ordered2] = (int32_t) j1;
            pA_ordered2++;
            sA2++;
        }
        A_ordered2_pos[i1 + 1] = (int32_t) (A_ordered2_pos[i1 + 1] + pA_ordered2 - pA_ordered2_begin);
    }
    if (pA_ordered2 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total = A_ordered2_pos[0];
    for (int64_t p = 1; p < A1_dimension + 1; p++) {
        total += A_ordered2_pos[p];
        A_ordered2_pos[p] = (int32_t) total;
    }
    /* i: iterate every i; locate A_ordered */
    C2_first = gn_zeros(A1_dimension + 1, sizeof(int64_t), &status);
    C_reached = gn_room((A1_dimension + 255) / 256, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    A_ordered2_pos_device = gn_device_lend(A_ordered2_pos, A1_dimension + 1, sizeof(int32_t), &status);
    C2_first_device = gn_device_lend(C2_first, A1_dimension + 1, sizeof(int64_t), &status);
    {
        void *arguments[3] = {(void *) (&A1_dimension), (void *) (&A_ordered2_pos_device), (void *) (&C2_first_device)};
        gn_launch((const void *) assemble_count_i, (A1_dimension + 255) / 256, 256, arguments, &status);
    }
    if (status != GN_OK) {
        goto done;
    }
    C_reached_device = gn_device_array((A1_dimension + 255) / 256, sizeof(int64_t), &status);
    {
        void *arguments[3] = {(void *) (&A1_dimension), (void *) (&C2_first_device), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_parts_of_C2_first, (A1_dimension + 255) / 256, 256, arguments, &status);
    }
    {
        void *arguments[2] = {(void *) (&A1_dimension), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_reached_of_C2_first, 1, 256, arguments, &status);
    }
    C2_total_device = gn_device_lend(&C2_total, 1, sizeof(int64_t), &status);
    {
        void *arguments[4] = {(void *) (&A1_dimension), (void *) (&C2_first_device), (void *) (&C_reached_device),
                (void *) (&C2_total_device)};
        gn_launch((const void *) assemble_scan_C2_first, (A1_dimension + 255) / 256, 256, arguments, &status);
    }
    gn_device_get(&C2_total, C2_total_device, 1, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    if (C2_capacity - pC2 < C2_total) {
        const int64_t capacity = gn_capacity(C2_capacity, pC2, C2_total, GN_INDEX_MAX, &status);
        C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
        C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
        if (status != GN_OK) {
            goto done;
        }
        C2_capacity = capacity;
    }
    /* i: iterate every i; locate A_ordered */
    A_ordered2_crd_device = gn_device_lend(A_ordered2_crd, A_ordered2_capacity, sizeof(int32_t), &status);
    C2_crd_device = gn_device_lend(C2_crd, C2_capacity, sizeof(int32_t), &status);
    C2_pos_device = gn_device_lend(C2_pos, A1_dimension + 1, sizeof(int32_t), &status);
    {
        void *arguments[7] = {(void *) (&A1_dimension), (void *) (&pC2), (void *) (&C2_first_device),
                (void *) (&A_ordered2_pos_device), (void *) (&A_ordered2_crd_device), (void *) (&C2_crd_device),
                (void *) (&C2_pos_device)};
        gn_launch((const void *) assemble_i, (A1_dimension + 255) / 256, 256, arguments, &status);
    }
    gn_device_get(C2_first, C2_first_device, A1_dimension + 1, sizeof(int64_t), &status);
    gn_device_get(C2_crd, C2_crd_device, C2_capacity, sizeof(int32_t), &status);
    gn_device_get(C2_pos, C2_pos_device, A1_dimension + 1, sizeof(int32_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    pC2 += C2_total;
    if (pC2 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total_2 = C2_pos[0];
    for (int64_t p = 1; p < A1_dimension + 1; p++) {
        total_2 += C2_pos[p];
        C2_pos[p] = (int32_t) total_2;
    }
    C->level[1].array[0] = C2_pos;
    C->level[1].length[0] = A1_dimension + 1;
    C->level[1].array[1] = C2_crd;
    C->level[1].length[1] = pC2;
    C->vals = C_vals;
    C->size = pC2;
    done:;
    if (status != GN_OK) {
        free(C2_pos);
        free(C2_crd);
        free(C_vals);
    }
    free(A_ordered2_pos);
    free(A_ordered2_crd);
    free(A2_list.item);
    free(A2_list.place);
    free(A2_list.mark);
    free(C2_first);
    free(C_reached);
    gn_device_return(A_ordered2_pos_device);
    gn_device_return(C2_first_device);
    gn_device_return(C_reached_device);
    gn_device_return(C2_total_device);
    gn_device_return(A_ordered2_crd_device);
    gn_device_return(C2_crd_device);
    gn_device_return(C2_pos_device);
    return status;
}

int compute(gn_tensor *C, const gn_tensor *A, const gn_tensor *x)
{
    int status = GN_OK;
    const int32_t * restrict A2_pos = A->level[1].array[0];
    const int32_t * restrict A2_crd = A->level[1].array[1];
    const int64_t A1_dimension = A->level[0].extent;
    const double * restrict A_vals = A->vals;
    const double * restrict x_vals = x->vals;
    int32_t * restrict A_ordered2_pos = NULL;
    int32_t * restrict A_ordered2_crd = NULL;
    double * restrict A_ordered_vals = NULL;
    int64_t pA_ordered2 = 0;
    int64_t A_ordered2_capacity = 0;
    double * restrict C_vals = C->vals;
    int64_t pC2 = 0;
    gn_list A2_list = GN_NO_LIST;
    int64_t *C_reached = NULL;
    int64_t *C2_first = NULL;
    int64_t C2_total = 0;
    const int64_t A_size = A->size;
    int32_t *A_ordered2_pos_device = NULL;
    int64_t *C2_first_device = NULL;
    int64_t *C_reached_device = NULL;
    int64_t *C2_total_device = NULL;
    int32_t *A_ordered2_crd_device = NULL;
    double *C_vals_device = NULL;
    double *A_ordered_vals_device = NULL;
    double *x_vals_device = NULL;
    gn_device_find(&status);
    A_ordered2_pos = gn_zeros(A1_dimension + 1, sizeof(int32_t), &status);
    A_ordered2_capacity = gn_estimate(A_size, GN_INDEX_MAX, 1);
    A_ordered2_crd = gn_resize(A_ordered2_crd, A_ordered2_capacity, sizeof(int32_t), &status);
    A_ordered_vals = gn_resize(A_ordered_vals, A_ordered2_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* A_ordered: what kernels read is put in order here, since none of them sorts */
    /* i1: iterate every i1; locate A */
    for (int64_t i1 = 0; i1 < A1_dimension; i1++) {
        const int64_t pA_ordered2_begin = pA_ordered2;
        /* j1: iterate A; reorder A */
        gn_order_int32(&A2_list, A2_crd, A2_pos[i1], A2_pos[i1 + 1], &status);
        if (status != GN_OK) {
            goto done;
        }
        int64_t sA2 = 0;
        if (A_ordered2_capacity - pA_ordered2 < A2_list.size - sA2) {
            const int64_t capacity = gn_foresee(A_ordered2_capacity, pA_ordered2, A2_list.size - sA2, i1, A1_dimension,
                    1, GN_INDEX_MAX, &status);
            A_ordered2_crd = gn_resize(A_ordered2_crd, capacity, sizeof(int32_t), &status);
            A_ordered_vals = gn_resize(A_ordered_vals, capacity, sizeof(double), &status);
            if (status != GN_OK) {
                goto done;
            }
            A_ordered2_capacity = capacity;
        }
        while (sA2 < A2_list.size) {
            const int64_t j1 = A2_list.item[sA2].coordinate;
            int64_t pA2 = A2_list.item[sA2].position;
            A_ordered2_crd[pA_ordered2] = (int32_t) j1;
            A_ordered_vals[pA_ordered2] = A_vals[pA2];
            pA_ordered2++;
            sA2++;
        }
        A_ordered2_pos[i1 + 1] = (int32_t) (A_ordered2_pos[i1 + 1] + pA_ordered2 - pA_ordered2_begin);
    }
    if (pA_ordered2 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total = A_ordered2_pos[0];
    for (int64_t p = 1; p < A1_dimension + 1; p++) {
        total += A_ordered2_pos[p];
        A_ordered2_pos[p] = (int32_t) total;
    }
    /* i: iterate every i; locate A_ordered */
    C2_first = gn_zeros(A1_dimension + 1, sizeof(int64_t), &status);
    C_reached = gn_room((A1_dimension + 255) / 256, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    A_ordered2_pos_device = gn_device_lend(A_ordered2_pos, A1_dimension + 1, sizeof(int32_t), &status);
    C2_first_device = gn_device_lend(C2_first, A1_dimension + 1, sizeof(int64_t), &status);
    {
        void *arguments[3] = {(void *) (&A1_dimension), (void *) (&A_ordered2_pos_device), (void *) (&C2_first_device)};
        gn_launch((const void *) assemble_count_i, (A1_dimension + 255) / 256, 256, arguments, &status);
    }
    if (status != GN_OK) {
        goto done;
    }
    C_reached_device = gn_device_array((A1_dimension + 255) / 256, sizeof(int64_t), &status);
    {
        void *arguments[3] = {(void *) (&A1_dimension), (void *) (&C2_first_device), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_parts_of_C2_first, (A1_dimension + 255) / 256, 256, arguments, &status);
    }
    {
        void *arguments[2] = {(void *) (&A1_dimension), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_reached_of_C2_first, 1, 256, arguments, &status);
    }
    C2_total_device = gn_device_lend(&C2_total, 1, sizeof(int64_t), &status);
    {
        void *arguments[4] = {(void *) (&A1_dimension), (void *) (&C2_first_device), (void *) (&C_reached_device),
                (void *) (&C2_total_device)};
        gn_launch((const void *) assemble_scan_C2_first, (A1_dimension + 255) / 256, 256, arguments, &status);
    }
    gn_device_get(&C2_total, C2_total_device, 1, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: iterate every i; locate A_ordered */
    A_ordered2_crd_device = gn_device_lend(A_ordered2_crd, A_ordered2_capacity, sizeof(int32_t), &status);
    C_vals_device = gn_device_array(C->size, sizeof(double), &status);
    A_ordered_vals_device = gn_device_lend(A_ordered_vals, A_ordered2_capacity, sizeof(double), &status);
    x_vals_device = gn_device_lend(x_vals, x->size, sizeof(double), &status);
    {
        void *arguments[8] = {(void *) (&A1_dimension), (void *) (&pC2), (void *) (&C2_first_device),
                (void *) (&A_ordered2_pos_device), (void *) (&A_ordered2_crd_device), (void *) (&C_vals_device),
                (void *) (&A_ordered_vals_device), (void *) (&x_vals_device)};
        gn_launch((const void *) compute_i, (A1_dimension + 255) / 256, 256, arguments, &status);
    }
    gn_device_get(C2_first, C2_first_device, A1_dimension + 1, sizeof(int64_t), &status);
    gn_device_get(C_vals, C_vals_device, C->size, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    pC2 += C2_total;
    done:;
    free(A_ordered2_pos);
    free(A_ordered2_crd);
    free(A_ordered_vals);
    free(A2_list.item);
    free(A2_list.place);
    free(A2_list.mark);
    free(C2_first);
    free(C_reached);
    gn_device_return(A_ordered2_pos_device);
    gn_device_return(C2_first_device);
    gn_device_return(C_reached_device);
    gn_device_return(C2_total_device);
    gn_device_return(A_ordered2_crd_device);
    gn_device_return(C_vals_device);
    gn_device_return(A_ordered_vals_device);
    gn_device_return(x_vals_device);
    return status;
}

int evaluate(gn_tensor *C, const gn_tensor *A, const gn_tensor *x)
{
    int status = GN_OK;
    const int32_t * restrict A2_pos = A->level[1].array[0];
    const int32_t * restrict A2_crd = A->level[1].array[1];
    const int64_t A1_dimension = A->level[0].extent;
    const double * restrict A_vals = A->vals;
    const double * restrict x_vals = x->vals;
    int32_t * restrict A_ordered2_pos = NULL;
    int32_t * restrict A_ordered2_crd = NULL;
    double * restrict A_ordered_vals = NULL;
    int64_t pA_ordered2 = 0;
    int64_t A_ordered2_capacity = 0;
    int32_t * restrict C2_pos = NULL;
    int32_t * restrict C2_crd = NULL;
    double * restrict C_vals = NULL;
    int64_t pC2 = 0;
    int64_t C2_capacity = 0;
    gn_list A2_list = GN_NO_LIST;
    int64_t *C_reached = NULL;
    int64_t *C2_first = NULL;
    int64_t C2_total = 0;
    const int64_t A_size = A->size;
    int32_t *A_ordered2_pos_device = NULL;
    int64_t *C2_first_device = NULL;
    int64_t *C_reached_device = NULL;
    int64_t *C2_total_device = NULL;
    int32_t *A_ordered2_crd_device = NULL;
    int32_t *C2_crd_device = NULL;
    double *C_vals_device = NULL;
    double *A_ordered_vals_device = NULL;
    double *x_vals_device = NULL;
    int32_t *C2_pos_device = NULL;
    gn_device_find(&status);
    A_ordered2_pos = gn_zeros(A1_dimension + 1, sizeof(int32_t), &status);
    A_ordered2_capacity = gn_estimate(A_size, GN_INDEX_MAX, 1);
    A_ordered2_crd = gn_resize(A_ordered2_crd, A_ordered2_capacity, sizeof(int32_t), &status);
    A_ordered_vals = gn_resize(A_ordered_vals, A_ordered2_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    C2_pos = gn_zeros(A1_dimension + 1, sizeof(int32_t), &status);
    C2_capacity = gn_estimate(A_size, GN_INDEX_MAX, 1);
    C2_crd = gn_resize(C2_crd, C2_capacity, sizeof(int32_t), &status);
    C_vals = gn_resize(C_vals, C2_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* A_ordered: what kernels read is put in order here, since none of them sorts */
    /* i1: iterate every i1; locate A */
    for (int64_t i1 = 0; i1 < A1_dimension; i1++) {
        const int64_t pA_ordered2_begin = pA_ordered2;
        /* j1: iterate A; reorder A */
        gn_order_int32(&A2_list, A2_crd, A2_pos[i1], A2_pos[i1 + 1], &status);
        if (status != GN_OK) {
            goto done;
        }
        int64_t sA2 = 0;
        if (A_ordered2_capacity - pA_ordered2 < A2_list.size - sA2) {
            const int64_t capacity = gn_foresee(A_ordered2_capacity, pA_ordered2, A2_list.size - sA2, i1, A1_dimension,
                    1, GN_INDEX_MAX, &status);
            A_ordered2_crd = gn_resize(A_ordered2_crd, capacity, sizeof(int32_t), &status);
            A_ordered_vals = gn_resize(A_ordered_vals, capacity, sizeof(double), &status);
            if (status != GN_OK) {
                goto done;
            }
            A_ordered2_capacity = capacity;
        }
        while (sA2 < A2_list.size) {
            const int64_t j1 = A2_list.item[sA2].coordinate;
            int64_t pA2 = A2_list.item[sA2].position;
            A_ordered2_crd[pA_ordered2] = (int32_t) j1;
            A_ordered_vals[pA_ordered2] = A_vals[pA2];
            pA_ordered2++;
            sA2++;
        }
        A_ordered2_pos[i1 + 1] = (int32_t) (A_ordered2_pos[i1 + 1] + pA_ordered2 - pA_ordered2_begin);
    }
    if (pA_ordered2 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total = A_ordered2_pos[0];
    for (int64_t p = 1; p < A1_dimension + 1; p++) {
        total += A_ordered2_pos[p];
        A_ordered2_pos[p] = (int32_t) total;
    }
    /* i: iterate every i; locate A_ordered */
    C2_first = gn_zeros(A1_dimension + 1, sizeof(int64_t), &status);
    C_reached = gn_room((A1_dimension + 255) / 256, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    A_ordered2_pos_device = gn_device_lend(A_ordered2_pos, A1_dimension + 1, sizeof(int32_t), &status);
    C2_first_device = gn_device_lend(C2_first, A1_dimension + 1, sizeof(int64_t), &status);
    {
        void *arguments[3] = {(void *) (&A1_dimension), (void *) (&A_ordered2_pos_device), (void *) (&C2_first_device)};
        gn_launch((const void *) assemble_count_i, (A1_dimension + 255) / 256, 256, arguments, &status);
    }
    if (status != GN_OK) {
        goto done;
    }
    C_reached_device = gn_device_array((A1_dimension + 255) / 256, sizeof(int64_t), &status);
    {
        void *arguments[3] = {(void *) (&A1_dimension), (void *) (&C2_first_device), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_parts_of_C2_first, (A1_dimension + 255) / 256, 256, arguments, &status);
    }
    {
        void *arguments[2] = {(void *) (&A1_dimension), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_reached_of_C2_first, 1, 256, arguments, &status);
    }
    C2_total_device = gn_device_lend(&C2_total, 1, sizeof(int64_t), &status);
    {
        void *arguments[4] = {(void *) (&A1_dimension), (void *) (&C2_first_device), (void *) (&C_reached_device),
                (void *) (&C2_total_device)};
        gn_launch((const void *) assemble_scan_C2_first, (A1_dimension + 255) / 256, 256, arguments, &status);
    }
    gn_device_get(&C2_total, C2_total_device, 1, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    if (C2_capacity - pC2 < C2_total) {
        const int64_t capacity = gn_capacity(C2_capacity, pC2, C2_total, GN_INDEX_MAX, &status);
        C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
        C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
        if (status != GN_OK) {
            goto done;
        }
        C2_capacity = capacity;
    }
    /* i: iterate every i; locate A_ordered */
    A_ordered2_crd_device = gn_device_lend(A_ordered2_crd, A_ordered2_capacity, sizeof(int32_t), &status);
    C2_crd_device = gn_device_lend(C2_crd, C2_capacity, sizeof(int32_t), &status);
    C_vals_device = gn_device_lend(C_vals, C2_capacity, sizeof(double), &status);
    A_ordered_vals_device = gn_device_lend(A_ordered_vals, A_ordered2_capacity, sizeof(double), &status);
    x_vals_device = gn_device_lend(x_vals, x->size, sizeof(double), &status);
    C2_pos_device = gn_device_lend(C2_pos, A1_dimension + 1, sizeof(int32_t), &status);
    {
        void *arguments[10] = {(void *) (&A1_dimension), (void *) (&pC2), (void *) (&C2_first_device),
                (void *) (&A_ordered2_pos_device), (void *) (&A_ordered2_crd_device), (void *) (&C2_crd_device),
                (void *) (&C_vals_device), (void *) (&A_ordered_vals_device), (void *) (&x_vals_device),
                (void *) (&C2_pos_device)};
        gn_launch((const void *) evaluate_i, (A1_dimension + 255) / 256, 256, arguments, &status);
    }
    gn_device_get(C2_first, C2_first_device, A1_dimension + 1, sizeof(int64_t), &status);
    gn_device_get(C2_crd, C2_crd_device, C2_capacity, sizeof(int32_t), &status);
    gn_device_get(C_vals, C_vals_device, C2_capacity, sizeof(double), &status);
    gn_device_get(C2_pos, C2_pos_device, A1_dimension + 1, sizeof(int32_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    pC2 += C2_total;
    if (pC2 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total_2 = C2_pos[0];
    for (int64_t p = 1; p < A1_dimension + 1; p++) {
        total_2 += C2_pos[p];
        C2_pos[p] = (int32_t) total_2;
    }
    C->level[1].array[0] = C2_pos;
    C->level[1].length[0] = A1_dimension + 1;
    C->level[1].array[1] = C2_crd;
    C->level[1].length[1] = pC2;
    C->vals = C_vals;
    C->size = pC2;
    done:;
    if (status != GN_OK) {
        free(C2_pos);
        free(C2_crd);
        free(C_vals);
    }
    free(A_ordered2_pos);
    free(A_ordered2_crd);
    free(A_ordered_vals);
    free(A2_list.item);
    free(A2_list.place);
    free(A2_list.mark);
    free(C2_first);
    free(C_reached);
    gn_device_return(A_ordered2_pos_device);
    gn_device_return(C2_first_device);
    gn_device_return(C_reached_device);
    gn_device_return(C2_total_device);
    gn_device_return(A_ordered2_crd_device);
    gn_device_return(C2_crd_device);
    gn_device_return(C_vals_device);
    gn_device_return(A_ordered_vals_device);
    gn_device_return(x_vals_device);
    gn_device_return(C2_pos_device);
    return status;
}
