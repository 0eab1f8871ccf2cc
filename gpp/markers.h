// The macro that marks functions for GPUs, the only GPU feature that the physics needs.
#pragma once

#if defined(__CUDACC__)
#define GPP_HOST_DEVICE __host__ __device__
#else
#define GPP_HOST_DEVICE
#endif
