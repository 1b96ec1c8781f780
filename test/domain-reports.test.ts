// Reports of receivers about a sending domain: taken by SMTP, believed only with the signature of the reporter, and joined to what was sent.

import { describe, expect, test } from 'bun:test'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { write } from '../src/core/app.ts'
import { deleteOldReports } from '../src/features/sending/reports/days.ts'
import { writeZip } from '../src/kit/zip.ts'
import { readDmarcReport } from '../src/mail/dmarc-report.ts'
import { vouchFor } from '../src/people/domain-owners.ts'
import type { Json } from './support/app.ts'
import { nameServer } from './support/dns.ts'
import {
  type ReportRow,
  type ReportStage,
  reportStage,
  reportXml,
  rowXml,
  selectorOf,
  sendingDomain,
  unsigned,
  zipped,
} from './support/reporter.ts'

const now = (stage: ReportStage) => stage.t.app.clock.now()

async function received({ t, domain }: ReportStage): Promise<Json[]> {
  return (await t.get(`/v1/sending-domains/${domain.id}/reports/received`, 200)).data
}

async function sources({ t, domain }: ReportStage, query = ''): Promise<Json[]> {
  return (await t.get(`/v1/sending-domains/${domain.id}/reports${query}`, 200)).data
}

/** Yesterday, as the days show it. */
async function yesterday(stage: ReportStage): Promise<Json> {
  return (await stage.days()).data.at(-2)
}

function rowsOf(domain: Json): ReportRow[] {
  const ours = selectorOf(domain)
  return [
    // Handed over here, through a server that SPF lets send for our envelope.
    {
      ip: '192.0.2.1',
      count: 90,
      dkim: 'pass',
      signatures: [[sendingDomain, ours, 'pass']],
      envelope: ['in.example.net', 'pass'],
    },
    // A forwarder that left the signature whole: ours, and its server proves nothing.
    {
      ip: '198.51.100.9',
      count: 4,
      dkim: 'pass',
      signatures: [[sendingDomain, ours, 'pass']],
      envelope: ['forward.example', 'pass'],
    },
    { ip: '198.51.100.9', count: 3 },
    // A mailing list that changed it.
    {
      ip: '198.51.100.8',
      count: 5,
      signatures: [
        ['list.example', 'x', 'pass'],
        [sendingDomain, ours, 'fail'],
      ],
    },
    // From our server, without a signature.
    { ip: '192.0.2.1', count: 2 },
    { ip: '203.0.113.5', count: 20, dkim: 'pass', signatures: [[sendingDomain, 'google', 'pass']] },
    { ip: '203.0.113.66', count: 40, disposition: 'reject', signatures: [['evil.example', 's', 'pass']] },
    { ip: '203.0.113.67', count: 1, from: `shop.${sendingDomain}`, disposition: 'quarantine' },
  ]
}

describe('a report of DMARC', () => {
  test('tells yours from another service and from a stranger, by key, server and day', async () => {
    await using stage = await reportStage()
    const { t, domain, address } = stage
    const reporter = await stage.reporter('receiver.example')
    const report = zipped(reportXml(now(stage), rowsOf(domain), { id: 'r1' }))
    expect(await stage.bring(await reporter.mail(address, report))).toStartWith('250')
    expect(await yesterday(stage)).toMatchObject({ yoursAligned: 94, yoursBroken: 7, otherService: 20, stranger: 44 })
    const strangers = await sources(stage, '?verdict=stranger')
    expect(strangers).toMatchObject([
      { source: '203.0.113.67', messages: 1, quarantined: 1, reporter: 'receiver.example' },
      { source: '203.0.113.66', signer: 's._domainkey.evil.example', messages: 40, rejected: 40 },
      { source: '198.51.100.9', messages: 3 },
    ])
    const [kept] = await received(stage)
    expect(kept).toMatchObject({
      kind: 'dmarc',
      reporter: 'receiver.example',
      verified: true,
      reportId: 'r1',
      total: 165,
    })
    expect(kept?.lines[0]).toMatchObject({ source: '192.0.2.1', verdict: 'yours_aligned', count: 90 })
    // What the server was seen to be stays known: the next report has no signed row of it.
    const next = zipped(reportXml(now(stage), [{ ip: '192.0.2.1', count: 6 }]))
    expect(await stage.bring(await reporter.mail(address, next))).toStartWith('250')
    expect(await yesterday(stage)).toMatchObject({ yoursBroken: 13, stranger: 44 })
    // But not because somebody else says so.
    const another = await stage.reporter('another.example')
    expect(
      await stage.bring(await another.mail(address, zipped(reportXml(now(stage), [{ ip: '192.0.2.1' }])))),
    ).toStartWith('250')
    expect(await yesterday(stage)).toMatchObject({ yoursBroken: 13, stranger: 45 })
    expect((await t.get('/v1/attention', 200)).data).toContainEqual(
      expect.objectContaining({ code: 'domain_spoofed', thing: { id: domain.id, name: sendingDomain } }),
    )
  })

  test('comes in gzip, in ZIP, as it is, and in the form of RFC 9990', async () => {
    await using stage = await reportStage()
    const reporter = await stage.reporter('receiver.example')
    const row: ReportRow = { count: 1, dkim: 'pass', signatures: [[sendingDomain, 'x', 'pass']] }
    const xml = () => reportXml(now(stage), [row])
    const rfc9990 = reportXml(now(stage), [{ ...row, disposition: 'pass' }], {
      root: '<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0">',
    })
    const inParts = (content: Buffer) =>
      `--P\r\nContent-Type: text/plain\r\n\r\nA report.\r\n--P\r\nContent-Type: application/octet-stream; name="r.xml.gz"\r\nContent-Transfer-Encoding: base64\r\n\r\n${content.toString('base64')}\r\n--P--`
    for (const part of [
      zipped(xml()),
      { type: 'application/zip', content: writeZip([{ name: 'r.xml', bytes: Buffer.from(xml()) }]) },
      { type: 'application/zip', content: deflatedZip('r.xml', xml()) },
      { type: 'text/xml', content: Buffer.from(xml()) },
      zipped(rfc9990),
      { type: 'multipart/mixed; boundary=P', content: inParts(gzipSync(xml())) },
    ])
      expect(await stage.bring(await reporter.mail(stage.address, part)), part.type).toStartWith('250 2.0.0 taken')
    expect(await yesterday(stage)).toMatchObject({ otherService: 6 })
  })

  test('counts once, however often it comes; another reporter may use the same id', async () => {
    await using stage = await reportStage()
    const [one, other] = [await stage.reporter('one.example'), await stage.reporter('other.example')]
    const report = zipped(reportXml(now(stage), [{ count: 5 }], { id: 'same' }))
    expect(await stage.bring(await one.mail(stage.address, report))).toStartWith('250 2.0.0 taken')
    expect(await stage.bring(await one.mail(stage.address, report))).toStartWith('250 2.0.0 this report is known')
    expect(await stage.bring(await other.mail(stage.address, report))).toStartWith('250 2.0.0 taken')
    expect(await yesterday(stage)).toMatchObject({ stranger: 10 })
  })

  test('that nobody signed, or somebody else, is kept and counts nowhere', async () => {
    await using stage = await reportStage()
    const { t, address } = stage
    await t.endpoint({ url: 'https://example.net/hook', status: 'active' })
    const [real, evil] = [await stage.reporter('receiver.example'), await stage.reporter('evil.example')]
    const report = (id: string) => zipped(reportXml(now(stage), [{ count: 500 }], { id }))
    const plain = unsigned(await real.mail(address, report('a')))
    const changed = (await real.mail(address, report('b'))).replace('Report Domain', 'Report Domains')
    const borrowed = await evil.mail(address, report('c'), 'reports@receiver.example')
    const twoSenders = (await real.mail(address, report('d'))).replace(/^From: .*$/m, '$&\r\nFrom: x@evil.example')
    for (const forged of [plain, changed, borrowed, twoSenders])
      expect(await stage.bring(forged)).toStartWith('250 2.0.0 kept, but not counted')
    expect(await yesterday(stage)).toMatchObject({ stranger: 0 })
    expect(await sources(stage)).toEqual([])
    expect((await received(stage)).map(({ verified }) => verified)).toEqual([false, false, false, false])
    expect((await t.get('/v1/event-feed', 200)).data).toEqual([])
    // The real one, which has the same id, is counted.
    expect(await stage.bring(await real.mail(address, report('a')))).toStartWith('250 2.0.0 taken')
    expect(await yesterday(stage)).toMatchObject({ stranger: 500 })
  })

  test('about another domain, at another address or of another time is refused, and changes nothing', async () => {
    await using stage = await reportStage()
    const { t, address } = stage
    const reporter = await stage.reporter('receiver.example')
    const at = now(stage)
    const refusals: [xml: string, says: string][] = [
      [reportXml(at, [{}], { domain: 'victim.example' }), 'it is not about news.example'],
      [reportXml(at, [], { domain: 'victim.example' }), 'it is not about news.example'],
      [reportXml(at, [{}], { domain: `sub.${sendingDomain}` }), 'it is not about news.example'],
      [reportXml(at, [{}], { domain: 'example' }), 'it is not about news.example'],
      [reportXml(at, [{}], { daysAgo: 90 }), 'not about the last two months'],
      [reportXml(at, [{}], { daysAgo: -9 }), 'not about the last two months'],
      ['<html><p>Hello</p></html>', 'it is no report of DMARC'],
    ]
    for (const [xml, says] of refusals) {
      const mail = await reporter.mail(address, zipped(xml))
      await t.unchanged(async () => expect(await stage.bring(mail)).toContain(says))
    }
    const human = await reporter.mail(address, { type: 'text/plain', content: 'Hello' })
    await t.unchanged(async () => expect(await stage.bring(human)).toContain('there is no report in this mail'))
    await t.delete(`/v1/sending-domains/${stage.domain.id}`, undefined, 200)
    expect(await stage.bring(human).catch(String)).toContain('550')
  })

  test('of a parent domain counts this domain only', async () => {
    await using stage = await reportStage()
    const { t } = stage
    const { id } = await t.post('/v1/sending-domains', { domain: `eu.${sendingDomain}` }, 201)
    const { address } = await t.get(`/v1/sending-domains/${id}/reports/days`, 200)
    const reporter = await stage.reporter('receiver.example')
    const rows = [{ count: 3, from: `eu.${sendingDomain}` }, { count: 9 }]
    // Nobody proved this name yet, so its address takes nothing.
    expect(
      await stage.bring(await reporter.mail(address, zipped(reportXml(now(stage), rows))), address).catch(String),
    ).toContain('550')
    await write(t.app, (tx) => vouchFor(tx, { workspaceId: t.workspace.id, domain: `eu.${sendingDomain}` }))
    const mail = await reporter.mail(address, zipped(reportXml(now(stage), rows)))
    expect(await stage.bring(mail, address)).toStartWith('250 2.0.0 taken')
    expect((await t.get(`/v1/sending-domains/${id}/reports/received`, 200)).data).toMatchObject([
      { total: 12, others: 9 },
    ])
    expect((await t.get(`/v1/sending-domains/${id}/reports/days`, 200)).data.at(-2)).toMatchObject({ stranger: 3 })
  })
})

describe('a hostile report', () => {
  const entity = '<!DOCTYPE feedback [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
  const laughs = `<!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa">${Array.from('bcdefghi', (name, at) => `<!ENTITY ${name} "${`&${'abcdefgh'[at]};`.repeat(10)}">`).join('')}]>`

  test('is refused with its reason, and changes nothing', async () => {
    await using stage = await reportStage()
    const { t, address } = stage
    const reporter = await stage.reporter('receiver.example')
    const xml = reportXml(now(stage), [{}])
    const withType = (type: string) => xml.replace('<feedback>', `${type}<feedback>`)
    const two = [1, 2].map((n) => ({ name: `${n}.xml`, bytes: Buffer.from(xml) }))
    const hostile: [part: Parameters<typeof reporter.mail>[1], says: string][] = [
      [zipped(withType(entity)), 'document type'],
      [zipped(withType(laughs)), 'document type'],
      [zipped(reportXml(now(stage), ['<record>'.repeat(100)])), 'more than 32 deep'],
      [zipped(xml.slice(0, -20)), 'it is cut off'],
      [zipped(xml.replace('</version>', '</wersion>')), 'not well-formed'],
      [zipped(xml.replace('<version>', `<version ${'a'.repeat(200_000)}>`)), 'a tag of it has more than'],
      [{ content: gzipSync(gzipSync(xml)) }, 'an archive inside of an archive'],
      [
        { type: 'application/zip', content: writeZip([{ name: 'r.zip', bytes: writeZip(two) }]) },
        'an archive inside of an archive',
      ],
      [{ type: 'application/zip', content: writeZip(two) }, 'exactly one file'],
      [{ content: gzipSync(xml).subarray(0, -30) }, 'damaged'],
      [
        { type: 'application/zip', content: oddlyPacked('a\r\n250 2.0.0 taken\r\n', xml) },
        'packed in a way that is not known',
      ],
      [
        { content: gzipSync(Buffer.concat([Buffer.from(xml), Buffer.alloc(600 * 1024 * 1024, 0x20)])) },
        'more than 536870912 bytes',
      ],
    ]
    for (const [part, says] of hostile) {
      const mail = await reporter.mail(address, part)
      await t.unchanged(async () => {
        const reply = await stage.bring(mail)
        expect(reply).toContain(says)
        expect(reply.split('\n')).toHaveLength(1)
      })
    }
    const unvouched = unsigned(
      await reporter.mail(address, {
        content: gzipSync(Buffer.concat([Buffer.from(xml), Buffer.alloc(20 * 1024 * 1024, 0x20)])),
      }),
    )
    await t.unchanged(async () => expect(await stage.bring(unvouched)).toContain('more than 16777216 bytes'))
  })

  test('takes bounded memory, whatever it brings', async () => {
    const about = { domain: sendingDomain, selectors: ['ours'], envelopeDomain: null }
    const [begin = '', end = ''] = reportXml(new Date(), ['%']).split('%')
    async function* chunks() {
      yield Buffer.from(begin)
      // Each row has another server, another key and a comment.
      for (let n = 0; n < 300_000; n++) {
        const signatures: ReportRow['signatures'] = [[`d${n}.example`, 's'.repeat(500), 'pass']]
        yield Buffer.from(`<!-- ${n} -->${rowXml({ ip: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, signatures })}`)
      }
      yield Buffer.from(end)
    }
    Bun.gc(true)
    const before = process.memoryUsage().heapUsed
    const { rows, messages, groups } = await readDmarcReport(chunks(), about)
    expect({ rows, messages }).toEqual({ rows: 300_000, messages: 300_000 })
    expect(groups.length).toBeLessThan(2_100)
    Bun.gc(true)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20 * 1024 * 1024)
  })

  test('of 500,000 rows from as many servers is counted whole, and leaves bounded rows', async () => {
    await using stage = await reportStage()
    const reporter = await stage.reporter('receiver.example')
    const ours = selectorOf(stage.domain)
    const address = (n: number) => `2001:db8::${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}`
    const rows = Array.from({ length: 500_000 }, (_, n) =>
      rowXml(
        n === 499_999
          ? { ip: '192.0.2.1', count: 7, dkim: 'pass', signatures: [[sendingDomain, ours, 'pass']] }
          : { ip: address(n) },
      ),
    )
    const mail = await reporter.mail(stage.address, zipped(reportXml(now(stage), rows)))
    expect(await stage.bring(mail)).toStartWith('250 2.0.0 taken')
    expect(await yesterday(stage)).toMatchObject({ yoursAligned: 7, stranger: 499_999 })
    const { pagination } = await stage.t.get(`/v1/sending-domains/${stage.domain.id}/reports?perPage=1`, 200)
    expect(pagination.totalResults).toBeLessThan(2_100)
    const { pagination: ofStrangers } = await stage.t.get(
      `/v1/sending-domains/${stage.domain.id}/reports?verdict=stranger&perPage=1`,
      200,
    )
    expect(ofStrangers.totalResults).toBe(2_001)
    const all: Json[] = []
    let path: string | null = `/v1/sending-domains/${stage.domain.id}/reports?verdict=stranger&perPage=100`
    while (path !== null) {
      const page: Json = await stage.t.get(path, 200)
      all.push(...page.data)
      path = page.pagination.nextPage?.replace(/^https?:\/\/[^/]+/, '') ?? null
    }
    expect(all).toHaveLength(2_001)
    expect(new Set(all.map(({ source }) => source)).size).toBe(2_001)
    expect(all.at(-1)).toMatchObject({ source: '', signer: '' })
  })
})

test('forgeries are kept up to a number a day, and take no place of real reports', async () => {
  await using stage = await reportStage()
  const reporter = await stage.reporter('receiver.example')
  const report = (id: number) => zipped(reportXml(now(stage), [{ count: 1 }], { id: `r${id}` }))
  for (let n = 0; n < 100; n++) {
    const forged = unsigned(await reporter.mail(stage.address, report(n)))
    expect(await stage.bring(forged)).toStartWith('250 2.0.0 kept')
  }
  const another = unsigned(await reporter.mail(stage.address, report(100)))
  await stage.t.unchanged(async () => expect(await stage.bring(another)).toStartWith('452 4.7.1'))
  expect(await stage.bring(await reporter.mail(stage.address, report(101)))).toStartWith('250 2.0.0 taken')
  stage.t.clock.advance(25 * 3_600_000)
  expect(await stage.bring(another)).toStartWith('250 2.0.0 kept')
})

test('reports are kept as long as the figures of a day', async () => {
  await using stage = await reportStage()
  const { t } = stage
  const reporter = await stage.reporter('receiver.example')
  await stage.bring(await reporter.mail(stage.address, zipped(reportXml(now(stage), [{ count: 1 }]))))
  const forget = () => write(t.app, deleteOldReports)
  t.clock.advance(390 * 86_400_000)
  expect(await forget()).toBe(0)
  expect(await sources(stage)).toHaveLength(1)
  t.clock.advance(20 * 86_400_000)
  expect(await forget()).toBe(2)
  expect(await forget()).toBe(0)
  expect([await sources(stage), await received(stage)]).toEqual([[], []])
})

test('somebody who sends as the domain is told once a day', async () => {
  await using stage = await reportStage()
  const { t, domain, address } = stage
  await t.endpoint({ url: 'https://example.net/hook', status: 'active' })
  const reporter = await stage.reporter('receiver.example')
  const bring = async (count: number, daysAgo = 1) =>
    stage.bring(
      await reporter.mail(address, zipped(reportXml(now(stage), [{ ip: '203.0.113.7', count }], { daysAgo }))),
    )
  const told = async () =>
    (await t.get('/v1/event-feed', 200)).data.filter(({ type }: Json) => type === 'domain.spoofed')
  await bring(9)
  expect(await told()).toEqual([])
  await bring(3)
  const [event] = await told()
  expect(event.payload.data).toMatchObject({
    domain: { id: domain.id, name: sendingDomain },
    messages: 12,
    sources: ['203.0.113.7'],
  })
  await bring(50)
  await bring(50, 2)
  expect(await told()).toHaveLength(1)
  await t.advance('25h')
  await bring(50)
  expect(await told()).toHaveLength(2)
})

test('the proposed records keep what is published, and name the address of its reports', async () => {
  await using dns = await nameServer()
  await using stage = await reportStage({ dns: dns.resolver })
  const { t, domain, address } = stage
  const proposedAt = async (name: string, check = true) => {
    if (check) await t.post(`/v1/sending-domains/${domain.id}/verify`, {}, 200)
    const { data } = await t.get('/v1/sending-domains', 200)
    return data[0].dnsRecords.find((one: Json) => one.name === name)?.value
  }
  const dmarc = `_dmarc.${sendingDomain}`
  const mine = `mailto:${address}`
  expect(await proposedAt(dmarc, false)).toBe(`v=DMARC1; p=none; rua=${mine}`)
  expect(await proposedAt(`_smtp._tls.${sendingDomain}`)).toBe(`v=TLSRPTv1; rua=${mine}`)
  expect(await proposedAt(`${sendingDomain}._report._dmarc.in.example.net`)).toBe('v=DMARC1')
  const published: [record: string, proposed: string][] = [
    ['v=DMARC1; p=reject; sp=none', `v=DMARC1; p=reject; sp=none; rua=${mine}`],
    [
      'v=DMARC1;p=none;rua=mailto:a@x.example, mailto:b@x.example;adkim=s',
      `v=DMARC1; p=none; rua=mailto:a@x.example,mailto:b@x.example,${mine}; adkim=s`,
    ],
    [`v=DMARC1; p=quarantine; rua=${mine}`, `v=DMARC1; p=quarantine; rua=${mine}`],
  ]
  for (const [record, proposed] of published) {
    dns.names.set(dmarc, [record])
    expect(await proposedAt(dmarc)).toBe(proposed)
  }
})

test('a policy is proposed when mail of yours is seen to be aligned', async () => {
  await using stage = await reportStage()
  const reporter = await stage.reporter('receiver.example')
  const ours = selectorOf(stage.domain)
  const report = async (row: ReportRow, daysAgo: number) =>
    stage.bring(await reporter.mail(stage.address, zipped(reportXml(now(stage), [row], { daysAgo }))))
  expect((await stage.days()).advice).toMatchObject({ code: 'no_reports', record: null })
  const signatures: ReportRow['signatures'] = [[sendingDomain, ours, 'pass']]
  await report({ count: 50, dkim: 'pass', signatures }, 1)
  expect((await stage.days()).advice).toMatchObject({ code: 'too_few', record: null })
  for (let daysAgo = 2; daysAgo < 9; daysAgo++) await report({ count: 50, dkim: 'pass', signatures }, daysAgo)
  const { advice, address } = await stage.days()
  expect(advice).toMatchObject({ code: 'quarantine_safe', current: null })
  expect(advice.text).toBe(
    'Your own mail of the last 30 days is aligned (100.0 % of 400 messages): p=quarantine is safe.',
  )
  const value = `v=DMARC1; p=quarantine; rua=mailto:${stage.address}`
  expect(advice.record).toMatchObject({ name: `_dmarc.${sendingDomain}`, value })
  expect(address).toBe(stage.address)
  await report({ count: 40, signatures: [[sendingDomain, ours, 'fail']] }, 3)
  expect((await stage.days()).advice).toMatchObject({ code: 'yours_broken', record: null })
})

/** An archive with one deflated file, as receivers write it. */
function deflatedZip(name: string, text: string): Buffer {
  const stored = writeZip([{ name, bytes: Buffer.from(text) }])
  const packed = deflateRawSync(text)
  const [local, central] = [30 + name.length, 46 + name.length]
  const directory = stored.subarray(local + Buffer.byteLength(text))
  const all = Buffer.concat([stored.subarray(0, local), packed, directory])
  const at = local + packed.length
  for (const [from, method, size] of [
    [0, 8, 18],
    [at, 10, 20],
  ] as const) {
    all.writeUInt16LE(8, from + method)
    all.writeUInt32LE(packed.length, from + size)
  }
  all.writeUInt32LE(at, at + central + 16)
  return all
}

function oddlyPacked(name: string, text: string): Buffer {
  const archive = deflatedZip(name, text)
  for (const [signature, offset] of [
    ['PK\u0003\u0004', 8],
    ['PK\u0001\u0002', 10],
  ] as const)
    archive.writeUInt16LE(99, archive.lastIndexOf(signature) + offset)
  return archive
}
