// The single binary for this machine, in dist/paquebot or the path given.

import { join } from 'node:path'
import { buildBinary } from './binary.ts'

const outfile = process.argv[2] ?? join(import.meta.dir, '../dist/paquebot')
await buildBinary(outfile)
process.stdout.write(`built ${outfile}\n`)
