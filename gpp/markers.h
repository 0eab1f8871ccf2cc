// The one thing the physics must know about GPUs: how to say that a function runs there too.
#pragma once

#if defined(__CUDACC__)
#define GPP_HOST_DEVICE __host__ __device__
#else
#define GPP_HOST_DEVICE
#endif
