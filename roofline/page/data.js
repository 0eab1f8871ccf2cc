// What the page was made of.

const report = JSON.parse(document.getElementById('report-data').textContent);
