// Prints "PASSED FAILED" for one vitest run: its JSON report and its exit status.
import { readFileSync } from 'node:fs';

const [reportFile, exitStatus] = process.argv.slice(2);

/** A file that did not load has no tests in the report and counts as one failure. */
function count(report) {
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
}

function readReport() {
  try {
    return count(JSON.parse(readFileSync(reportFile, 'utf8')));
  } catch {
    return { passed: 0, failed: 0 };
  }
}

const { passed, failed } = readReport();
// A run that ended badly without a failed test crashed, or never ran.
const crashed = failed === 0 && (exitStatus !== '0' || passed === 0);
process.stdout.write(`${passed} ${crashed ? 1 : failed}\n`);
