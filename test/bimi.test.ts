// The logo of a sending domain (BIMI): its record, the policy of DMARC, the file and its certificate, over a real name server and HTTPS; and
// files and servers that are out for harm.

import { describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { outsideChecks } from '../src/doors/cli/mail-checks.ts'
import { logoFaults, maxLogoBytes } from '../src/mail/bimi-logo.ts'
import { type Json, testApp } from './support/app.ts'
import { certificateFor, logoCertificate } from './support/certificate.ts'
import { nameServer } from './support/dns.ts'

const head = '<svg xmlns="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps" viewBox="0 0 64 64">'
const svg = (inside: string, begin = head) => `<?xml version="1.0"?>${begin}<title>Acme</title>${inside}</svg>`
const good = svg('<g fill="url(#a)"><path d="M0 0h64v64z"/></g><use xlink:href="#b"/>')

describe('a logo', () => {
  test.each<[string, string, string[]]>([
    ['is well', good, []],
    ['runs', svg('<script>1</script><g onclick="x()"/>'), ['it has <script>', 'it has a script']],
    ['moves', svg('<g><animateTransform/></g>'), ['it has <animateTransform>']],
    ['fetches', svg('<use href="https://evil.example/a.svg#a"/>'), ['it refers to something outside of it']],
    ['fetches by its paint', svg('<g fill="url(//evil.example)"/>'), ['it refers to something outside of it']],
    ['holds a picture', svg('<image href="#a"/>'), ['it has <image>']],
    ['declares entities', `<!DOCTYPE svg [<!ENTITY a "aa">]>${good}`, ['it has a document type']],
    ['has no title', svg('').replace('Acme', ' '), ['it has no <title>']],
    ['is not square', svg('', head.replace('64 64', '64 32')), ['its viewBox is no square']],
    ['is of another profile', svg('', head.replace('tiny-ps', 'tiny')), ['its baseProfile is not tiny-ps']],
    ['is HTML', '<html><body/></html>', ['it is no SVG']],
    ['is empty', '', ['it is no SVG']],
    ['is a part', good.replace('</svg>', ''), ['it ends in the middle']],
    ['is too large', svg(' '.repeat(maxLogoBytes)), [`it has more than ${maxLogoBytes} bytes unpacked`]],
  ])('that %s', async (_, text, faults) => {
    expect(await logoFaults(Buffer.from(text))).toEqual(faults)
    expect(await logoFaults(gzipSync(text))).toEqual(faults)
  })

  test('that is no text, or unpacks to gigabytes, is refused at its limit', async () => {
    expect(await logoFaults(Buffer.from([0xff, 0xfe, 0x00]))).toEqual(['it is no text in UTF-8'])
    const bomb = gzipSync(Buffer.alloc(200_000_000))
    expect(bomb.length).toBeLessThan(300_000)
    expect(await logoFaults(bomb)).toEqual([`it has more than ${maxLogoBytes} bytes unpacked`])
  })
})

/** A domain with all that mail needs, and a server for its logo. */
async function stage({ environment = {} }: { environment?: Record<string, string> } = {}) {
  const dns = await nameServer()
  const { key, cert } = certificateFor('logo.example')
  const served = new Map<string, string | number>([['/logo.svg', good]])
  const asked: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: { key, cert },
    fetch(request) {
      const { pathname } = new URL(request.url)
      asked.push(pathname)
      const found = served.get(pathname) ?? 404
      return typeof found === 'number' ? new Response('', { status: found }) : new Response(found)
    },
  })
  const addresses = ['127.0.0.1']
  const dialing = { resolve: async () => addresses, ca: cert, httpsPort: server.port ?? 0 }
  const allowed = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }
  const t = await testApp({ dns: dns.resolver, dialing, environment: { ...allowed, ...environment } })
  const added = await t.post('/v1/sending-domains', { domain: 'news.acme.com' }, 201)
  for (const { name, value } of added.dnsRecords) dns.names.set(name, [value])
  return {
    ...{ t, dns, served, asked, addresses },
    policy: (text: string, domain = 'news.acme.com') => dns.names.set(`_dmarc.${domain}`, [text]),
    record: (...texts: string[]) => dns.names.set('default._bimi.news.acme.com', texts),
    async look(): Promise<[string, string | null]> {
      const { bimi, bimiDetail } = await t.post(`/v1/sending-domains/${added.id}/verify`, {}, 200)
      return [bimi, bimiDetail]
    },
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]()
      await dns[Symbol.asyncDispose]()
      await server.stop(true)
    },
  }
}

const logo = 'v=BIMI1; l=https://logo.example/logo.svg; a='
const noCertificate = expect.stringContaining('Gmail and Apple show a logo only with one')

describe('a sending domain', () => {
  test('without a logo lacks nothing', async () => {
    await using s = await stage()
    expect(await s.look()).toEqual(['missing', null])
    expect((await s.t.get('/v1/attention', 200)).data.map(({ code }: Json) => code)).not.toContain('domain_broken')
    s.record('v=BIMI1; l=; a=;')
    expect(await s.look()).toEqual(['ok', 'the record says that there is no logo'])
    expect(s.asked).toEqual([])
  })

  test('has a record that is right or not', async () => {
    await using s = await stage()
    s.policy('v=DMARC1; p=reject')
    s.record(logo)
    expect(await s.look()).toEqual(['ok', noCertificate])
    const wrong: [string[], string][] = [
      [['l=https://logo.example/logo.svg'], 'default._bimi.news.acme.com does not begin with v=BIMI1'],
      [[logo, logo], 'default._bimi.news.acme.com has 2 records'],
      [['v=BIMI1; l=http://logo.example/logo.svg'], 'l= is no address with https:'],
      [['v=BIMI1; a=https://logo.example/c.pem'], 'l= is no address with https:'],
      [['v=BIMI1; l=https://logo.example/logo.svg; a=self'], 'a= is no address with https:'],
    ]
    for (const [records, detail] of wrong) {
      s.record(...records)
      expect(await s.look()).toEqual(['wrong', detail])
    }
    s.dns.names.set('default._bimi.news.acme.com', 'servfail')
    expect((await s.look())[0]).toBe('unknown')
  })

  test('shows it only where DMARC puts mail of others aside', async () => {
    await using s = await stage()
    s.record(logo)
    const cases: [policy: string, verdict: string][] = [
      ['v=DMARC1; p=none', 'wrong'],
      ['v=DMARC1; p=quarantine', 'ok'],
      ['v=DMARC1; p=quarantine; pct=50', 'wrong'],
      ['v=DMARC1; p=reject; pct=50', 'ok'],
      ['v=DMARC1; p=reject; sp=none', 'wrong'],
      ['v=DMARC1; p=reject; t=y', 'wrong'],
    ]
    for (const [policy, verdict] of cases) {
      s.policy(policy)
      expect([policy, (await s.look())[0]]).toEqual([policy, verdict])
    }
    // Both of the domain above it.
    s.dns.names.delete('_dmarc.news.acme.com')
    s.dns.names.delete('default._bimi.news.acme.com')
    s.policy('v=DMARC1; p=reject; sp=quarantine', 'acme.com')
    s.dns.names.set('default._bimi.acme.com', [logo])
    expect((await s.look())[0]).toBe('ok')
    s.policy('v=DMARC1; p=reject; sp=quarantine; pct=1', 'acme.com')
    expect((await s.look())[0]).toBe('wrong')
  })

  test('has a file that is looked through, once for each time that somebody asks', async () => {
    await using s = await stage()
    s.policy('v=DMARC1; p=reject')
    s.record(logo)
    s.served.set('/logo.svg', svg('<script/>'))
    expect(await s.look()).toEqual(['wrong', 'the logo: it has <script>'])
    s.served.set('/logo.svg', 'x'.repeat(maxLogoBytes + 1))
    expect(await s.look()).toEqual(['wrong', 'the logo: it has more than 32 KB'])
    s.served.set('/logo.svg', 302)
    expect(await s.look()).toEqual(['wrong', 'the logo: its server answers 302'])
    expect(s.asked).toHaveLength(3)
    s.addresses[0] = '10.1.2.3'
    expect(await s.look()).toEqual(['wrong', 'the logo: its address is not public'])
    s.addresses.length = 0
    expect(await s.look()).toEqual(['unknown', 'the logo was not to be had (dns failed)'])
    expect(s.asked).toHaveLength(3)
  })

  test('has a certificate that is for it, or not', async () => {
    await using s = await stage()
    s.policy('v=DMARC1; p=reject')
    s.record('v=BIMI1; l=https://logo.example/logo.svg; a=https://logo.example/c.pem')
    const cases: [pem: string, detail: string | null][] = [
      ['none', 'the certificate: it is none in PEM'],
      [logoCertificate('acme.com').cert, null],
      [logoCertificate('default._bimi.news.acme.com').cert, null],
      [logoCertificate('else.example').cert, 'the certificate: it is not for news.acme.com'],
      [certificateFor('news.acme.com').cert, 'the certificate: it is none for logos'],
    ]
    s.t.clock.advance(Date.now() - s.t.clock.now().getTime() + 60_000)
    for (const [pem, detail] of cases) {
      s.served.set('/c.pem', pem)
      expect(await s.look()).toEqual([detail === null ? 'ok' : 'wrong', detail])
    }
    s.t.clock.advance(7 * 86_400_000)
    s.served.set('/c.pem', logoCertificate('acme.com').cert)
    expect((await s.look())[1]).toStartWith('the certificate: it is good until')
  })

  test('is told by doctor, where it is the sender, and is never a warning', async () => {
    await using s = await stage({ environment: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@news.acme.com' } })
    s.dns.names.set('news.acme.com', ['v=spf1 a -all'])
    s.policy('v=DMARC1; p=none')
    const sender = async () => (await outsideChecks(s.t.app)).find(({ name }) => name === 'sender')
    expect((await sender())?.detail).toBe('news.acme.com has SPF, DKIM and DMARC')
    s.record(logo)
    const { ok, warning, detail } = (await sender()) ?? {}
    expect([ok, warning]).toEqual([true, undefined])
    expect(detail).toStartWith(
      'news.acme.com has SPF, DKIM and DMARC. Its logo (BIMI) is not shown, which harms no mail: ',
    )
  })
})
