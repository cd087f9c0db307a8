#include "gnomon_cuda.h"

void spmm(const int32_t *A2_pos, const int32_t *A2_crd, const double *A_vals, const double *B_vals, double *C_vals,
        int64_t rows, int64_t columns);

int evaluate(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    int status = GN_OK;
    int64_t rows = A->level[0].extent, columns = B->level[1].extent;
    gn_device_find(&status);
    int32_t *A2_pos = gn_device_lend(A->level[1].array[0], rows + 1, sizeof(int32_t), &status);
    int32_t *A2_crd = gn_device_lend(A->level[1].array[1], A->size, sizeof(int32_t), &status);
    double *A_vals = gn_device_lend(A->vals, A->size, sizeof(double), &status);
    double *B_vals = gn_device_lend(B->vals, B->size, sizeof(double), &status);
    double *C_vals = gn_device_array(rows * columns, sizeof(double), &status);
    void *arguments[7] = {&A2_pos, &A2_crd, &A_vals, &B_vals, &C_vals, &rows, &columns};
    gn_launch((const void *)spmm, (rows + 7) / 8, 256, arguments, &status);
    gn_device_get(C->vals, C_vals, rows * columns, sizeof(double), &status);
    gn_device_return(A2_pos);
    gn_device_return(A2_crd);
    gn_device_return(A_vals);
    gn_device_return(B_vals);
    gn_device_free(C_vals);
    return status;
}
