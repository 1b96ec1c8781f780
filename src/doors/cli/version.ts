// paquebot version

import { version } from '../../kit/version.ts'
import { defineCommand } from './command.ts'

export const versionCommand = defineCommand({
  name: 'version',
  says: 'Prints the version.',
  flags: {},
  run: async () => ({ json: { version, bun: Bun.version }, lines: [`paquebot ${version} (Bun ${Bun.version})`] }),
})
