// Pictures from the command line, and what becomes of them in a backup: they are in it, it is checked with them, and a restored installation
// serves them at the addresses that mails already have.

import { expect, test } from 'bun:test'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cli } from './support/cli.ts'
import { remoteDatabase } from './support/database.ts'
import { png } from './support/picture.ts'
import { freshDirectory } from './support/place.ts'

const passphrase = { BACKUP_PASSPHRASE: 'correct horse battery staple' }
const initArgs = ['init', '--workspace', 'acme', '--email', 'ada@example.net', '--json']
const logo = png({ width: 60, height: 20 })
const photo = png({ width: 30, height: 30 })

function fileOf(name: string, bytes: Uint8Array | string): string {
  const path = join(freshDirectory(), name)
  writeFileSync(path, bytes)
  return path
}

test('a file that is no picture is refused by the command, and one that is not there by its name', async () => {
  using paquebot = await cli()
  await paquebot.run(initArgs)
  const add = (file: string) => paquebot.run(['media', 'add', file, '--workspace', 'acme'])
  expect((await add(fileOf('a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'))).err).toContain('SVG is refused')
  expect((await add('/nowhere/a.png')).err).toContain('/nowhere/a.png cannot be read')
})

test.skipIf(remoteDatabase)('added, listed, backed up and restored, they are served where they were', async () => {
  using paquebot = await cli()
  await paquebot.run(initArgs)
  const added = [fileOf('logo.png', logo), fileOf('photo.png', photo)]
  const { json } = await paquebot.run(['media', 'add', ...added, '--workspace', 'acme', '--alt', 'Ours', '--json'])
  expect(json.media).toMatchObject([
    { name: 'logo.png', alt: 'Ours', width: 60, height: 20 },
    { name: 'photo.png', alt: 'Ours', width: 30, height: 30 },
  ])
  const listed = await paquebot.run(['media', 'list', '--workspace', 'acme'])
  expect(listed.out).toContain('photo.png')

  const folder = join(freshDirectory(), 'backups')
  const taken = await paquebot.run(['backup', folder, '--json'], passphrase)
  expect(taken.code, taken.err).toBe(0)
  expect((await paquebot.run(['verify', taken.json.path], passphrase)).out).toContain('All checks passed.')

  const to = join(freshDirectory(), 'restored')
  expect((await paquebot.run(['restore', taken.json.path, '--to', to], passphrase)).code).toBe(0)
  expect(readdirSync(join(to, 'media')).sort()).toEqual(json.media.map(({ id }: { id: string }) => id).sort())
  const served = await paquebot.serve({ DATA_DIR: to, DATABASE_URL: `file:${join(to, 'paquebot.db')}` })
  const answer = await fetch(served.url + new URL(json.media[0].url).pathname)
  expect(Buffer.from(await answer.arrayBuffer()).equals(logo)).toBe(true)

  // One that somebody deleted by hand is not in the next backup, which is whole for all that.
  rmSync(join(paquebot.directory, 'media', json.media[1].id))
  const next = await paquebot.run(['backup', join(freshDirectory(), 'backups'), '--json'], passphrase)
  expect(next.code, next.err).toBe(0)
})
