// Ends a test run with one line for machines: "N passed, N failed".
import type { Reporter, TestModule } from 'vitest/node';

export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const { passed, failed } = count(modules);
    const line = `${passed} passed, ${failed + unhandledErrors.length} failed\n`;
    // Other reporters still write at the end of the run; this line comes after theirs.
    process.once('exit', () => process.stdout.write(line));
  }
}

/** A file that could not be loaded counts as one failed test. */
function count(modules: readonly TestModule[]) {
  let passed = 0;
  let failed = 0;
  for (const module of modules) {
    failed += module.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') passed += 1;
      if (state === 'failed') failed += 1;
    }
    for (const suite of module.children.allSuites()) failed += suite.errors().length;
  }
  return { passed, failed };
}

// The test runner loads a reporter by its default export.
export default SummaryReporter;
