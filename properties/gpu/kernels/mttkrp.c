#include "gnomon_cuda.h"

void mttkrp(const int32_t *B1_crd, const int32_t *B2_crd, const int32_t *B3_crd, const double *B_vals,
        const double *C_vals, const double *D_vals, double *A_vals, int64_t size, int64_t columns);

int evaluate(gn_tensor *A, const gn_tensor *B, const gn_tensor *C, const gn_tensor *D)
{
    int status = GN_OK;
    int64_t size = B->size, columns = C->level[1].extent;
    gn_device_find(&status);
    int32_t *B1_crd = gn_device_lend(B->level[0].array[1], size, sizeof(int32_t), &status);
    int32_t *B2_crd = gn_device_lend(B->level[1].array[0], size, sizeof(int32_t), &status);
    int32_t *B3_crd = gn_device_lend(B->level[2].array[0], size, sizeof(int32_t), &status);
    double *B_vals = gn_device_lend(B->vals, size, sizeof(double), &status);
    double *C_vals = gn_device_lend(C->vals, C->size, sizeof(double), &status);
    double *D_vals = gn_device_lend(D->vals, D->size, sizeof(double), &status);
    double *A_vals = gn_device_array(A->size, sizeof(double), &status);
    gn_device_clear(A_vals, A->size, sizeof(double), &status);
    void *arguments[9] = {&B1_crd, &B2_crd, &B3_crd, &B_vals, &C_vals, &D_vals, &A_vals, &size, &columns};
    gn_launch((const void *)mttkrp, (size + 7) / 8, 256, arguments, &status);
    gn_device_get(A->vals, A_vals, A->size, sizeof(double), &status);
    gn_device_return(B1_crd);
    gn_device_return(B2_crd);
    gn_device_return(B3_crd);
    gn_device_return(B_vals);
    gn_device_return(C_vals);
    gn_device_return(D_vals);
    gn_device_free(A_vals);
    return status;
}
