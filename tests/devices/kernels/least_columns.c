#include "gnomon_cuda.h"

void least_columns(const int32_t *A2_crd, const int16_t *A_vals, int16_t *y_vals, int64_t size, int64_t columns);
void least_columns_start(int16_t *y_vals, int64_t columns);

int evaluate(gn_tensor *y, const gn_tensor *A)
{
    int status = GN_OK;
    int64_t size = A->size, columns = A->level[1].extent;
    gn_device_find(&status);
    int32_t *A2_crd = gn_device_array(size, sizeof(int32_t), &status);
    int16_t *A_vals = gn_device_array(size, sizeof(int16_t), &status);
    int16_t *y_vals = gn_device_array(columns, sizeof(int16_t), &status);
    gn_device_put(A2_crd, A->level[1].array[1], size, sizeof(int32_t), &status);
    gn_device_put(A_vals, A->vals, size, sizeof(int16_t), &status);
    void *first[2] = {&y_vals, &columns};
    gn_launch((const void *)least_columns_start, (columns + 31) / 32, 32, first, &status);
    void *arguments[5] = {&A2_crd, &A_vals, &y_vals, &size, &columns};
    gn_launch((const void *)least_columns, 2, 32, arguments, &status);
    gn_device_finish(&status);
    gn_device_get(y->vals, y_vals, columns, sizeof(int16_t), &status);
    gn_device_free(A2_crd);
    gn_device_free(A_vals);
    gn_device_free(y_vals);
    return status;
}
