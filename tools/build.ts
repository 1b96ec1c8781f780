// The single binary for this machine, in dist/paquebot or the path given.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildBinary } from './binary.ts'

// An option is an error: it is no path.
const { positionals } = parseArgs({ allowPositionals: true })
const outfile = positionals[0] ?? join(import.meta.dir, '../dist/paquebot')
await buildBinary(outfile)
process.stdout.write(`built ${outfile}\n`)
