// The words of the kernel that was studied.

/** Speed: "terms/s". */
const rateUnit = `${report.kernel.work}/s`;
