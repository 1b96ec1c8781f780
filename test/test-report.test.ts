// What the run of all tests says of a failure in the end, out of what the runner wrote.

import { expect, test } from 'bun:test'
import { readReport } from './support/test-report.ts'

test('every failure is told with its place, its groups and what was expected', () => {
  const report = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="bun test" tests="6" assertions="9" failures="3" skipped="1" time="3.5">
  <testsuite name="test/a.test.ts" file="test/a.test.ts" tests="5" assertions="9" failures="2" skipped="1" time="2.25" hostname="x">
    <testsuite name="group" file="test/a.test.ts" line="3" tests="2" assertions="2" failures="1" skipped="0" time="1">
      <testcase name="good" classname="group" time="1" file="test/a.test.ts" line="4" assertions="1" />
      <testcase name="a &lt; b" classname="group" time="1" file="test/a.test.ts" line="5" assertions="1">
        <failure type="AssertionError" message="expected&#10;&quot;1&quot;">AssertionError: expected&#10;&quot;1&quot;&#10;      at test/a.test.ts:6:19
</failure>
      </testcase>
    </testsuite>
    <testcase name="left out" classname="" time="0" file="test/a.test.ts" line="9" assertions="0">
      <skipped />
    </testcase>
    <testcase name="late" classname="" time="5" file="test/a.test.ts" line="12" assertions="0">
      <failure type="TimeoutError" message="test timed out" />
    </testcase>
  </testsuite>
  <testsuite name="test/b.test.ts" file="test/b.test.ts" tests="1" assertions="0" failures="1" skipped="0" time="0.5" hostname="x">
    <testcase name="(worker crashed)" classname="" time="0" file="test/b.test.ts" assertions="0">
      <failure type="Error" message="worker process crashed before reporting results" />
    </testcase>
  </testsuite>
</testsuites>`
  expect(readReport(report)).toEqual({
    passed: 2,
    failed: 3,
    failures: [
      {
        title: 'test/a.test.ts:5 > group > a < b',
        message: 'AssertionError: expected\n"1"\n      at test/a.test.ts:6:19',
      },
      { title: 'test/a.test.ts:12 > late', message: 'test timed out' },
      { title: 'test/b.test.ts > (worker crashed)', message: 'worker process crashed before reporting results' },
    ],
    files: [
      { name: 'test/a.test.ts', seconds: 2.25 },
      { name: 'test/b.test.ts', seconds: 0.5 },
    ],
  })
  expect(readReport('')).toBeNull()
})
