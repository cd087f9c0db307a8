"""C and CUDA from statements. Nothing is generated yet."""
