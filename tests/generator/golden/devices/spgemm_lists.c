/*
 * C(i,j) = A(i,k) * B(k,j)    by parallelize(i,GPUBlock,NoRaces),pos(k,k_at,A(i,k)),split(k_at,part,warp,32),reorder(warp,part),pos(j,j_at,B(k,j)),split(j_at,piece,lane,8),reorder(lane,piece),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(lane,GPUThread,Atomics)
 *
 * C: CSR, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * B: CSR, float64, fill 0.0
 *
 * ∀i  [GPUBlock NoRaces]
 *   ∀j
 *     C(i,j) = w(j)
 *   where w:
 *     ∀warp  [GPUWarp IgnoreRaces]
 *       ∀part
 *         ∀lane  [GPUThread Atomics]
 *           ∀piece
 *             w(j) += A(i,k) * B(k,j)
 */
#include "gnomon_cuda.h"

void assemble_count_i(int32_t * restrict w1_flag_slices, int64_t B2_dimension, int32_t * restrict w1_crd_slices,
        int64_t A1_dimension, const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        const int32_t * restrict B2_pos, const int32_t * restrict B2_crd, int64_t * restrict C2_first);
void assemble_parts_of_C2_first(int64_t A1_dimension, int64_t * restrict C2_first, int64_t * restrict C_reached);
void assemble_reached_of_C2_first(int64_t A1_dimension, int64_t * restrict C_reached);
void assemble_scan_C2_first(int64_t A1_dimension, int64_t * restrict C2_first, const int64_t * restrict C_reached,
        int64_t * restrict C2_total);
void assemble_i(int32_t * restrict w1_flag_slices_2, int64_t B2_dimension, int32_t * restrict w1_crd_slices_2,
        int64_t A1_dimension, int64_t pC2, const int64_t * restrict C2_first, const int32_t * restrict A2_pos,
        const int32_t * restrict A2_crd, const int32_t * restrict B2_pos, const int32_t * restrict B2_crd,
        int32_t * restrict C2_crd, int32_t * restrict C2_pos);
void compute_i(int32_t * restrict w1_flag_slices_2, int64_t B2_dimension, double * restrict w_vals_slices,
        int32_t * restrict w1_crd_slices_2, int64_t A1_dimension, int64_t pC2, const int64_t * restrict C2_first,
        const int32_t * restrict A2_pos, const int32_t * restrict A2_crd, const int32_t * restrict B2_pos,
        const int32_t * restrict B2_crd, const double * restrict A_vals, const double * restrict B_vals,
        double * restrict C_vals);
void evaluate_i(int32_t * restrict w1_flag_slices_2, int64_t B2_dimension, double * restrict w_vals_slices,
        int32_t * restrict w1_crd_slices_2, int64_t A1_dimension, int64_t pC2, const int64_t * restrict C2_first,
        const int32_t * restrict A2_pos, const int32_t * restrict A2_crd, const int32_t * restrict B2_pos,
        const int32_t * restrict B2_crd, const double * restrict A_vals, const double * restrict B_vals,
        int32_t * restrict C2_crd, double * restrict C_vals, int32_t * restrict C2_pos);

int assemble(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    int status = GN_OK;
    const int32_t * restrict A2_pos = A->level[1].array[0];
    const int32_t * restrict A2_crd = A->level[1].array[1];
    const int64_t A1_dimension = A->level[0].extent;
    const int32_t * restrict B2_pos = B->level[1].array[0];
    const int32_t * restrict B2_crd = B->level[1].array[1];
    const int64_t B2_dimension = B->level[1].extent;
    int32_t * restrict C2_pos = NULL;
    int32_t * restrict C2_crd = NULL;
    double * restrict C_vals = NULL;
    int64_t pC2 = 0;
    int64_t C2_capacity = 0;
    int64_t *C_reached = NULL;
    int64_t *C2_first = NULL;
    int64_t C2_total = 0;
    int32_t * restrict w1_flag_slices = NULL;
    int32_t *w1_flag_slices_device = NULL;
    int32_t *w1_crd_slices_device = NULL;
    int32_t *A2_pos_device = NULL;
    int32_t *A2_crd_device = NULL;
    int32_t *B2_pos_device = NULL;
    int32_t *B2_crd_device = NULL;
    int64_t *C2_first_device = NULL;
    int64_t *C_reached_device = NULL;
    int64_t *C2_total_device = NULL;
    int32_t *w1_flag_slices_2_device = NULL;
    int32_t *w1_crd_slices_2_device = NULL;
    int32_t *C2_crd_device = NULL;
    int32_t *C2_pos_device = NULL;
    gn_device_find(&status);
    w1_flag_slices = gn_room(128 * B2_dimension, sizeof(int32_t), &status);
    int32_t * restrict w1_crd_slices = NULL;
    w1_crd_slices = gn_room(128 * B2_dimension, sizeof(int32_t), &status);
    int32_t * restrict w1_flag_slices_2 = NULL;
    w1_flag_slices_2 = gn_room(128 * B2_dimension, sizeof(int32_t), &status);
    int32_t * restrict w1_crd_slices_2 = NULL;
    w1_crd_slices_2 = gn_room(128 * B2_dimension, sizeof(int32_t), &status);
    const int64_t A_size = A->size;
    const int64_t B_size = B->size;
    C2_pos = gn_zeros(A1_dimension + 1, sizeof(int32_t), &status);
    C2_capacity = gn_estimate(A_size + B_size, GN_INDEX_MAX, 1);
    C2_crd = gn_resize(C2_crd, C2_capacity, sizeof(int32_t), &status);
    C_vals = gn_resize(C_vals, C2_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: iterate every i; locate A */
    C2_first = gn_zeros(A1_dimension + 1, sizeof(int64_t), &status);
    C_reached = gn_room((A1_dimension + 255) / 256, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    w1_flag_slices_device = gn_device_array(128 * B2_dimension, sizeof(int32_t), &status);
    w1_crd_slices_device = gn_device_array(128 * B2_dimension, sizeof(int32_t), &status);
    A2_pos_device = gn_device_lend(A2_pos, A->level[1].length[0], sizeof(int32_t), &status);
    A2_crd_device = gn_device_lend(A2_crd, A->level[1].length[1], sizeof(int32_t), &status);
    B2_pos_device = gn_device_lend(B2_pos, B->level[1].length[0], sizeof(int32_t), &status);
    B2_crd_device = gn_device_lend(B2_crd, B->level[1].length[1], sizeof(int32_t), &status);
    C2_first_device = gn_device_lend(C2_first, A1_dimension + 1, sizeof(int64_t), &status);
    {
        void *arguments[9] = {(void *) (&w1_flag_slices_device), (void *) (&B2_dimension),
                (void *) (&w1_crd_slices_device), (void *) (&A1_dimension), (void *) (&A2_pos_device),
                (void *) (&A2_crd_device), (void *) (&B2_pos_device), (void *) (&B2_crd_device),
                (void *) (&C2_first_device)};
        gn_launch((const void *) assemble_count_i, gn_min_int64(A1_dimension, 128), 256, arguments, &status);
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
    /* i: iterate every i; locate A */
    w1_flag_slices_2_device = gn_device_array(128 * B2_dimension, sizeof(int32_t), &status);
    w1_crd_slices_2_device = gn_device_array(128 * B2_dimension, sizeof(int32_t), &status);
    C2_crd_device = gn_device_lend(C2_crd, C2_capacity, sizeof(int32_t), &status);
    C2_pos_device = gn_device_lend(C2_pos, A1_dimension + 1, sizeof(int32_t), &status);
    {
        void *arguments[12] = {(void *) (&w1_flag_slices_2_device), (void *) (&B2_dimension),
                (void *) (&w1_crd_slices_2_device), (void *) (&A1_dimension), (void *) (&pC2),
                (void *) (&C2_first_device), (void *) (&A2_pos_device), (void *) (&A2_crd_device),
                (void *) (&B2_pos_device), (void *) (&B2_crd_device), (void *) (&C2_crd_device),
                (void *) (&C2_pos_device)};
        gn_launch((const void *) assemble_i, gn_min_int64(A1_dimension, 128), 256, arguments, &status);
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
    int64_t total = C2_pos[0];
    for (int64_t p = 1; p < A1_dimension + 1; p++) {
        total += C2_pos[p];
        C2_pos[p] = (int32_t) total;
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
    free(C2_first);
    free(C_reached);
    free(w1_flag_slices);
    free(w1_crd_slices);
    free(w1_flag_slices_2);
    free(w1_crd_slices_2);
    gn_device_return(w1_flag_slices_device);
    gn_device_return(w1_crd_slices_device);
    gn_device_return(A2_pos_device);
    gn_device_return(A2_crd_device);
    gn_device_return(B2_pos_device);
    gn_device_return(B2_crd_device);
    gn_device_return(C2_first_device);
    gn_device_return(C_reached_device);
    gn_device_return(C2_total_device);
    gn_device_return(w1_flag_slices_2_device);
    gn_device_return(w1_crd_slices_2_device);
    gn_device_return(C2_crd_device);
    gn_device_return(C2_pos_device);
    return status;
}

int compute(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    int status = GN_OK;
    const int32_t * restrict A2_pos = A->level[1].array[0];
    const int32_t * restrict A2_crd = A->level[1].array[1];
    const int64_t A1_dimension = A->level[0].extent;
    const double * restrict A_vals = A->vals;
    const int32_t * restrict B2_pos = B->level[1].array[0];
    const int32_t * restrict B2_crd = B->level[1].array[1];
    const int64_t B2_dimension = B->level[1].extent;
    const double * restrict B_vals = B->vals;
    double * restrict C_vals = C->vals;
    int64_t pC2 = 0;
    int64_t *C_reached = NULL;
    int64_t *C2_first = NULL;
    int64_t C2_total = 0;
    int32_t * restrict w1_flag_slices = NULL;
    int32_t *w1_flag_slices_device = NULL;
    int32_t *w1_crd_slices_device = NULL;
    int32_t *A2_pos_device = NULL;
    int32_t *A2_crd_device = NULL;
    int32_t *B2_pos_device = NULL;
    int32_t *B2_crd_device = NULL;
    int64_t *C2_first_device = NULL;
    int64_t *C_reached_device = NULL;
    int64_t *C2_total_device = NULL;
    int32_t *w1_flag_slices_2_device = NULL;
    double *w_vals_slices_device = NULL;
    int32_t *w1_crd_slices_2_device = NULL;
    double *A_vals_device = NULL;
    double *B_vals_device = NULL;
    double *C_vals_device = NULL;
    gn_device_find(&status);
    w1_flag_slices = gn_room(128 * B2_dimension, sizeof(int32_t), &status);
    int32_t * restrict w1_crd_slices = NULL;
    w1_crd_slices = gn_room(128 * B2_dimension, sizeof(int32_t), &status);
    int32_t * restrict w1_flag_slices_2 = NULL;
    w1_flag_slices_2 = gn_room(128 * B2_dimension, sizeof(int32_t), &status);
    double * restrict w_vals_slices = NULL;
    w_vals_slices = gn_room(128 * B2_dimension, sizeof(double), &status);
    int32_t * restrict w1_crd_slices_2 = NULL;
    w1_crd_slices_2 = gn_room(128 * B2_dimension, sizeof(int32_t), &status);
    /* i: iterate every i; locate A */
    C2_first = gn_zeros(A1_dimension + 1, sizeof(int64_t), &status);
    C_reached = gn_room((A1_dimension + 255) / 256, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    w1_flag_slices_device = gn_device_array(128 * B2_dimension, sizeof(int32_t), &status);
    w1_crd_slices_device = gn_device_array(128 * B2_dimension, sizeof(int32_t), &status);
    A2_pos_device = gn_device_lend(A2_pos, A->level[1].length[0], sizeof(int32_t), &status);
    A2_crd_device = gn_device_lend(A2_crd, A->level[1].length[1], sizeof(int32_t), &status);
    B2_pos_device = gn_device_lend(B2_pos, B->level[1].length[0], sizeof(int32_t), &status);
    B2_crd_device = gn_device_lend(B2_crd, B->level[1].length[1], sizeof(int32_t), &status);
    C2_first_device = gn_device_lend(C2_first, A1_dimension + 1, sizeof(int64_t), &status);
    {
        void *arguments[9] = {(void *) (&w1_flag_slices_device), (void *) (&B2_dimension),
                (void *) (&w1_crd_slices_device), (void *) (&A1_dimension), (void *) (&A2_pos_device),
                (void *) (&A2_crd_device), (void *) (&B2_pos_device), (void *) (&B2_crd_device),
                (void *) (&C2_first_device)};
        gn_launch((const void *) assemble_count_i, gn_min_int64(A1_dimension, 128), 256, arguments, &status);
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
    /* i: iterate every i; locate A */
    w1_flag_slices_2_device = gn_device_array(128 * B2_dimension, sizeof(int32_t), &status);
    w_vals_slices_device = gn_device_array(128 * B2_dimension, sizeof(double), &status);
    w1_crd_slices_2_device = gn_device_array(128 * B2_dimension, sizeof(int32_t), &status);
    A_vals_device = gn_device_lend(A_vals, A->size, sizeof(double), &status);
    B_vals_device = gn_device_lend(B_vals, B->size, sizeof(double), &status);
    C_vals_device = gn_device_array(C->size, sizeof(double), &status);
    {
        void *arguments[14] = {(void *) (&w1_flag_slices_2_device), (void *) (&B2_dimension),
                (void *) (&w_vals_slices_device), (void *) (&w1_crd_slices_2_device), (void *) (&A1_dimension),
                (void *) (&pC2), (void *) (&C2_first_device), (void *) (&A2_pos_device), (void *) (&A2_crd_device),
                (void *) (&B2_pos_device), (void *) (&B2_crd_device), (void *) (&A_vals_device),
                (void *) (&B_vals_device), (void *) (&C_vals_device)};
        gn_launch((const void *) compute_i, gn_min_int64(A1_dimension, 128), 256, arguments, &status);
    }
    gn_device_get(C2_first, C2_first_device, A1_dimension + 1, sizeof(int64_t), &status);
    gn_device_get(C_vals, C_vals_device, C->size, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    pC2 += C2_total;
    done:;
    free(C2_first);
    free(C_reached);
    free(w1_flag_slices);
    free(w1_crd_slices);
    free(w1_flag_slices_2);
    free(w_vals_slices);
    free(w1_crd_slices_2);
    gn_device_return(w1_flag_slices_device);
    gn_device_return(w1_crd_slices_device);
    gn_device_return(A2_pos_device);
    gn_device_return(A2_crd_device);
    gn_device_return(B2_pos_device);
    gn_device_return(B2_crd_device);
    gn_device_return(C2_first_device);
    gn_device_return(C_reached_device);
    gn_device_return(C2_total_device);
    gn_device_return(w1_flag_slices_2_device);
    gn_device_return(w_vals_slices_device);
    gn_device_return(w1_crd_slices_2_device);
    gn_device_return(A_vals_device);
    gn_device_return(B_vals_device);
    gn_device_return(C_vals_device);
    return status;
}

int evaluate(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    int status = GN_OK;
    const int32_t * restrict A2_pos = A->level[1].array[0];
    const int32_t * restrict A2_crd = A->level[1].array[1];
    const int64_t A1_dimension = A->level[0].extent;
    const double * restrict A_vals = A->vals;
    const int32_t * restrict B2_pos = B->level[1].array[0];
    const int32_t * restrict B2_crd = B->level[1].array[1];
    const int64_t B2_dimension = B->level[1].extent;
    const double * restrict B_vals = B->vals;
    int32_t * restrict C2_pos = NULL;
    int32_t * restrict C2_crd = NULL;
    double * restrict C_vals = NULL;
    int64_t pC2 = 0;
    int64_t C2_capacity = 0;
    int64_t *C_reached = NULL;
    int64_t *C2_first = NULL;
    int64_t C2_total = 0;
    int32_t * restrict w1_flag_slices = NULL;
    int32_t *w1_flag_slices_device = NULL;
    int32_t *w1_crd_slices_device = NULL;
    int32_t *A2_pos_device = NULL;
    int32_t *A2_crd_device = NULL;
    int32_t *B2_pos_device = NULL;
    int32_t *B2_crd_device = NULL;
    int64_t *C2_first_device = NULL;
    int64_t *C_reached_device = NULL;
    int64_t *C2_total_device = NULL;
    int32_t *w1_flag_slices_2_device = NULL;
    double *w_vals_slices_device = NULL;
    int32_t *w1_crd_slices_2_device = NULL;
    double *A_vals_device = NULL;
    double *B_vals_device = NULL;
    int32_t *C2_crd_device = NULL;
    double *C_vals_device = NULL;
    int32_t *C2_pos_device = NULL;
    gn_device_find(&status);
    w1_flag_slices = gn_room(128 * B2_dimension, sizeof(int32_t), &status);
    int32_t * restrict w1_crd_slices = NULL;
    w1_crd_slices = gn_room(128 * B2_dimension, sizeof(int32_t), &status);
    int32_t * restrict w1_flag_slices_2 = NULL;
    w1_flag_slices_2 = gn_room(128 * B2_dimension, sizeof(int32_t), &status);
    double * restrict w_vals_slices = NULL;
    w_vals_slices = gn_room(128 * B2_dimension, sizeof(double), &status);
    int32_t * restrict w1_crd_slices_2 = NULL;
    w1_crd_slices_2 = gn_room(128 * B2_dimension, sizeof(int32_t), &status);
    const int64_t A_size = A->size;
    const int64_t B_size = B->size;
    C2_pos = gn_zeros(A1_dimension + 1, sizeof(int32_t), &status);
    C2_capacity = gn_estimate(A_size + B_size, GN_INDEX_MAX, 1);
    C2_crd = gn_resize(C2_crd, C2_capacity, sizeof(int32_t), &status);
    C_vals = gn_resize(C_vals, C2_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: iterate every i; locate A */
    C2_first = gn_zeros(A1_dimension + 1, sizeof(int64_t), &status);
    C_reached = gn_room((A1_dimension + 255) / 256, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    w1_flag_slices_device = gn_device_array(128 * B2_dimension, sizeof(int32_t), &status);
    w1_crd_slices_device = gn_device_array(128 * B2_dimension, sizeof(int32_t), &status);
    A2_pos_device = gn_device_lend(A2_pos, A->level[1].length[0], sizeof(int32_t), &status);
    A2_crd_device = gn_device_lend(A2_crd, A->level[1].length[1], sizeof(int32_t), &status);
    B2_pos_device = gn_device_lend(B2_pos, B->level[1].length[0], sizeof(int32_t), &status);
    B2_crd_device = gn_device_lend(B2_crd, B->level[1].length[1], sizeof(int32_t), &status);
    C2_first_device = gn_device_lend(C2_first, A1_dimension + 1, sizeof(int64_t), &status);
    {
        void *arguments[9] = {(void *) (&w1_flag_slices_device), (void *) (&B2_dimension),
                (void *) (&w1_crd_slices_device), (void *) (&A1_dimension), (void *) (&A2_pos_device),
                (void *) (&A2_crd_device), (void *) (&B2_pos_device), (void *) (&B2_crd_device),
                (void *) (&C2_first_device)};
        gn_launch((const void *) assemble_count_i, gn_min_int64(A1_dimension, 128), 256, arguments, &status);
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
    /* i: iterate every i; locate A */
    w1_flag_slices_2_device = gn_device_array(128 * B2_dimension, sizeof(int32_t), &status);
    w_vals_slices_device = gn_device_array(128 * B2_dimension, sizeof(double), &status);
    w1_crd_slices_2_device = gn_device_array(128 * B2_dimension, sizeof(int32_t), &status);
    A_vals_device = gn_device_lend(A_vals, A->size, sizeof(double), &status);
    B_vals_device = gn_device_lend(B_vals, B->size, sizeof(double), &status);
    C2_crd_device = gn_device_lend(C2_crd, C2_capacity, sizeof(int32_t), &status);
    C_vals_device = gn_device_lend(C_vals, C2_capacity, sizeof(double), &status);
    C2_pos_device = gn_device_lend(C2_pos, A1_dimension + 1, sizeof(int32_t), &status);
    {
        void *arguments[16] = {(void *) (&w1_flag_slices_2_device), (void *) (&B2_dimension),
                (void *) (&w_vals_slices_device), (void *) (&w1_crd_slices_2_device), (void *) (&A1_dimension),
                (void *) (&pC2), (void *) (&C2_first_device), (void *) (&A2_pos_device), (void *) (&A2_crd_device),
                (void *) (&B2_pos_device), (void *) (&B2_crd_device), (void *) (&A_vals_device),
                (void *) (&B_vals_device), (void *) (&C2_crd_device), (void *) (&C_vals_device),
                (void *) (&C2_pos_device)};
        gn_launch((const void *) evaluate_i, gn_min_int64(A1_dimension, 128), 256, arguments, &status);
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
    int64_t total = C2_pos[0];
    for (int64_t p = 1; p < A1_dimension + 1; p++) {
        total += C2_pos[p];
        C2_pos[p] = (int32_t) total;
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
    free(C2_first);
    free(C_reached);
    free(w1_flag_slices);
    free(w1_crd_slices);
    free(w1_flag_slices_2);
    free(w_vals_slices);
    free(w1_crd_slices_2);
    gn_device_return(w1_flag_slices_device);
    gn_device_return(w1_crd_slices_device);
    gn_device_return(A2_pos_device);
    gn_device_return(A2_crd_device);
    gn_device_return(B2_pos_device);
    gn_device_return(B2_crd_device);
    gn_device_return(C2_first_device);
    gn_device_return(C_reached_device);
    gn_device_return(C2_total_device);
    gn_device_return(w1_flag_slices_2_device);
    gn_device_return(w_vals_slices_device);
    gn_device_return(w1_crd_slices_2_device);
    gn_device_return(A_vals_device);
    gn_device_return(B_vals_device);
    gn_device_return(C2_crd_device);
    gn_device_return(C_vals_device);
    gn_device_return(C2_pos_device);
    return status;
}
