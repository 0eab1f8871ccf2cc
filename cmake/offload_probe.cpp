// The smallest program with device code: whether it links, and what the code's format is.
int main() {
  int done = 0;
#pragma omp target map(from : done)
  done = 1;
  return done - 1;
}
