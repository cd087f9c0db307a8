#include "gnomon_cuda.h"

void ttv(const int32_t *B3_pos, const int32_t *B3_crd, const double *B_vals, const double *c_vals, double *A_vals,
        int64_t fibers);

int evaluate(gn_tensor *A, const gn_tensor *B, const gn_tensor *c)
{
    int status = GN_OK;
    int64_t fibers = B->level[1].length[1];
    gn_device_find(&status);
    int32_t *B3_pos = gn_device_lend(B->level[2].array[0], fibers + 1, sizeof(int32_t), &status);
    int32_t *B3_crd = gn_device_lend(B->level[2].array[1], B->size, sizeof(int32_t), &status);
    double *B_vals = gn_device_lend(B->vals, B->size, sizeof(double), &status);
    double *c_vals = gn_device_lend(c->vals, c->size, sizeof(double), &status);
    double *A_vals = gn_device_array(fibers, sizeof(double), &status);
    void *arguments[6] = {&B3_pos, &B3_crd, &B_vals, &c_vals, &A_vals, &fibers};
    gn_launch((const void *)ttv, (fibers + 255) / 256, 256, arguments, &status);
    gn_device_get(A->vals, A_vals, fibers, sizeof(double), &status);
    gn_device_return(B3_pos);
    gn_device_return(B3_crd);
    gn_device_return(B_vals);
    gn_device_return(c_vals);
    gn_device_free(A_vals);
    return status;
}
