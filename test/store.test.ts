// Where backups are kept: a folder, and an S3-compatible store that answers, is silent, is cut off, or says no.

import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../src/core/config.ts'
import { openStore } from '../src/kit/store/open.ts'
import { S3Store } from '../src/kit/store/s3.ts'
import { sign } from '../src/kit/store/sign.ts'
import type { Store } from '../src/kit/store/store.ts'
import { freshDirectory } from './support/place.ts'
import { type S3Server, s3Server } from './support/s3-server.ts'

const hasty = { silentMs: 150, pausesMs: [1, 1], partBytes: 1_000 }

function storeAt(server: S3Server, patience = hasty): Store {
  const { s3 } = readConfig(server.environment, '/')
  return new S3Store('s3://bucket/backups/a', s3, freshDirectory(), patience)
}

function fileOf(text: string): string {
  const path = join(freshDirectory(), 'file')
  writeFileSync(path, text)
  return path
}

async function textOf(store: Store, name: string): Promise<string> {
  return Buffer.concat(await Array.fromAsync(store.get(name))).toString()
}

/** More than three parts. */
const long = 'long '.repeat(800)

describe.each(['folder', 's3'])('a store: %s', (kind) => {
  test('keeps what it is given under a name that is free, lists, returns and deletes it', async () => {
    await using server = await s3Server()
    const store = kind === 's3' ? storeAt(server) : openStore(freshDirectory(), readConfig({}, '/').s3, '/')
    expect(await store.list('')).toEqual([])
    for (const name of ['c', 'a-1', 'a-2', 'a-3', 'b'])
      expect(await store.put(name, fileOf(name === 'b' ? long : name))).toBe('stored')
    expect(await store.list('')).toEqual(['a-1', 'a-2', 'a-3', 'b', 'c'])
    expect(await store.list('a-')).toEqual(['a-1', 'a-2', 'a-3'])
    expect(await textOf(store, 'b')).toBe(long)
    // The same again is what a lost answer leads to; anything else is somebody else's.
    expect(await store.put('b', fileOf(long))).toBe('stored')
    expect(await store.put('b', fileOf(`${long}!`))).toBe('taken')
    expect(await store.put('c', fileOf('other'))).toBe('taken')
    await store.delete('c')
    await store.delete('c')
    expect(await store.list('c')).toEqual([])
    await expect(textOf(store, 'c')).rejects.toMatchObject({ code: 'not_found' })
    expect(server.open()).toBe(0)
  })
})

test('a folder on another disk gets a whole file', async () => {
  // The working directory is on a disk, the place of tests most often in memory.
  const folder = join(process.cwd(), 'dist', 'store-test')
  mkdirSync(folder, { recursive: true })
  const store = openStore(folder, readConfig({}, '/').s3, '/')
  await store.delete('a')
  expect(await store.put('a', fileOf(long))).toBe('stored')
  expect(await textOf(store, 'a')).toBe(long)
  expect(readdirSync(folder)).toEqual(['a'])
  await store.delete('a')
  expect(existsSync(join(folder, 'a'))).toBe(false)
})

describe('a store elsewhere', () => {
  test('that is silent, or busy, is given up in time, with what it is', async () => {
    await using server = await s3Server()
    // So long that each request has arrived when it is given up, also on a busy machine.
    const store = storeAt(server, { ...hasty, silentMs: 600 })
    for (const [fault, said] of [
      ['silent', 'the server is silent'],
      [503, 'the server answered 503: Trouble'],
      ['lost', 'cannot be reached'],
    ] as const) {
      server.asked.length = 0
      server.fault = () => fault
      await expect(store.list('')).rejects.toThrow(said)
      await expect(store.put('a', fileOf('a'))).rejects.toThrow(said)
      await expect(textOf(store, 'a')).rejects.toThrow(said)
      // Three times each, and once more on a connection that had been left open.
      expect(server.asked.length).toBeWithin(9, 13)
    }
  })

  test('is asked again after a fault that passes, and nothing is stored twice', async () => {
    await using server = await s3Server()
    const store = storeAt(server)
    for (const fault of ['silent', 503, 'lost'] as const) {
      // Every second request fails.
      server.fault = (_asked, count) => (count % 2 === 1 ? fault : undefined)
      expect(await store.put(`short-${fault}`, fileOf('a'))).toBe('stored')
      expect(await store.put(`long-${fault}`, fileOf(long))).toBe('stored')
      server.fault = () => undefined
      expect(await textOf(store, `long-${fault}`)).toBe(long)
    }
    expect((await store.list('')).length).toBe(6)
  })

  test('is not asked again where that mends nothing, and what it says is told', async () => {
    await using server = await s3Server()
    server.environment.S3_SECRET_ACCESS_KEY = 'wrong'
    await expect(storeAt(server).list('')).rejects.toThrow('the server answered 403: SignatureDoesNotMatch')
    expect(server.asked.length).toBe(1)
  })

  test('that cuts a file off gives none', async () => {
    await using server = await s3Server()
    const store = storeAt(server)
    await store.put('a', fileOf(long))
    server.fault = () => 'cut'
    await expect(textOf(store, 'a')).rejects.toThrow('was cut off after')
  })

  test('leaves no half of a file that could not be stored', async () => {
    await using server = await s3Server()
    const store = storeAt(server)
    server.fault = ({ query }) => (query.get('partNumber') === '3' ? 500 : undefined)
    await expect(store.put('a', fileOf(long))).rejects.toThrow('500')
    expect([server.open(), server.objects.size]).toEqual([0, 0])
  })
})

test('a signature is the one that Amazon’s own example has, and Bun’s', () => {
  const access = {
    region: 'us-east-1',
    keyId: 'AKIAIOSFODNN7EXAMPLE',
    secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  }
  const signatureOf = (url: string, now: Date) =>
    sign({ method: 'GET', url: new URL(url), now, expiresS: 86_400 }, access).searchParams.get('X-Amz-Signature')
  expect(signatureOf('https://examplebucket.s3.amazonaws.com/test.txt', new Date('2013-05-24T00:00:00Z'))).toBe(
    'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  )
  const presigned = new URL(
    new Bun.S3Client({
      accessKeyId: access.keyId,
      secretAccessKey: access.secret,
      region: access.region,
      endpoint: 'https://store.example.com',
      bucket: 'bucket',
    }).presign('folder/a name.zst', { method: 'GET', expiresIn: 86_400 }),
  )
  const [, y, mo, d, h, mi, s] =
    /^(....)(..)(..)T(..)(..)(..)Z$/.exec(presigned.searchParams.get('X-Amz-Date') ?? '') ?? []
  expect(
    signatureOf(`https://store.example.com${presigned.pathname}`, new Date(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`)),
  ).toBe(presigned.searchParams.get('X-Amz-Signature'))
})
