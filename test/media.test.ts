// Pictures that are uploaded: what is taken for one, where it is served, what shows it, when it may be deleted, and that nothing of an
// upload that broke off stays.

import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { mediaUnowned } from '../db/tables/media.ts'
import { write } from '../src/core/app.ts'
import { readPicture } from '../src/kit/picture/read.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { eventually } from './support/eventually.ts'
import { longestBlock, maxBlockMs } from './support/loop-monitor.ts'
import { gif, jpeg, losslessWebp, movingGif, png, webp } from './support/picture.ts'
import { s3Server } from './support/s3-server.ts'

const path = '/v1/media'
const bytesOnly = { headers: { 'content-type': 'application/octet-stream' } }
const logo = png({ width: 120, height: 40 })
const mib = 1024 * 1024

async function upload(t: TestApp, bytes: Buffer, query = '', status = 201): Promise<Json> {
  const reply = await t.request('POST', path + query, new Uint8Array(bytes), bytesOnly)
  if (reply.status !== status) throw new Error(`${reply.status} instead of ${status}: ${reply.text}`)
  return reply.body
}

const loaded = (t: TestApp, url: string, headers: Record<string, string> = {}) =>
  fetch(t.url + new URL(url).pathname, { headers })

function filesOf(t: TestApp): string[] {
  const { to } = t.app.config.media
  return existsSync(to) ? readdirSync(to) : []
}

const shows = (src: string) => [{ type: 'image', src, alt: 'Our logo' }]

describe('what is a picture', () => {
  test('its bytes say, with its size the way up it is shown, and whether it moves', () => {
    const told = [logo, jpeg(30, 20), jpeg(30, 20, { turned: true }), webp, losslessWebp, gif, movingGif].map(
      readPicture,
    )
    expect(told).toEqual([
      { kind: 'png', width: 120, height: 40, frames: 1 },
      { kind: 'jpeg', width: 30, height: 20, frames: 1 },
      { kind: 'jpeg', width: 20, height: 30, frames: 1 },
      { kind: 'webp', width: 1, height: 1, frames: 1 },
      { kind: 'webp', width: 1, height: 1, frames: 1 },
      { kind: 'gif', width: 1, height: 1, frames: 1 },
      { kind: 'gif', width: 3, height: 2, frames: 2 },
    ])
    expect(readPicture(png({ width: 2, height: 2, frames: 7 }))).toMatchObject({ frames: 7 })
  })

  test('one that was cut off anywhere is damaged, and no cut throws', () => {
    for (const whole of [logo, webp, losslessWebp, gif, movingGif])
      for (let length = 12; length < whole.length; length++)
        expect(readPicture(whole.subarray(0, length))).toMatchObject({ fault: 'damaged' })
    const photo = jpeg(30, 20, { turned: true })
    for (let length = 4; length < photo.length - 2; length++)
      expect(readPicture(photo.subarray(0, length))).toMatchObject({ fault: 'damaged' })
  })

  test('any byte of its headers may be another: it is a picture or a fault', () => {
    for (const whole of [logo, webp, losslessWebp, movingGif, jpeg(30, 20, { turned: true })])
      for (let at = 0; at < whole.length; at++)
        for (const byte of [0, 1, 0x7f, 0xff]) {
          const other = Buffer.from(whole)
          other[at] = byte
          expect(readPicture(other)).toBeObject()
        }
  })
})

describe('an upload', () => {
  test('is stored once, served for ever, and listed with what it says', async () => {
    await using t = await testApp()
    const made = await upload(t, logo, '?name=Logo&alt=A%20blue%20field')
    expect(made).toMatchObject({
      ...{ name: 'Logo', alt: 'A blue field', contentType: 'image/png', bytes: logo.length, animated: false },
      ...{ width: 120, height: 40 },
    })
    expect(made.url).toMatch(/\/media\/[0-9a-f]{32}\.png$/)
    const again = await upload(t, logo, '?name=Other', 200)
    expect(again).toEqual(made)
    expect(filesOf(t)).toEqual([made.id])
    const answer = await loaded(t, made.url)
    expect(Buffer.from(await answer.arrayBuffer()).equals(logo)).toBe(true)
    const headers = Object.fromEntries(answer.headers)
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(logo.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect(headers).not.toHaveProperty('set-cookie')
    const etag = headers['etag'] ?? ''
    expect((await loaded(t, made.url, { 'if-none-match': etag })).status).toBe(304)
    expect((await loaded(t, made.url.replace('.png', '.gif'))).status).toBe(404)
    const head = await fetch(t.url + new URL(made.url).pathname, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(logo.length)])
  })

  test('pages and search: by a part of the name or of the alternative text', async () => {
    await using t = await testApp()
    for (const n of [1, 2, 3]) await upload(t, png({ width: n, height: 1 }), `?name=Picture%20${n}&alt=Number%20${n}`)
    const first = await t.get(`${path}?perPage=2`, 200)
    const second = await t.get(`${path}?perPage=2&cursor=${first.pagination.nextCursor}`, 200)
    const names = [...first.data, ...second.data].map(({ name }: Json) => name)
    expect(names).toEqual(['Picture 3', 'Picture 2', 'Picture 1'])
    expect(first.pagination.totalResults).toBe(3)
    expect((await t.get(`${path}?search=number%202`, 200)).data).toMatchObject([{ name: 'Picture 2' }])
    expect((await t.get(`${path}?search=100%25`, 200)).data).toEqual([])
    const { id } = first.data[0]
    expect(await t.patch(`${path}/${id}`, { alt: 'Three' }, 200)).toMatchObject({ name: 'Picture 3', alt: 'Three' })
  })

  test('is refused with why, and leaves nothing', async () => {
    await using t = await testApp()
    const svg = '<?xml version="1.0"?>\n<!-- mine -->\n<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'
    const refused: [Buffer, number, string][] = [
      [Buffer.from(svg), 415, 'SVG is refused: it may hold scripts'],
      [Buffer.from('%PDF-1.7'), 415, 'send PNG, JPEG, WebP or GIF'],
      [Buffer.alloc(0), 415, 'the body is empty'],
      [logo.subarray(0, 60), 422, 'the PNG is damaged or not whole'],
      [png({ width: 20_000, height: 20, hasPixels: false }), 422, 'a side may have at most 16384'],
      [png({ width: 10_000, height: 10_000, hasPixels: false }), 422, 'at most 50 million'],
      [png({ width: 1_000, height: 1_000, frames: 4_000, hasPixels: false }), 422, '1000 million together'],
      [png({ width: 9, height: 9, bytes: 10 * mib + 1 }), 413, '10485760 bytes (10 MB)'],
    ]
    for (const [bytes, status, why] of refused) expect((await upload(t, bytes, '', status)).detail).toContain(why)
    expect((await upload(t, logo, '?name=a%0Ab', 422)).detail).toContain('name')
    expect(filesOf(t)).toEqual([])
    expect(await t.app.db.select().from(mediaUnowned)).toEqual([])
    expect((await t.get(path, 200)).data).toEqual([])
  })

  test('more than the workspace may have is refused, whatever was removed in between', async () => {
    await using t = await testApp({ environment: { MEDIA_WORKSPACE_MB: '1' } })
    const first = await upload(t, png({ width: 1, height: 1, bytes: 600_000 }))
    const second = png({ width: 2, height: 1, bytes: 600_000 })
    expect((await upload(t, second, '', 413)).detail).toContain('have 600000 of 1000000 bytes')
    await t.delete(`${path}/${first.id}`, undefined, 200)
    await upload(t, second)
    expect((await t.get(path, 200)).storage).toEqual({ usedBytes: 600_000, limitBytes: 1_000_000 })
  })

  test('that breaks off leaves nothing; what a process left behind is swept', async () => {
    await using t = await testApp()
    const { host, hostname, port } = new URL(t.url)
    const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${t.apiKey}\r\nContent-Type: image/png\r\nContent-Length: 400000\r\n\r\n`
    const socket = connect({ host: hostname, port: Number(port) })
    socket.write(head)
    socket.write(png({ width: 5, height: 5, bytes: 400_000 }).subarray(0, 200_000))
    await eventually(() => filesOf(t).length).toBe(1)
    socket.destroy()
    await eventually(() => t.app.db.select().from(mediaUnowned)).toEqual([])
    expect(filesOf(t)).toEqual([])
    const { to } = t.app.config.media
    for (const name of ['med_lost', '.arriving-med_lost']) await Bun.write(join(to, name), 'lost')
    await write(t.app, (tx) => tx.db.insert(mediaUnowned).values({ id: 'med_lost', createdAt: tx.now }))
    await t.cleanUp()
    expect(filesOf(t)).toHaveLength(2)
    await t.advance('2h')
    await t.cleanUp()
    expect(filesOf(t)).toEqual([])
  })

  test('of 10 MB holds nobody up', async () => {
    await using t = await testApp()
    let n = 0
    const { blockMs } = await longestBlock(
      'an upload of 10 MB',
      async (bytes: Buffer) => upload(t, bytes),
      async () => png({ width: 5, height: 5, bytes: 10 * mib, note: String(++n) }),
    )
    expect(blockMs).toBeLessThan(maxBlockMs)
  })
})

describe('what shows a picture', () => {
  test('is named, and keeps it: templates, campaigns, the brand; then only those that were sent', async () => {
    await using t = await testApp()
    const { id, url } = await upload(t, logo)
    await t.template({ id: 'welcome', name: 'Welcome', content: shows(url) })
    const list = await t.post('/v1/mailing-lists', { name: 'News' }, 201)
    const draft = { name: 'May', subject: 'May', content: shows(url), mailingListId: list.id }
    const campaign = await t.post('/v1/campaigns', draft, 201)
    const recurring = await t.post(
      '/v1/recurring-campaigns',
      { ...draft, schedule: { every: 'day', at: '09:00' } },
      201,
    )
    await t.patch('/v1/workspace', { brand: { logoUrl: url } }, 200)
    expect((await t.get(`${path}/${id}`, 200)).usedBy).toEqual([
      { kind: 'template', id: 'welcome', name: 'Welcome' },
      { kind: 'campaign', id: campaign.id, name: 'May' },
      { kind: 'recurringCampaign', id: recurring.id, name: 'May' },
      { kind: 'brand', id: t.workspace.id, name: t.workspace.name },
    ])
    const refused = await t.delete(`${path}/${id}`, undefined, 409)
    expect(refused).toMatchObject({ code: 'media_in_use' })
    expect(refused.detail).toContain(
      `template welcome, campaign ${campaign.id}, recurring campaign ${recurring.id}, the brand`,
    )

    const other = [{ type: 'text', text: 'No picture' }]
    await t.put('/v1/transactional/update', { templateId: 'welcome', content: other }, 200)
    await t.patch(`/v1/campaigns/${campaign.id}`, { content: other }, 200)
    await t.patch(`/v1/recurring-campaigns/${recurring.id}`, { content: other }, 200)
    await t.patch('/v1/workspace', { brand: { logoUrl: null } }, 200)
    expect((await t.get(`${path}/${id}`, 200)).usedBy).toEqual([])
    // Mails that were sent in between load it.
    expect(await t.delete(`${path}/${id}`, undefined, 200)).toMatchObject({ outcome: 'removed' })
    expect((await t.get(path, 200)).data).toEqual([])
    expect((await loaded(t, url)).status).toBe(200)
    // The same bytes bring it back, at the same address.
    expect(await upload(t, logo, '?name=Back', 200)).toMatchObject({ id, url, name: 'Back' })
    expect((await t.get(path, 200)).data).toMatchObject([{ id }])
    expect(await t.delete(`${path}/${id}?force=true`, undefined, 200)).toMatchObject({ outcome: 'deleted' })
    expect((await loaded(t, url)).status).toBe(404)
    expect(filesOf(t)).toEqual([])
  })

  test('one that nothing ever showed is deleted with its file', async () => {
    await using t = await testApp()
    const { id, url } = await upload(t, logo)
    expect(await t.delete(`${path}/${id}`, undefined, 200)).toMatchObject({ outcome: 'deleted' })
    expect((await loaded(t, url)).status).toBe(404)
    expect(filesOf(t)).toEqual([])
  })

  test('another workspace has the same bytes for itself, and sees nothing of this one', async () => {
    await using t = await testApp()
    const mine = await upload(t, logo)
    const { apiKey } = await t.stranger()
    const options = { headers: bytesOnly.headers, as: { apiKey } }
    const reply = await t.request('POST', path, new Uint8Array(logo), options)
    expect(reply.status).toBe(201)
    expect(reply.body.url).not.toBe(mine.url)
    await t.delete(`${path}/${mine.id}?force=true`, undefined, 404, { as: { apiKey } })
    await t.delete(`${path}/${reply.body.id}`, undefined, 200, { as: { apiKey } })
    expect((await loaded(t, mine.url)).status).toBe(200)
  })
})

test('in an S3-compatible store they are stored, served and deleted the same', async () => {
  await using server = await s3Server()
  await using t = await testApp({ environment: { ...server.environment, MEDIA_TO: 's3://bucket/pictures' } })
  const made = await upload(t, logo)
  expect([...server.objects.keys()]).toEqual([`bucket/pictures/${made.id}`])
  const answer = await loaded(t, made.url)
  expect(Buffer.from(await answer.arrayBuffer()).equals(logo)).toBe(true)
  await t.delete(`${path}/${made.id}`, undefined, 200)
  expect(server.objects.size).toBe(0)
  expect(readdirSync(join(t.app.config.dataDir, 'media-arriving'))).toEqual([])
})

test('where the store says no, so does the answer, and what it keeps is swept once it answers again', async () => {
  await using server = await s3Server()
  await using t = await testApp({ environment: { ...server.environment, MEDIA_TO: 's3://bucket/pictures' } })
  const made = await upload(t, logo)
  server.fault = () => 403
  expect((await upload(t, png({ width: 9, height: 9 }), '', 503)).detail).toContain('does not answer')
  expect((await loaded(t, made.url)).status).toBe(503)
  expect(await t.delete(`${path}/${made.id}`, undefined, 200)).toMatchObject({ outcome: 'deleted' })
  expect(server.objects.size).toBe(1)
  server.fault = () => undefined
  await t.advance('2h')
  await t.cleanUp()
  expect(server.objects.size).toBe(0)
  expect(await t.app.db.select().from(mediaUnowned)).toEqual([])
})

test('a file that somebody took away by hand is 404, and its upload brings it back', async () => {
  await using t = await testApp()
  const made = await upload(t, logo)
  rmSync(join(t.app.config.media.to, made.id))
  expect((await loaded(t, made.url)).status).toBe(404)
  await upload(t, logo, '', 200)
  expect((await loaded(t, made.url)).status).toBe(200)
  expect(filesOf(t)).toEqual([made.id])
})
