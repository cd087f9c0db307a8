/*
 * A(i,k) = B(i,k) * C(i,j) * D(k,j)    by collapse(i,k,f),pos(f,fpos,B(i,k)),split(fpos,block,nnz,32),split(j,part,lane,32),reorder(block,nnz,lane,part),parallelize(block,GPUBlock,NoRaces),parallelize(lane,GPUThread,ParallelReduction)
 *
 * A: CSR, float64, fill 0.0
 * B: CSR, float64, fill 0.0
 * C: dense,dense, float64, fill 0.0
 * D: dense,dense, float64, fill 0.0
 *
 * ∀block  [GPUBlock NoRaces]
 *   ∀nnz
 *     ∀lane  [GPUThread ParallelReduction]
 *       ∀part
 *         A(i,k) += B(i,k) * (C(i,j) * D(k,j))
 */
#include "gnomon_cuda.h"

void assemble_count_block(int64_t block_end, const int32_t * restrict B2_pos, int64_t B1_dimension,
        int64_t C2_dimension, int64_t * restrict A2_first);
void assemble_parts_of_A2_first(int64_t block_end, int64_t * restrict A2_first, int64_t * restrict A_reached);
void assemble_reached_of_A2_first(int64_t block_end, int64_t * restrict A_reached);
void assemble_scan_A2_first(int64_t block_end, int64_t * restrict A2_first, const int64_t * restrict A_reached,
        int64_t * restrict A2_total);
void assemble_block(int64_t block_end_2, int64_t pA2, const int64_t * restrict A2_first,
        const int32_t * restrict B2_pos, int64_t B1_dimension, const int32_t * restrict B2_crd, int64_t C2_dimension,
        int32_t * restrict A2_crd, int32_t * restrict A2_pos);
void compute_block(int64_t block_end_2, int64_t pA2, const int64_t * restrict A2_first, const int32_t * restrict B2_pos,
        int64_t B1_dimension, const int32_t * restrict B2_crd, int64_t C2_dimension, const double * restrict B_vals,
        const double * restrict C_vals, const double * restrict D_vals, double * restrict A_vals);
void evaluate_block(int64_t block_end_2, int64_t pA2, const int64_t * restrict A2_first,
        const int32_t * restrict B2_pos, int64_t B1_dimension, const int32_t * restrict B2_crd, int64_t C2_dimension,
        const double * restrict B_vals, const double * restrict C_vals, const double * restrict D_vals,
        int32_t * restrict A2_crd, double * restrict A_vals, int32_t * restrict A2_pos);

int assemble(gn_tensor *A, const gn_tensor *B, const gn_tensor *C, const gn_tensor *D)
{
    (void) D;
    int status = GN_OK;
    const int32_t * restrict B2_pos = B->level[1].array[0];
    const int32_t * restrict B2_crd = B->level[1].array[1];
    const int64_t B1_dimension = B->level[0].extent;
    const int64_t C2_dimension = C->level[1].extent;
    int32_t * restrict A2_pos = NULL;
    int32_t * restrict A2_crd = NULL;
    double * restrict A_vals = NULL;
    int64_t pA2 = 0;
    int64_t A2_capacity = 0;
    int64_t *A_reached = NULL;
    int64_t *A2_first = NULL;
    int64_t A2_total = 0;
    const int64_t B_size = B->size;
    int32_t *B2_pos_device = NULL;
    int64_t *A2_first_device = NULL;
    int64_t *A_reached_device = NULL;
    int64_t *A2_total_device = NULL;
    int32_t *B2_crd_device = NULL;
    int32_t *A2_crd_device = NULL;
    int32_t *A2_pos_device = NULL;
    gn_device_find(&status);
    A2_pos = gn_zeros(B1_dimension + 1, sizeof(int32_t), &status);
    A2_capacity = gn_estimate(B_size, GN_INDEX_MAX, 1);
    A2_crd = gn_resize(A2_crd, A2_capacity, sizeof(int32_t), &status);
    A_vals = gn_resize(A_vals, A2_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* block: iterate every block */
    int64_t block_end = gn_floordiv_int64(((int64_t) B2_pos[B1_dimension]) - B2_pos[0] + 31, 32);
    A2_first = gn_zeros(block_end + 1, sizeof(int64_t), &status);
    A_reached = gn_room((block_end + 255) / 256, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    B2_pos_device = gn_device_lend(B2_pos, B->level[1].length[0], sizeof(int32_t), &status);
    A2_first_device = gn_device_lend(A2_first, block_end + 1, sizeof(int64_t), &status);
    {
        void *arguments[5] = {(void *) (&block_end), (void *) (&B2_pos_device), (void *) (&B1_dimension),
                (void *) (&C2_dimension), (void *) (&A2_first_device)};
        gn_launch((const void *) assemble_count_block, (block_end + 255) / 256, 256, arguments, &status);
    }
    if (status != GN_OK) {
        goto done;
    }
    A_reached_device = gn_device_array((block_end + 255) / 256, sizeof(int64_t), &status);
    {
        void *arguments[3] = {(void *) (&block_end), (void *) (&A2_first_device), (void *) (&A_reached_device)};
        gn_launch((const void *) assemble_parts_of_A2_first, (block_end + 255) / 256, 256, arguments, &status);
    }
    {
        void *arguments[2] = {(void *) (&block_end), (void *) (&A_reached_device)};
        gn_launch((const void *) assemble_reached_of_A2_first, 1, 256, arguments, &status);
    }
    A2_total_device = gn_device_lend(&A2_total, 1, sizeof(int64_t), &status);
    {
        void *arguments[4] = {(void *) (&block_end), (void *) (&A2_first_device), (void *) (&A_reached_device),
                (void *) (&A2_total_device)};
        gn_launch((const void *) assemble_scan_A2_first, (block_end + 255) / 256, 256, arguments, &status);
    }
    gn_device_get(&A2_total, A2_total_device, 1, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    if (A2_capacity - pA2 < A2_total) {
        const int64_t capacity = gn_capacity(A2_capacity, pA2, A2_total, GN_INDEX_MAX, &status);
        A2_crd = gn_resize(A2_crd, capacity, sizeof(int32_t), &status);
        A_vals = gn_resize(A_vals, capacity, sizeof(double), &status);
        if (status != GN_OK) {
            goto done;
        }
        A2_capacity = capacity;
    }
    /* block: iterate every block */
    int64_t block_end_2 = gn_floordiv_int64(((int64_t) B2_pos[B1_dimension]) - B2_pos[0] + 31, 32);
    B2_crd_device = gn_device_lend(B2_crd, B->level[1].length[1], sizeof(int32_t), &status);
    A2_crd_device = gn_device_lend(A2_crd, A2_capacity, sizeof(int32_t), &status);
    A2_pos_device = gn_device_lend(A2_pos, B1_dimension + 1, sizeof(int32_t), &status);
    {
        void *arguments[9] = {(void *) (&block_end_2), (void *) (&pA2), (void *) (&A2_first_device),
                (void *) (&B2_pos_device), (void *) (&B1_dimension), (void *) (&B2_crd_device),
                (void *) (&C2_dimension), (void *) (&A2_crd_device), (void *) (&A2_pos_device)};
        gn_launch((const void *) assemble_block, (block_end_2 + 7) / 8, 256, arguments, &status);
    }
    gn_device_get(A2_first, A2_first_device, block_end + 1, sizeof(int64_t), &status);
    gn_device_get(A2_crd, A2_crd_device, A2_capacity, sizeof(int32_t), &status);
    gn_device_get(A2_pos, A2_pos_device, B1_dimension + 1, sizeof(int32_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    pA2 += A2_total;
    if (pA2 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total = A2_pos[0];
    for (int64_t p = 1; p < B1_dimension + 1; p++) {
        total += A2_pos[p];
        A2_pos[p] = (int32_t) total;
    }
    A->level[1].array[0] = A2_pos;
    A->level[1].length[0] = B1_dimension + 1;
    A->level[1].array[1] = A2_crd;
    A->level[1].length[1] = pA2;
    A->vals = A_vals;
    A->size = pA2;
    done:;
    if (status != GN_OK) {
        free(A2_pos);
        free(A2_crd);
        free(A_vals);
    }
    free(A2_first);
    free(A_reached);
    gn_device_return(B2_pos_device);
    gn_device_return(A2_first_device);
    gn_device_return(A_reached_device);
    gn_device_return(A2_total_device);
    gn_device_return(B2_crd_device);
    gn_device_return(A2_crd_device);
    gn_device_return(A2_pos_device);
    return status;
}

int compute(gn_tensor *A, const gn_tensor *B, const gn_tensor *C, const gn_tensor *D)
{
    int status = GN_OK;
    const int32_t * restrict B2_pos = B->level[1].array[0];
    const int32_t * restrict B2_crd = B->level[1].array[1];
    const int64_t B1_dimension = B->level[0].extent;
    const double * restrict B_vals = B->vals;
    const int64_t C2_dimension = C->level[1].extent;
    const double * restrict C_vals = C->vals;
    const double * restrict D_vals = D->vals;
    double * restrict A_vals = A->vals;
    int64_t pA2 = 0;
    int64_t *A_reached = NULL;
    int64_t *A2_first = NULL;
    int64_t A2_total = 0;
    int32_t *B2_pos_device = NULL;
    int64_t *A2_first_device = NULL;
    int64_t *A_reached_device = NULL;
    int64_t *A2_total_device = NULL;
    int32_t *B2_crd_device = NULL;
    double *B_vals_device = NULL;
    double *C_vals_device = NULL;
    double *D_vals_device = NULL;
    double *A_vals_device = NULL;
    gn_device_find(&status);
    /* block: iterate every block */
    int64_t block_end = gn_floordiv_int64(((int64_t) B2_pos[B1_dimension]) - B2_pos[0] + 31, 32);
    A2_first = gn_zeros(block_end + 1, sizeof(int64_t), &status);
    A_reached = gn_room((block_end + 255) / 256, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    B2_pos_device = gn_device_lend(B2_pos, B->level[1].length[0], sizeof(int32_t), &status);
    A2_first_device = gn_device_lend(A2_first, block_end + 1, sizeof(int64_t), &status);
    {
        void *arguments[5] = {(void *) (&block_end), (void *) (&B2_pos_device), (void *) (&B1_dimension),
                (void *) (&C2_dimension), (void *) (&A2_first_device)};
        gn_launch((const void *) assemble_count_block, (block_end + 255) / 256, 256, arguments, &status);
    }
    if (status != GN_OK) {
        goto done;
    }
    A_reached_device = gn_device_array((block_end + 255) / 256, sizeof(int64_t), &status);
    {
        void *arguments[3] = {(void *) (&block_end), (void *) (&A2_first_device), (void *) (&A_reached_device)};
        gn_launch((const void *) assemble_parts_of_A2_first, (block_end + 255) / 256, 256, arguments, &status);
    }
    {
        void *arguments[2] = {(void *) (&block_end), (void *) (&A_reached_device)};
        gn_launch((const void *) assemble_reached_of_A2_first, 1, 256, arguments, &status);
    }
    A2_total_device = gn_device_lend(&A2_total, 1, sizeof(int64_t), &status);
    {
        void *arguments[4] = {(void *) (&block_end), (void *) (&A2_first_device), (void *) (&A_reached_device),
                (void *) (&A2_total_device)};
        gn_launch((const void *) assemble_scan_A2_first, (block_end + 255) / 256, 256, arguments, &status);
    }
    gn_device_get(&A2_total, A2_total_device, 1, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* block: iterate every block */
    int64_t block_end_2 = gn_floordiv_int64(((int64_t) B2_pos[B1_dimension]) - B2_pos[0] + 31, 32);
    B2_crd_device = gn_device_lend(B2_crd, B->level[1].length[1], sizeof(int32_t), &status);
    B_vals_device = gn_device_lend(B_vals, B->size, sizeof(double), &status);
    C_vals_device = gn_device_lend(C_vals, C->size, sizeof(double), &status);
    D_vals_device = gn_device_lend(D_vals, D->size, sizeof(double), &status);
    A_vals_device = gn_device_array(A->size, sizeof(double), &status);
    {
        void *arguments[11] = {(void *) (&block_end_2), (void *) (&pA2), (void *) (&A2_first_device),
                (void *) (&B2_pos_device), (void *) (&B1_dimension), (void *) (&B2_crd_device),
                (void *) (&C2_dimension), (void *) (&B_vals_device), (void *) (&C_vals_device),
                (void *) (&D_vals_device), (void *) (&A_vals_device)};
        gn_launch((const void *) compute_block, (block_end_2 + 7) / 8, 256, arguments, &status);
    }
    gn_device_get(A2_first, A2_first_device, block_end + 1, sizeof(int64_t), &status);
    gn_device_get(A_vals, A_vals_device, A->size, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    pA2 += A2_total;
    done:;
    free(A2_first);
    free(A_reached);
    gn_device_return(B2_pos_device);
    gn_device_return(A2_first_device);
    gn_device_return(A_reached_device);
    gn_device_return(A2_total_device);
    gn_device_return(B2_crd_device);
    gn_device_return(B_vals_device);
    gn_device_return(C_vals_device);
    gn_device_return(D_vals_device);
    gn_device_return(A_vals_device);
    return status;
}

int evaluate(gn_tensor *A, const gn_tensor *B, const gn_tensor *C, const gn_tensor *D)
{
    int status = GN_OK;
    const int32_t * restrict B2_pos = B->level[1].array[0];
    const int32_t * restrict B2_crd = B->level[1].array[1];
    const int64_t B1_dimension = B->level[0].extent;
    const double * restrict B_vals = B->vals;
    const int64_t C2_dimension = C->level[1].extent;
    const double * restrict C_vals = C->vals;
    const double * restrict D_vals = D->vals;
    int32_t * restrict A2_pos = NULL;
    int32_t * restrict A2_crd = NULL;
    double * restrict A_vals = NULL;
    int64_t pA2 = 0;
    int64_t A2_capacity = 0;
    int64_t *A_reached = NULL;
    int64_t *A2_first = NULL;
    int64_t A2_total = 0;
    const int64_t B_size = B->size;
    int32_t *B2_pos_device = NULL;
    int64_t *A2_first_device = NULL;
    int64_t *A_reached_device = NULL;
    int64_t *A2_total_device = NULL;
    int32_t *B2_crd_device = NULL;
    double *B_vals_device = NULL;
    double *C_vals_device = NULL;
    double *D_vals_device = NULL;
    int32_t *A2_crd_device = NULL;
    double *A_vals_device = NULL;
    int32_t *A2_pos_device = NULL;
    gn_device_find(&status);
    A2_pos = gn_zeros(B1_dimension + 1, sizeof(int32_t), &status);
    A2_capacity = gn_estimate(B_size, GN_INDEX_MAX, 1);
    A2_crd = gn_resize(A2_crd, A2_capacity, sizeof(int32_t), &status);
    A_vals = gn_resize(A_vals, A2_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* block: iterate every block */
    int64_t block_end = gn_floordiv_int64(((int64_t) B2_pos[B1_dimension]) - B2_pos[0] + 31, 32);
    A2_first = gn_zeros(block_end + 1, sizeof(int64_t), &status);
    A_reached = gn_room((block_end + 255) / 256, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    B2_pos_device = gn_device_lend(B2_pos, B->level[1].length[0], sizeof(int32_t), &status);
    A2_first_device = gn_device_lend(A2_first, block_end + 1, sizeof(int64_t), &status);
    {
        void *arguments[5] = {(void *) (&block_end), (void *) (&B2_pos_device), (void *) (&B1_dimension),
                (void *) (&C2_dimension), (void *) (&A2_first_device)};
        gn_launch((const void *) assemble_count_block, (block_end + 255) / 256, 256, arguments, &status);
    }
    if (status != GN_OK) {
        goto done;
    }
    A_reached_device = gn_device_array((block_end + 255) / 256, sizeof(int64_t), &status);
    {
        void *arguments[3] = {(void *) (&block_end), (void *) (&A2_first_device), (void *) (&A_reached_device)};
        gn_launch((const void *) assemble_parts_of_A2_first, (block_end + 255) / 256, 256, arguments, &status);
    }
    {
        void *arguments[2] = {(void *) (&block_end), (void *) (&A_reached_device)};
        gn_launch((const void *) assemble_reached_of_A2_first, 1, 256, arguments, &status);
    }
    A2_total_device = gn_device_lend(&A2_total, 1, sizeof(int64_t), &status);
    {
        void *arguments[4] = {(void *) (&block_end), (void *) (&A2_first_device), (void *) (&A_reached_device),
                (void *) (&A2_total_device)};
        gn_launch((const void *) assemble_scan_A2_first, (block_end + 255) / 256, 256, arguments, &status);
    }
    gn_device_get(&A2_total, A2_total_device, 1, sizeof(int64_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    if (A2_capacity - pA2 < A2_total) {
        const int64_t capacity = gn_capacity(A2_capacity, pA2, A2_total, GN_INDEX_MAX, &status);
        A2_crd = gn_resize(A2_crd, capacity, sizeof(int32_t), &status);
        A_vals = gn_resize(A_vals, capacity, sizeof(double), &status);
        if (status != GN_OK) {
            goto done;
        }
        A2_capacity = capacity;
    }
    /* block: iterate every block */
    int64_t block_end_2 = gn_floordiv_int64(((int64_t) B2_pos[B1_dimension]) - B2_pos[0] + 31, 32);
    B2_crd_device = gn_device_lend(B2_crd, B->level[1].length[1], sizeof(int32_t), &status);
    B_vals_device = gn_device_lend(B_vals, B->size, sizeof(double), &status);
    C_vals_device = gn_device_lend(C_vals, C->size, sizeof(double), &status);
    D_vals_device = gn_device_lend(D_vals, D->size, sizeof(double), &status);
    A2_crd_device = gn_device_lend(A2_crd, A2_capacity, sizeof(int32_t), &status);
    A_vals_device = gn_device_lend(A_vals, A2_capacity, sizeof(double), &status);
    A2_pos_device = gn_device_lend(A2_pos, B1_dimension + 1, sizeof(int32_t), &status);
    {
        void *arguments[13] = {(void *) (&block_end_2), (void *) (&pA2), (void *) (&A2_first_device),
                (void *) (&B2_pos_device), (void *) (&B1_dimension), (void *) (&B2_crd_device),
                (void *) (&C2_dimension), (void *) (&B_vals_device), (void *) (&C_vals_device),
                (void *) (&D_vals_device), (void *) (&A2_crd_device), (void *) (&A_vals_device),
                (void *) (&A2_pos_device)};
        gn_launch((const void *) evaluate_block, (block_end_2 + 7) / 8, 256, arguments, &status);
    }
    gn_device_get(A2_first, A2_first_device, block_end + 1, sizeof(int64_t), &status);
    gn_device_get(A2_crd, A2_crd_device, A2_capacity, sizeof(int32_t), &status);
    gn_device_get(A_vals, A_vals_device, A2_capacity, sizeof(double), &status);
    gn_device_get(A2_pos, A2_pos_device, B1_dimension + 1, sizeof(int32_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    pA2 += A2_total;
    if (pA2 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total = A2_pos[0];
    for (int64_t p = 1; p < B1_dimension + 1; p++) {
        total += A2_pos[p];
        A2_pos[p] = (int32_t) total;
    }
    A->level[1].array[0] = A2_pos;
    A->level[1].length[0] = B1_dimension + 1;
    A->level[1].array[1] = A2_crd;
    A->level[1].length[1] = pA2;
    A->vals = A_vals;
    A->size = pA2;
    done:;
    if (status != GN_OK) {
        free(A2_pos);
        free(A2_crd);
        free(A_vals);
    }
    free(A2_first);
    free(A_reached);
    gn_device_return(B2_pos_device);
    gn_device_return(A2_first_device);
    gn_device_return(A_reached_device);
    gn_device_return(A2_total_device);
    gn_device_return(B2_crd_device);
    gn_device_return(B_vals_device);
    gn_device_return(C_vals_device);
    gn_device_return(D_vals_device);
    gn_device_return(A2_crd_device);
    gn_device_return(A_vals_device);
    gn_device_return(A2_pos_device);
    return status;
}
