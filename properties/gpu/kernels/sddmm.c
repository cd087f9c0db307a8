#include "gnomon_cuda.h"

void sddmm(const int32_t *B2_pos, const int32_t *B2_crd, const double *B_vals, const double *C_vals,
        const double *D_vals, double *A_vals, int64_t rows, int64_t inner);

int evaluate(gn_tensor *A, const gn_tensor *B, const gn_tensor *C, const gn_tensor *D)
{
    int status = GN_OK;
    int64_t rows = B->level[0].extent, inner = C->level[1].extent;
    gn_device_find(&status);
    int32_t *B2_pos = gn_device_lend(B->level[1].array[0], rows + 1, sizeof(int32_t), &status);
    int32_t *B2_crd = gn_device_lend(B->level[1].array[1], B->size, sizeof(int32_t), &status);
    double *B_vals = gn_device_lend(B->vals, B->size, sizeof(double), &status);
    double *C_vals = gn_device_lend(C->vals, C->size, sizeof(double), &status);
    double *D_vals = gn_device_lend(D->vals, D->size, sizeof(double), &status);
    double *A_vals = gn_device_array(B->size, sizeof(double), &status);
    void *arguments[8] = {&B2_pos, &B2_crd, &B_vals, &C_vals, &D_vals, &A_vals, &rows, &inner};
    gn_launch((const void *)sddmm, (rows + 7) / 8, 256, arguments, &status);
    gn_device_get(A->vals, A_vals, B->size, sizeof(double), &status);
    gn_device_return(B2_pos);
    gn_device_return(B2_crd);
    gn_device_return(B_vals);
    gn_device_return(C_vals);
    gn_device_return(D_vals);
    gn_device_free(A_vals);
    return status;
}
