// Copies the database of a running server; run by replay.ts: bun test/bench/replay-copy.ts FROM TO

import { copyDatabase } from '../../db/copy-file.ts'

const [, , from = '', to = ''] = process.argv
copyDatabase(from, to)
