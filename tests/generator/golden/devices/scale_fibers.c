/*
 * C(i,j,k) = A(i,j,k) * x(k)    by parallelize(i,GPUBlock,NoRaces)
 *
 * C: compressed,compressed,compressed, float64, fill 0.0
 * A: compressed,compressed,compressed, float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀i  [GPUBlock NoRaces]
 *   ∀j
 *     ∀k
 *       C(i,j,k) = A(i,j,k) * x(k)
 */
#include "gnomon_cuda.h"

void assemble_count_i(int64_t i_begin, int64_t i_end, const int32_t * restrict A2_pos, const int32_t * restrict A3_pos,
        int64_t * restrict C1_first, int64_t * restrict C2_first, int64_t * restrict C3_first);
void assemble_parts_of_C1_first(int64_t i_count, int64_t * restrict C1_first, int64_t * restrict C_reached);
void assemble_reached_of_C1_first(int64_t i_count, int64_t * restrict C_reached);
void assemble_scan_C1_first(int64_t i_count, int64_t * restrict C1_first, const int64_t * restrict C_reached,
        int64_t * restrict C1_total);
void assemble_parts_of_C2_first(int64_t i_count, int64_t * restrict C2_first, int64_t * restrict C_reached);
void assemble_scan_C2_first(int64_t i_count, int64_t * restrict C2_first, const int64_t * restrict C_reached,
        int64_t * restrict C2_total);
void assemble_parts_of_C3_first(int64_t i_count, int64_t * restrict C3_first, int64_t * restrict C_reached);
void assemble_scan_C3_first(int64_t i_count, int64_t * restrict C3_first, const int64_t * restrict C_reached,
        int64_t * restrict C3_total);
void assemble_i(int64_t i_begin_2, int64_t i_end_2, int64_t pC1, const int64_t * restrict C1_first, int64_t pC2,
        const int64_t * restrict C2_first, int64_t pC3, const int64_t * restrict C3_first,
        const int32_t * restrict A1_crd, const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        const int32_t * restrict A3_pos, const int32_t * restrict A3_crd, int32_t * restrict C3_crd,
        int32_t * restrict C2_crd, int32_t * restrict C3_pos, int32_t * restrict C1_crd, int32_t * restrict C2_pos);
void compute_i(int64_t i_begin_2, int64_t i_end_2, int64_t pC3, const int64_t * restrict C3_first,
        const int32_t * restrict A2_pos, const int32_t * restrict A3_pos, const int32_t * restrict A3_crd,
        double * restrict C_vals, const double * restrict A_vals, const double * restrict x_vals);
void evaluate_i(int64_t i_begin_2, int64_t i_end_2, int64_t pC1, const int64_t * restrict C1_first, int64_t pC2,
        const int64_t * restrict C2_first, int64_t pC3, const int64_t * restrict C3_first,
        const int32_t * restrict A1_crd, const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        const int32_t * restrict A3_pos, const int32_t * restrict A3_crd, int32_t * restrict C3_crd,
        double * restrict C_vals, const double * restrict A_vals, const double * restrict x_vals,
        int32_t * restrict C2_crd, int32_t * restrict C3_pos, int32_t * restrict C1_crd, int32_t * restrict C2_pos);

int assemble(gn_tensor *C, const gn_tensor *A, const gn_tensor *x)
{
    (void) x;
    int status = GN_OK;
    const int32_t * restrict A1_pos = A->level[0].array[0];
    const int32_t * restrict A1_crd = A->level[0].array[1];
    const int32_t * restrict A2_pos = A->level[1].array[0];
    const int32_t * restrict A2_crd = A->level[1].array[1];
    const int32_t * restrict A3_pos = A->level[2].array[0];
    const int32_t * restrict A3_crd = A->level[2].array[1];
    int32_t * restrict C1_pos = NULL;
    int32_t * restrict C1_crd = NULL;
    int32_t * restrict C2_pos = NULL;
    int32_t * restrict C2_crd = NULL;
    int32_t * restrict C3_pos = NULL;
    int32_t * restrict C3_crd = NULL;
    double * restrict C_vals = NULL;
    int64_t pC1 = 0;
    int64_t C1_capacity = 0;
    int64_t pC2 = 0;
    int64_t C2_capacity = 0;
    int64_t pC3 = 0;
    int64_t C3_capacity = 0;
    int64_t *C_reached = NULL;
    int64_t *C1_first = NULL;
    int64_t C1_total = 0;
    int64_t *C2_first = NULL;
    int64_t C2_total = 0;
    int64_t *C3_first = NULL;
    int64_t C3_total = 0;
    const int64_t A_size = A->size;
    int32_t *A2_pos_device = NULL;
    int32_t *A3_pos_device = NULL;
    int64_t *C1_first_device = NULL;
    int64_t *C2_first_device = NULL;
    int64_t *C3_first_device = NULL;
    int64_t *C_reached_device = NULL;
    int64_t *C1_total_device = NULL;
    int64_t *C2_total_device = NULL;
    int64_t *C3_total_device = NULL;
    int32_t *A1_crd_device = NULL;
    int32_t *A2_crd_device = NULL;
    int32_t *A3_crd_device = NULL;
    int32_t *C3_crd_device = NULL;
    int32_t *C2_crd_device = NULL;
    int32_t *C3_pos_device = NULL;
    int32_t *C1_crd_device = NULL;
    int32_t *C2_pos_device = NULL;
    gn_device_find(&status);
    C1_pos = gn_zeros(2, sizeof(int32_t), &status);
    C2_pos = gn_zeros(1, sizeof(int32_t), &status);
    C3_pos = gn_zeros(1, sizeof(int32_t), &status);
    C3_capacity = gn_estimate(A_size, GN_INDEX_MAX, 1);
    C3_crd = gn_resize(C3_crd, C3_capacity, sizeof(int32_t), &status);
    C_vals = gn_resize(C_vals, C3_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: iterate A */
    int64_t i_begin = A1_pos[0];
    int64_t i_end = A1_pos[1];
    int64_t i_count = gn_max_int64(i_end - i_begin, 0);
    C1_first = gn_zeros(i_count + 1, sizeof(int64_t), &status);
    C2_first = gn_zeros(i_count + 1, sizeof(int64_t), &status);
    C3_first = gn_zeros(i_count + 1, sizeof(int64_t), &status);
    C_reached = gn_room((i_count + 255) / 256, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    A2_pos_device = gn_device_lend(A2_pos, A->level[1].length[0], sizeof(int32_t), &status);
    A3_pos_device = gn_device_lend(A3_pos, A->level[2].length[0], sizeof(int32_t), &status);
    C1_first_device = gn_device_lend(C1_first, i_count + 1, sizeof(int64_t), &status);
    C2_first_device = gn_device_lend(C2_first, i_count + 1, sizeof(int64_t), &status);
    C3_first_device = gn_device_lend(C3_first, i_count + 1, sizeof(int64_t), &status);
    {
        void *arguments[7] = {(void *) (&i_begin), (void *) (&i_end), (void *) (&A2_pos_device),
                (void *) (&A3_pos_device), (void *) (&C1_first_device), (void *) (&C2_first_device),
                (void *) (&C3_first_device)};
        gn_launch((const void *) assemble_count_i, (gn_max_int64(i_end - i_begin, 0) + 255) / 256, 256, arguments,
                &status);
    }
    if (status != GN_OK) {
        goto done;
    }
    C_reached_device = gn_device_array((i_count + 255) / 256, sizeof(int64_t), &status);
    {
        void *arguments[3] = {(void *) (&i_count), (void *) (&C1_first_device), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_parts_of_C1_first, (i_count + 255) / 256, 256, arguments, &status);
    }
    {
        void *arguments[2] = {(void *) (&i_count), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_reached_of_C1_first, 1, 256, arguments, &status);
    }
    C1_total_device = gn_device_lend(&C1_total, 1, sizeof(int64_t), &status);
    {
        void *arguments[4] = {(void *) (&i_count), (void *) (&C1_first_device), (void *) (&C_reached_device),
                (void *) (&C1_total_device)};
        gn_launch((const void *) assemble_scan_C1_first, (i_count + 255) / 256, 256, arguments, &status);
    }
    gn_device_get(&C1_total, C1_total_device, 1, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    {
        void *arguments[3] = {(void *) (&i_count), (void *) (&C2_first_device), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_parts_of_C2_first, (i_count + 255) / 256, 256, arguments, &status);
    }
    {
        void *arguments[2] = {(void *) (&i_count), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_reached_of_C1_first, 1, 256, arguments, &status);
    }
    C2_total_device = gn_device_lend(&C2_total, 1, sizeof(int64_t), &status);
    {
        void *arguments[4] = {(void *) (&i_count), (void *) (&C2_first_device), (void *) (&C_reached_device),
                (void *) (&C2_total_device)};
        gn_launch((const void *) assemble_scan_C2_first, (i_count + 255) / 256, 256, arguments, &status);
    }
    gn_device_get(&C2_total, C2_total_device, 1, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    {
        void *arguments[3] = {(void *) (&i_count), (void *) (&C3_first_device), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_parts_of_C3_first, (i_count + 255) / 256, 256, arguments, &status);
    }
    {
        void *arguments[2] = {(void *) (&i_count), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_reached_of_C1_first, 1, 256, arguments, &status);
    }
    C3_total_device = gn_device_lend(&C3_total, 1, sizeof(int64_t), &status);
    {
        void *arguments[4] = {(void *) (&i_count), (void *) (&C3_first_device), (void *) (&C_reached_device),
                (void *) (&C3_total_device)};
        gn_launch((const void *) assemble_scan_C3_first, (i_count + 255) / 256, 256, arguments, &status);
    }
    gn_device_get(&C3_total, C3_total_device, 1, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    if (C1_capacity - pC1 < C1_total) {
        const int64_t capacity = gn_capacity(C1_capacity, pC1, C1_total, GN_INDEX_MAX, &status);
        C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
        C2_pos = gn_resize(C2_pos, capacity + 1, sizeof(int32_t), &status);
        if (status != GN_OK) {
            goto done;
        }
        C1_capacity = capacity;
    }
    if (C2_capacity - pC2 < C2_total) {
        const int64_t capacity = gn_capacity(C2_capacity, pC2, C2_total, GN_INDEX_MAX, &status);
        C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
        C3_pos = gn_resize(C3_pos, capacity + 1, sizeof(int32_t), &status);
        if (status != GN_OK) {
            goto done;
        }
        C2_capacity = capacity;
    }
    if (C3_capacity - pC3 < C3_total) {
        const int64_t capacity = gn_capacity(C3_capacity, pC3, C3_total, GN_INDEX_MAX, &status);
        C3_crd = gn_resize(C3_crd, capacity, sizeof(int32_t), &status);
        C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
        if (status != GN_OK) {
            goto done;
        }
        C3_capacity = capacity;
    }
    /* i: iterate A */
    int64_t i_begin_2 = A1_pos[0];
    int64_t i_end_2 = A1_pos[1];
    A1_crd_device = gn_device_lend(A1_crd, A->level[0].length[1], sizeof(int32_t), &status);
    A2_crd_device = gn_device_lend(A2_crd, A->level[1].length[1], sizeof(int32_t), &status);
    A3_crd_device = gn_device_lend(A3_crd, A->level[2].length[1], sizeof(int32_t), &status);
    C3_crd_device = gn_device_lend(C3_crd, C3_capacity, sizeof(int32_t), &status);
    C2_crd_device = gn_device_lend(C2_crd, C2_capacity, sizeof(int32_t), &status);
    C3_pos_device = gn_device_lend(C3_pos, C2_capacity + 1, sizeof(int32_t), &status);
    C1_crd_device = gn_device_lend(C1_crd, C1_capacity, sizeof(int32_t), &status);
    C2_pos_device = gn_device_lend(C2_pos, C1_capacity + 1, sizeof(int32_t), &status);
    {
        void *arguments[18] = {(void *) (&i_begin_2), (void *) (&i_end_2), (void *) (&pC1), (void *) (&C1_first_device),
                (void *) (&pC2), (void *) (&C2_first_device), (void *) (&pC3), (void *) (&C3_first_device),
                (void *) (&A1_crd_device), (void *) (&A2_pos_device), (void *) (&A2_crd_device),
                (void *) (&A3_pos_device), (void *) (&A3_crd_device), (void *) (&C3_crd_device),
                (void *) (&C2_crd_device), (void *) (&C3_pos_device), (void *) (&C1_crd_device),
                (void *) (&C2_pos_device)};
        gn_launch((const void *) assemble_i, (gn_max_int64(i_end_2 - i_begin_2, 0) + 255) / 256, 256, arguments,
                &status);
    }
    gn_device_get(C1_first, C1_first_device, i_count + 1, sizeof(int64_t), &status);
    gn_device_get(C2_first, C2_first_device, i_count + 1, sizeof(int64_t), &status);
    gn_device_get(C3_first, C3_first_device, i_count + 1, sizeof(int64_t), &status);
    gn_device_get(C3_crd, C3_crd_device, C3_capacity, sizeof(int32_t), &status);
    gn_device_get(C2_crd, C2_crd_device, C2_capacity, sizeof(int32_t), &status);
    gn_device_get(C3_pos, C3_pos_device, C2_capacity + 1, sizeof(int32_t), &status);
    gn_device_get(C1_crd, C1_crd_device, C1_capacity, sizeof(int32_t), &status);
    gn_device_get(C2_pos, C2_pos_device, C1_capacity + 1, sizeof(int32_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    pC1 += C1_total;
    pC2 += C2_total;
    pC3 += C3_total;
    C1_pos[1] = (int32_t) (C1_pos[1] + pC1);
    if (pC1 > GN_INDEX_MAX || pC2 > GN_INDEX_MAX || pC3 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total = C1_pos[0];
    total += C1_pos[1];
    C1_pos[1] = (int32_t) total;
    int64_t total_2 = C2_pos[0];
    for (int64_t p = 1; p < pC1 + 1; p++) {
        total_2 += C2_pos[p];
        C2_pos[p] = (int32_t) total_2;
    }
    int64_t total_3 = C3_pos[0];
    for (int64_t p = 1; p < pC2 + 1; p++) {
        total_3 += C3_pos[p];
        C3_pos[p] = (int32_t) total_3;
    }
    C->level[0].array[0] = C1_pos;
    C->level[0].length[0] = 2;
    C->level[0].array[1] = C1_crd;
    C->level[0].length[1] = pC1;
    C->level[1].array[0] = C2_pos;
    C->level[1].length[0] = pC1 + 1;
    C->level[1].array[1] = C2_crd;
    C->level[1].length[1] = pC2;
    C->level[2].array[0] = C3_pos;
    C->level[2].length[0] = pC2 + 1;
    C->level[2].array[1] = C3_crd;
    C->level[2].length[1] = pC3;
    C->vals = C_vals;
    C->size = pC3;
    done:;
    if (status != GN_OK) {
        free(C1_pos);
        free(C1_crd);
        free(C2_pos);
        free(C2_crd);
        free(C3_pos);
        free(C3_crd);
        free(C_vals);
    }
    free(C1_first);
    free(C2_first);
    free(C3_first);
    free(C_reached);
    gn_device_return(A2_pos_device);
    gn_device_return(A3_pos_device);
    gn_device_return(C1_first_device);
    gn_device_return(C2_first_device);
    gn_device_return(C3_first_device);
    gn_device_return(C_reached_device);
    gn_device_return(C1_total_device);
    gn_device_return(C2_total_device);
    gn_device_return(C3_total_device);
    gn_device_return(A1_crd_device);
    gn_device_return(A2_crd_device);
    gn_device_return(A3_crd_device);
    gn_device_return(C3_crd_device);
    gn_device_return(C2_crd_device);
    gn_device_return(C3_pos_device);
    gn_device_return(C1_crd_device);
    gn_device_return(C2_pos_device);
    return status;
}

int compute(gn_tensor *C, const gn_tensor *A, const gn_tensor *x)
{
    int status = GN_OK;
    const int32_t * restrict A1_pos = A->level[0].array[0];
    const int32_t * restrict A2_pos = A->level[1].array[0];
    const int32_t * restrict A3_pos = A->level[2].array[0];
    const int32_t * restrict A3_crd = A->level[2].array[1];
    const double * restrict A_vals = A->vals;
    const double * restrict x_vals = x->vals;
    double * restrict C_vals = C->vals;
    int64_t pC3 = 0;
    int64_t *C_reached = NULL;
    int64_t *C1_first = NULL;
    int64_t C1_total = 0;
    int64_t *C2_first = NULL;
    int64_t C2_total = 0;
    int64_t *C3_first = NULL;
    int64_t C3_total = 0;
    int32_t *A2_pos_device = NULL;
    int32_t *A3_pos_device = NULL;
    int64_t *C1_first_device = NULL;
    int64_t *C2_first_device = NULL;
    int64_t *C3_first_device = NULL;
    int64_t *C_reached_device = NULL;
    int64_t *C1_total_device = NULL;
    int64_t *C2_total_device = NULL;
    int64_t *C3_total_device = NULL;
    int32_t *A3_crd_device = NULL;
    double *C_vals_device = NULL;
    double *A_vals_device = NULL;
    double *x_vals_device = NULL;
    gn_device_find(&status);
    /* i: iterate A */
    int64_t i_begin = A1_pos[0];
    int64_t i_end = A1_pos[1];
    int64_t i_count = gn_max_int64(i_end - i_begin, 0);
    C1_first = gn_zeros(i_count + 1, sizeof(int64_t), &status);
    C2_first = gn_zeros(i_count + 1, sizeof(int64_t), &status);
    C3_first = gn_zeros(i_count + 1, sizeof(int64_t), &status);
    C_reached = gn_room((i_count + 255) / 256, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    A2_pos_device = gn_device_lend(A2_pos, A->level[1].length[0], sizeof(int32_t), &status);
    A3_pos_device = gn_device_lend(A3_pos, A->level[2].length[0], sizeof(int32_t), &status);
    C1_first_device = gn_device_lend(C1_first, i_count + 1, sizeof(int64_t), &status);
    C2_first_device = gn_device_lend(C2_first, i_count + 1, sizeof(int64_t), &status);
    C3_first_device = gn_device_lend(C3_first, i_count + 1, sizeof(int64_t), &status);
    {
        void *arguments[7] = {(void *) (&i_begin), (void *) (&i_end), (void *) (&A2_pos_device),
                (void *) (&A3_pos_device), (void *) (&C1_first_device), (void *) (&C2_first_device),
                (void *) (&C3_first_device)};
        gn_launch((const void *) assemble_count_i, (gn_max_int64(i_end - i_begin, 0) + 255) / 256, 256, arguments,
                &status);
    }
    if (status != GN_OK) {
        goto done;
    }
    C_reached_device = gn_device_array((i_count + 255) / 256, sizeof(int64_t), &status);
    {
        void *arguments[3] = {(void *) (&i_count), (void *) (&C1_first_device), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_parts_of_C1_first, (i_count + 255) / 256, 256, arguments, &status);
    }
    {
        void *arguments[2] = {(void *) (&i_count), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_reached_of_C1_first, 1, 256, arguments, &status);
    }
    C1_total_device = gn_device_lend(&C1_total, 1, sizeof(int64_t), &status);
    {
        void *arguments[4] = {(void *) (&i_count), (void *) (&C1_first_device), (void *) (&C_reached_device),
                (void *) (&C1_total_device)};
        gn_launch((const void *) assemble_scan_C1_first, (i_count + 255) / 256, 256, arguments, &status);
    }
    gn_device_get(C1_first, C1_first_device, i_count + 1, sizeof(int64_t), &status);
    gn_device_get(&C1_total, C1_total_device, 1, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    {
        void *arguments[3] = {(void *) (&i_count), (void *) (&C2_first_device), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_parts_of_C2_first, (i_count + 255) / 256, 256, arguments, &status);
    }
    {
        void *arguments[2] = {(void *) (&i_count), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_reached_of_C1_first, 1, 256, arguments, &status);
    }
    C2_total_device = gn_device_lend(&C2_total, 1, sizeof(int64_t), &status);
    {
        void *arguments[4] = {(void *) (&i_count), (void *) (&C2_first_device), (void *) (&C_reached_device),
                (void *) (&C2_total_device)};
        gn_launch((const void *) assemble_scan_C2_first, (i_count + 255) / 256, 256, arguments, &status);
    }
    gn_device_get(C2_first, C2_first_device, i_count + 1, sizeof(int64_t), &status);
    gn_device_get(&C2_total, C2_total_device, 1, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    {
        void *arguments[3] = {(void *) (&i_count), (void *) (&C3_first_device), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_parts_of_C3_first, (i_count + 255) / 256, 256, arguments, &status);
    }
    {
        void *arguments[2] = {(void *) (&i_count), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_reached_of_C1_first, 1, 256, arguments, &status);
    }
    C3_total_device = gn_device_lend(&C3_total, 1, sizeof(int64_t), &status);
    {
        void *arguments[4] = {(void *) (&i_count), (void *) (&C3_first_device), (void *) (&C_reached_device),
                (void *) (&C3_total_device)};
        gn_launch((const void *) assemble_scan_C3_first, (i_count + 255) / 256, 256, arguments, &status);
    }
    gn_device_get(&C3_total, C3_total_device, 1, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: iterate A */
    int64_t i_begin_2 = A1_pos[0];
    int64_t i_end_2 = A1_pos[1];
    A3_crd_device = gn_device_lend(A3_crd, A->level[2].length[1], sizeof(int32_t), &status);
    C_vals_device = gn_device_array(C->size, sizeof(double), &status);
    A_vals_device = gn_device_lend(A_vals, A->size, sizeof(double), &status);
    x_vals_device = gn_device_lend(x_vals, x->size, sizeof(double), &status);
    {
        void *arguments[10] = {(void *) (&i_begin_2), (void *) (&i_end_2), (void *) (&pC3), (void *) (&C3_first_device),
                (void *) (&A2_pos_device), (void *) (&A3_pos_device), (void *) (&A3_crd_device),
                (void *) (&C_vals_device), (void *) (&A_vals_device), (void *) (&x_vals_device)};
        gn_launch((const void *) compute_i, (gn_max_int64(i_end_2 - i_begin_2, 0) + 255) / 256, 256, arguments,
                &status);
    }
    gn_device_get(C3_first, C3_first_device, i_count + 1, sizeof(int64_t), &status);
    gn_device_get(C_vals, C_vals_device, C->size, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    pC3 += C3_total;
    done:;
    free(C1_first);
    free(C2_first);
    free(C3_first);
    free(C_reached);
    gn_device_return(A2_pos_device);
    gn_device_return(A3_pos_device);
    gn_device_return(C1_first_device);
    gn_device_return(C2_first_device);
    gn_device_return(C3_first_device);
    gn_device_return(C_reached_device);
    gn_device_return(C1_total_device);
    gn_device_return(C2_total_device);
    gn_device_return(C3_total_device);
    gn_device_return(A3_crd_device);
    gn_device_return(C_vals_device);
    gn_device_return(A_vals_device);
    gn_device_return(x_vals_device);
    return status;
}

int evaluate(gn_tensor *C, const gn_tensor *A, const gn_tensor *x)
{
    int status = GN_OK;
    const int32_t * restrict A1_pos = A->level[0].array[0];
    const int32_t * restrict A1_crd = A->level[0].array[1];
    const int32_t * restrict A2_pos = A->level[1].array[0];
    const int32_t * restrict A2_crd = A->level[1].array[1];
    const int32_t * restrict A3_pos = A->level[2].array[0];
    const int32_t * restrict A3_crd = A->level[2].array[1];
    const double * restrict A_vals = A->vals;
    const double * restrict x_vals = x->vals;
    int32_t * restrict C1_pos = NULL;
    int32_t * restrict C1_crd = NULL;
    int32_t * restrict C2_pos = NULL;
    int32_t * restrict C2_crd = NULL;
    int32_t * restrict C3_pos = NULL;
    int32_t * restrict C3_crd = NULL;
    double * restrict C_vals = NULL;
    int64_t pC1 = 0;
    int64_t C1_capacity = 0;
    int64_t pC2 = 0;
    int64_t C2_capacity = 0;
    int64_t pC3 = 0;
    int64_t C3_capacity = 0;
    int64_t *C_reached = NULL;
    int64_t *C1_first = NULL;
    int64_t C1_total = 0;
    int64_t *C2_first = NULL;
    int64_t C2_total = 0;
    int64_t *C3_first = NULL;
    int64_t C3_total = 0;
    const int64_t A_size = A->size;
    int32_t *A2_pos_device = NULL;
    int32_t *A3_pos_device = NULL;
    int64_t *C1_first_device = NULL;
    int64_t *C2_first_device = NULL;
    int64_t *C3_first_device = NULL;
    int64_t *C_reached_device = NULL;
    int64_t *C1_total_device = NULL;
    int64_t *C2_total_device = NULL;
    int64_t *C3_total_device = NULL;
    int32_t *A1_crd_device = NULL;
    int32_t *A2_crd_device = NULL;
    int32_t *A3_crd_device = NULL;
    int32_t *C3_crd_device = NULL;
    double *C_vals_device = NULL;
    double *A_vals_device = NULL;
    double *x_vals_device = NULL;
    int32_t *C2_crd_device = NULL;
    int32_t *C3_pos_device = NULL;
    int32_t *C1_crd_device = NULL;
    int32_t *C2_pos_device = NULL;
    gn_device_find(&status);
    C1_pos = gn_zeros(2, sizeof(int32_t), &status);
    C2_pos = gn_zeros(1, sizeof(int32_t), &status);
    C3_pos = gn_zeros(1, sizeof(int32_t), &status);
    C3_capacity = gn_estimate(A_size, GN_INDEX_MAX, 1);
    C3_crd = gn_resize(C3_crd, C3_capacity, sizeof(int32_t), &status);
    C_vals = gn_resize(C_vals, C3_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: iterate A */
    int64_t i_begin = A1_pos[0];
    int64_t i_end = A1_pos[1];
    int64_t i_count = gn_max_int64(i_end - i_begin, 0);
    C1_first = gn_zeros(i_count + 1, sizeof(int64_t), &status);
    C2_first = gn_zeros(i_count + 1, sizeof(int64_t), &status);
    C3_first = gn_zeros(i_count + 1, sizeof(int64_t), &status);
    C_reached = gn_room((i_count + 255) / 256, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    A2_pos_device = gn_device_lend(A2_pos, A->level[1].length[0], sizeof(int32_t), &status);
    A3_pos_device = gn_device_lend(A3_pos, A->level[2].length[0], sizeof(int32_t), &status);
    C1_first_device = gn_device_lend(C1_first, i_count + 1, sizeof(int64_t), &status);
    C2_first_device = gn_device_lend(C2_first, i_count + 1, sizeof(int64_t), &status);
    C3_first_device = gn_device_lend(C3_first, i_count + 1, sizeof(int64_t), &status);
    {
        void *arguments[7] = {(void *) (&i_begin), (void *) (&i_end), (void *) (&A2_pos_device),
                (void *) (&A3_pos_device), (void *) (&C1_first_device), (void *) (&C2_first_device),
                (void *) (&C3_first_device)};
        gn_launch((const void *) assemble_count_i, (gn_max_int64(i_end - i_begin, 0) + 255) / 256, 256, arguments,
                &status);
    }
    if (status != GN_OK) {
        goto done;
    }
    C_reached_device = gn_device_array((i_count + 255) / 256, sizeof(int64_t), &status);
    {
        void *arguments[3] = {(void *) (&i_count), (void *) (&C1_first_device), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_parts_of_C1_first, (i_count + 255) / 256, 256, arguments, &status);
    }
    {
        void *arguments[2] = {(void *) (&i_count), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_reached_of_C1_first, 1, 256, arguments, &status);
    }
    C1_total_device = gn_device_lend(&C1_total, 1, sizeof(int64_t), &status);
    {
        void *arguments[4] = {(void *) (&i_count), (void *) (&C1_first_device), (void *) (&C_reached_device),
                (void *) (&C1_total_device)};
        gn_launch((const void *) assemble_scan_C1_first, (i_count + 255) / 256, 256, arguments, &status);
    }
    gn_device_get(&C1_total, C1_total_device, 1, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    {
        void *arguments[3] = {(void *) (&i_count), (void *) (&C2_first_device), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_parts_of_C2_first, (i_count + 255) / 256, 256, arguments, &status);
    }
    {
        void *arguments[2] = {(void *) (&i_count), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_reached_of_C1_first, 1, 256, arguments, &status);
    }
    C2_total_device = gn_device_lend(&C2_total, 1, sizeof(int64_t), &status);
    {
        void *arguments[4] = {(void *) (&i_count), (void *) (&C2_first_device), (void *) (&C_reached_device),
                (void *) (&C2_total_device)};
        gn_launch((const void *) assemble_scan_C2_first, (i_count + 255) / 256, 256, arguments, &status);
    }
    gn_device_get(&C2_total, C2_total_device, 1, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    {
        void *arguments[3] = {(void *) (&i_count), (void *) (&C3_first_device), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_parts_of_C3_first, (i_count + 255) / 256, 256, arguments, &status);
    }
    {
        void *arguments[2] = {(void *) (&i_count), (void *) (&C_reached_device)};
        gn_launch((const void *) assemble_reached_of_C1_first, 1, 256, arguments, &status);
    }
    C3_total_device = gn_device_lend(&C3_total, 1, sizeof(int64_t), &status);
    {
        void *arguments[4] = {(void *) (&i_count), (void *) (&C3_first_device), (void *) (&C_reached_device),
                (void *) (&C3_total_device)};
        gn_launch((const void *) assemble_scan_C3_first, (i_count + 255) / 256, 256, arguments, &status);
    }
    gn_device_get(&C3_total, C3_total_device, 1, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    if (C1_capacity - pC1 < C1_total) {
        const int64_t capacity = gn_capacity(C1_capacity, pC1, C1_total, GN_INDEX_MAX, &status);
        C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
        C2_pos = gn_resize(C2_pos, capacity + 1, sizeof(int32_t), &status);
        if (status != GN_OK) {
            goto done;
        }
        C1_capacity = capacity;
    }
    if (C2_capacity - pC2 < C2_total) {
        const int64_t capacity = gn_capacity(C2_capacity, pC2, C2_total, GN_INDEX_MAX, &status);
        C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
        C3_pos = gn_resize(C3_pos, capacity + 1, sizeof(int32_t), &status);
        if (status != GN_OK) {
            goto done;
        }
        C2_capacity = capacity;
    }
    if (C3_capacity - pC3 < C3_total) {
        const int64_t capacity = gn_capacity(C3_capacity, pC3, C3_total, GN_INDEX_MAX, &status);
        C3_crd = gn_resize(C3_crd, capacity, sizeof(int32_t), &status);
        C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
        if (status != GN_OK) {
            goto done;
        }
        C3_capacity = capacity;
    }
    /* i: iterate A */
    int64_t i_begin_2 = A1_pos[0];
    int64_t i_end_2 = A1_pos[1];
    A1_crd_device = gn_device_lend(A1_crd, A->level[0].length[1], sizeof(int32_t), &status);
    A2_crd_device = gn_device_lend(A2_crd, A->level[1].length[1], sizeof(int32_t), &status);
    A3_crd_device = gn_device_lend(A3_crd, A->level[2].length[1], sizeof(int32_t), &status);
    C3_crd_device = gn_device_lend(C3_crd, C3_capacity, sizeof(int32_t), &status);
    C_vals_device = gn_device_lend(C_vals, C3_capacity, sizeof(double), &status);
    A_vals_device = gn_device_lend(A_vals, A->size, sizeof(double), &status);
    x_vals_device = gn_device_lend(x_vals, x->size, sizeof(double), &status);
    C2_crd_device = gn_device_lend(C2_crd, C2_capacity, sizeof(int32_t), &status);
    C3_pos_device = gn_device_lend(C3_pos, C2_capacity + 1, sizeof(int32_t), &status);
    C1_crd_device = gn_device_lend(C1_crd, C1_capacity, sizeof(int32_t), &status);
    C2_pos_device = gn_device_lend(C2_pos, C1_capacity + 1, sizeof(int32_t), &status);
    {
        void *arguments[21] = {(void *) (&i_begin_2), (void *) (&i_end_2), (void *) (&pC1), (void *) (&C1_first_device),
                (void *) (&pC2), (void *) (&C2_first_device), (void *) (&pC3), (void *) (&C3_first_device),
                (void *) (&A1_crd_device), (void *) (&A2_pos_device), (void *) (&A2_crd_device),
                (void *) (&A3_pos_device), (void *) (&A3_crd_device), (void *) (&C3_crd_device),
                (void *) (&C_vals_device), (void *) (&A_vals_device), (void *) (&x_vals_device),
                (void *) (&C2_crd_device), (void *) (&C3_pos_device), (void *) (&C1_crd_device),
                (void *) (&C2_pos_device)};
        gn_launch((const void *) evaluate_i, (gn_max_int64(i_end_2 - i_begin_2, 0) + 255) / 256, 256, arguments,
                &status);
    }
    gn_device_get(C1_first, C1_first_device, i_count + 1, sizeof(int64_t), &status);
    gn_device_get(C2_first, C2_first_device, i_count + 1, sizeof(int64_t), &status);
    gn_device_get(C3_first, C3_first_device, i_count + 1, sizeof(int64_t), &status);
    gn_device_get(C3_crd, C3_crd_device, C3_capacity, sizeof(int32_t), &status);
    gn_device_get(C_vals, C_vals_device, C3_capacity, sizeof(double), &status);
    gn_device_get(C2_crd, C2_crd_device, C2_capacity, sizeof(int32_t), &status);
    gn_device_get(C3_pos, C3_pos_device, C2_capacity + 1, sizeof(int32_t), &status);
    gn_device_get(C1_crd, C1_crd_device, C1_capacity, sizeof(int32_t), &status);
    gn_device_get(C2_pos, C2_pos_device, C1_capacity + 1, sizeof(int32_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    pC1 += C1_total;
    pC2 += C2_total;
    pC3 += C3_total;
    C1_pos[1] = (int32_t) (C1_pos[1] + pC1);
    if (pC1 > GN_INDEX_MAX || pC2 > GN_INDEX_MAX || pC3 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total = C1_pos[0];
    total += C1_pos[1];
    C1_pos[1] = (int32_t) total;
    int64_t total_2 = C2_pos[0];
    for (int64_t p = 1; p < pC1 + 1; p++) {
        total_2 += C2_pos[p];
        C2_pos[p] = (int32_t) total_2;
    }
    int64_t total_3 = C3_pos[0];
    for (int64_t p = 1; p < pC2 + 1; p++) {
        total_3 += C3_pos[p];
        C3_pos[p] = (int32_t) total_3;
    }
    C->level[0].array[0] = C1_pos;
    C->level[0].length[0] = 2;
    C->level[0].array[1] = C1_crd;
    C->level[0].length[1] = pC1;
    C->level[1].array[0] = C2_pos;
    C->level[1].length[0] = pC1 + 1;
    C->level[1].array[1] = C2_crd;
    C->level[1].length[1] = pC2;
    C->level[2].array[0] = C3_pos;
    C->level[2].length[0] = pC2 + 1;
    C->level[2].array[1] = C3_crd;
    C->level[2].length[1] = pC3;
    C->vals = C_vals;
    C->size = pC3;
    done:;
    if (status != GN_OK) {
        free(C1_pos);
        free(C1_crd);
        free(C2_pos);
        free(C2_crd);
        free(C3_pos);
        free(C3_crd);
        free(C_vals);
    }
    free(C1_first);
    free(C2_first);
    free(C3_first);
    free(C_reached);
    gn_device_return(A2_pos_device);
    gn_device_return(A3_pos_device);
    gn_device_return(C1_first_device);
    gn_device_return(C2_first_device);
    gn_device_return(C3_first_device);
    gn_device_return(C_reached_device);
    gn_device_return(C1_total_device);
    gn_device_return(C2_total_device);
    gn_device_return(C3_total_device);
    gn_device_return(A1_crd_device);
    gn_device_return(A2_crd_device);
    gn_device_return(A3_crd_device);
    gn_device_return(C3_crd_device);
    gn_device_return(C_vals_device);
    gn_device_return(A_vals_device);
    gn_device_return(x_vals_device);
    gn_device_return(C2_crd_device);
    gn_device_return(C3_pos_device);
    gn_device_return(C1_crd_device);
    gn_device_return(C2_pos_device);
    return status;
}
