// The smallest program with device code. It tests whether such code links, and shows its format.
int main() {
  int done = 0;
#pragma omp target map(from : done)
  done = 1;
  return done - 1;
}
