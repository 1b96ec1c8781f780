#!/usr/bin/env bun
// argv -> command; nothing else.

import { writeSync } from 'node:fs'
import { runCommandLine } from './doors/cli/run.ts'

const code = await runCommandLine(process.argv.slice(2), {
  // Synchronous, because process.exit() would drop what still waits for a pipe.
  out: (text) => void writeSync(1, `${text}\n`),
  err: (text) => void writeSync(2, `${text}\n`),
  isTerminal: { out: Boolean(process.stdout.isTTY), err: Boolean(process.stderr.isTTY) },
  environment: process.env,
})
process.exit(code)
