// What the page was made of, and the words of its kernel.

const report = JSON.parse(document.getElementById('report-data').textContent);

/** Speed: "terms/s". */
const rateUnit = `${report.kernel.work}/s`;
