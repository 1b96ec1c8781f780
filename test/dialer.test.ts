// The way out: which addresses it refuses (S01-S09, S15, S16), that it connects only to what it judged (S10-S13), and that no
// answer can hold it up or fill it (S14, S17). No packet leaves this machine: names resolve to loopback, or to nothing.

import { describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { type Config, readConfig } from '../src/core/config.ts'
import { createDialer, type DialerOptions } from '../src/kit/outbound/dialer.ts'
import { checkOutboundUrl } from '../src/kit/outbound/url.ts'
import { certificateFor, selfSigned } from './support/certificate.ts'
import { flood, type HostileSink, hostileSink, type Script } from './support/hostile-sink.ts'

const settings = (environment: Record<string, string> = {}): Config =>
  readConfig({ DATA_DIR: '/nowhere', ...environment }, '/')
const loopback = settings({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'on' })

/** Made before the time for an answer runs. */
const bomb = gzipSync(Buffer.alloc(10_000_000))
const limits = { connectMs: 600, totalMs: 1_200 }
const request = (url: string) => ({ url, headers: [['Webhook-Id', 'wh_1']] as [string, string][], body: '{}' })

/** One POST to `url`; the connection pool ends with it. */
async function dial(url: string, options: DialerOptions = {}, config = loopback) {
  const dialer = createDialer(config, { ...limits, ...options })
  const result = await dialer.exchange(request(url))
  dialer.close()
  return result
}

const codeOf = async (url: string, options?: DialerOptions, config?: Config): Promise<string | number> => {
  const result = await dial(url, options, config)
  return result.outcome === 'failed' ? result.code : result.head.status
}

describe('addresses as written', () => {
  const refused: [string, string[]][] = [
    ['S01 loopback', ['127.0.0.1', '127.1', '127.254.254.254']],
    ['S02 other spellings', ['2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001']],
    [
      'S03 full-width and names',
      [
        '127。0。0。1',
        '①②⑦.0.0.1',
        '127.0.0.1.',
        'localhost',
        'localhost.',
        'LOCALHOST',
        'foo.localhost',
        'db.internal',
        'printer.local',
        'intranet',
        'nas.lan',
        'x.home.arpa',
      ],
    ],
    ['S04 unspecified', ['0', '0.0.0.0', '[::]', '[::1]', '[0:0:0:0:0:0:0:1]']],
    ['S05 mapped and compatible', ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[::ffff:8.8.8.8]']],
    [
      'S06 translation',
      [
        '[64:ff9b::a9fe:a9fe]',
        '[64:ff9b:1::1]',
        '[2002:7f00:1::]',
        '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
        '[2a00:1450::5efe:7f00:1]',
        '[2a00:1450::200:5efe:7f00:1]',
      ],
    ],
    [
      'S07 special IPv6',
      [
        '[fe80::1]',
        '[fe80::1%25eth0]',
        '[fec0::1]',
        '[fc00::1]',
        '[fd00:ec2::254]',
        '[ff02::1]',
        '[100::1]',
        '[5f00::1]',
        '[3fff::1]',
        '[2001:db8::1]',
      ],
    ],
    [
      'S09 special IPv4',
      [
        '0.255.255.255',
        '10.0.0.1',
        '10.255.255.255',
        '100.64.0.1',
        '100.127.255.255',
        '127.255.255.255',
        '169.254.255.255',
        '172.16.0.1',
        '172.31.255.255',
        '192.0.0.1',
        '192.0.0.255',
        '192.0.2.1',
        '192.0.2.255',
        '192.88.99.1',
        '192.88.99.255',
        '192.168.1.1',
        '192.168.255.255',
        '198.18.0.1',
        '198.19.255.255',
        '198.51.100.1',
        '198.51.100.255',
        '203.0.113.1',
        '203.0.113.255',
        '224.0.0.1',
        '239.255.255.255',
        '240.0.0.1',
        '255.255.255.255',
      ],
    ],
  ]
  const open = settings({ WEBHOOK_ALLOW_HTTP: 'on' })

  test.each(refused)('%s: refused, and nobody is asked or called', async (_, hosts) => {
    let asked = 0
    const resolve = async () => {
      asked++
      return ['127.0.0.1']
    }
    for (const host of hosts) {
      expect(checkOutboundUrl(`http://${host}/`, open).ok, host).toBe(false)
      expect(await codeOf(`http://${host}/`, { resolve }, open), host).toStartWith('blocked_')
    }
    expect(asked).toBe(0)
  })

  test('S08 metadata is refused whatever the operator allows', async () => {
    const everything = settings({ WEBHOOK_ALLOW_CIDRS: '0.0.0.0/0,::/0', WEBHOOK_ALLOW_HTTP: 'on' })
    const hosts = [
      '169.254.169.254',
      '0xa9fea9fe',
      '169.254.170.2',
      '100.100.100.200',
      '192.0.0.192',
      '168.63.129.16',
      'metadata.google.internal',
      'metadata',
      '[fd00:ec2::254]',
      '[::ffff:169.254.169.254]',
      '[64:ff9b::a9fe:a9fe]',
      '[fe80::a9fe:a9fe]',
    ]
    for (const host of hosts) {
      expect(checkOutboundUrl(`http://${host}/`, everything).ok, host).toBe(false)
      expect(checkOutboundUrl(`http://${host}/`, open).ok, host).toBe(false)
    }
    expect(checkOutboundUrl('http://10.1.2.3/', everything).ok).toBe(true)
    const resolve = async () => ['169.254.169.254']
    expect(await codeOf('http://hooks.example.com/', { resolve }, everything)).toBe('blocked_ip')
  })

  test('S09 the edges of the blocks are public', () => {
    for (const host of [
      '1.0.0.0',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.254',
      '100.128.0.1',
      '126.255.255.255',
      '128.0.0.0',
      '169.253.255.255',
      '169.255.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '192.0.1.0',
      '192.0.3.0',
      '192.88.98.255',
      '192.88.100.0',
      '192.167.255.255',
      '192.169.0.0',
      '198.17.255.255',
      '198.20.0.0',
      '198.51.99.255',
      '198.51.101.0',
      '203.0.112.255',
      '203.0.114.0',
      '223.255.255.255',
      '1.1.1.1',
      '8.8.8.8',
      '[2606:4700::1111]',
      'hooks.example.com',
    ])
      expect(checkOutboundUrl(`http://${host}/`, open), host).toMatchObject({ ok: true })
  })

  test('S15 other schemes, ports, credentials and what a parser would repair', () => {
    const urls = [
      'file:///etc/passwd',
      'ftp://example.com/',
      'gopher://example.com/',
      'data:text/plain,x',
      'javascript:alert(1)',
      'unix:/run/x.sock',
      'http://example.com:0/',
      'http://example.com:22/',
      'http://example.com:25/',
      'http://example.com:6379/',
      'http://example.com:65536/',
      'http://user:pw@example.com/',
      'http://@example.com/',
      'http://1.1.1.1&@127.0.0.1#@8.8.8.8/',
      'http:\\\\127.0.0.1\\x',
      'http:example.com',
      '//example.com/',
      'http://exam\r\nple.com/',
      'http://example.com/\t',
      'http://example.com/\0',
      'http://example.com/%00',
      ' http://example.com/',
      '',
      `http://example.com/${'a'.repeat(2_100)}`,
    ]
    for (const url of urls) expect(checkOutboundUrl(url, open).ok, url).toBe(false)
    expect(checkOutboundUrl('http://example.com/', settings()).ok, 'http without the setting').toBe(false)
    for (const url of ['https://example.com/', 'https://example.com:8443/a?b=c', 'https://EXAMPLE.com'])
      expect(checkOutboundUrl(url, settings()).ok, url).toBe(true)
  })

  test('S16 an address of this installation is refused', () => {
    const own = settings({
      BASE_URL: 'https://mail.example.com',
      PORT: '3000',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: 'on',
    })
    for (const url of [
      'https://mail.example.com/x',
      'https://MAIL.example.com:443/',
      'https://mail.example.com./',
      'http://127.0.0.1:3000/',
      'http://localhost:3000/',
      'http://127.9.9.9:3000/',
    ])
      expect(checkOutboundUrl(url, own).ok, url).toBe(false)
    expect(checkOutboundUrl('http://127.0.0.1:3001/', own).ok).toBe(true)
  })
})

describe('addresses of a name', () => {
  const answering = () => hostileSink((socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'))
  const at = ({ port }: HostileSink, host = 'hooks.example.com') => `http://${host}:${port}/`

  test('S10 of several addresses only the allowed one is called, in whatever order they come', async () => {
    await using sink = await answering()
    const mixed = ['10.0.0.1', '127.0.0.1', '169.254.169.254', '192.168.0.1', '::1']
    for (let round = 0; round < 100; round++) {
      const shuffled = mixed.toSorted(() => Math.random() - 0.5)
      expect(await codeOf(at(sink), { resolve: async () => shuffled })).toBe(204)
    }
    expect(sink.connections()).toBe(100)
  })

  test('S11 a name that answers something else later is judged anew, and asked exactly once per attempt', async () => {
    await using sink = await answering()
    const answers = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1'], ['10.0.0.1']]
    let asked = 0
    const dialer = createDialer(loopback, { ...limits, resolve: async () => answers[asked++] ?? [] })
    const outcomes: unknown[] = []
    for (let attempt = 1; attempt <= 3; attempt++) {
      const result = await dialer.exchange(request(at(sink)))
      outcomes.push(result.outcome === 'failed' ? result.code : result.head.status)
      expect(asked).toBe(attempt)
    }
    dialer.close()
    // S12: the second one is refused although a connection to the first address is still open.
    expect(outcomes).toEqual([204, 'blocked_ip', 204])
    expect(sink.connections()).toBe(1)
  })

  test('S12 a connection that is kept is not used once the policy forbids its address', async () => {
    await using sink = await answering()
    const config = { ...loopback }
    const dialer = createDialer(config, limits)
    expect(await dialer.exchange(request(sink.url))).toMatchObject({ outcome: 'answered' })
    config.webhookAllowCidrs = []
    expect(await dialer.exchange(request(sink.url))).toMatchObject({ outcome: 'failed', code: 'blocked_ip' })
    dialer.close()
  })

  test('S13 answers that lead nowhere are failed attempts', async () => {
    const table: [string, DialerOptions['resolve'] & {}, string][] = [
      ['only private IPv6', async () => ['fd00::1'], 'blocked_ip'],
      ['nothing', async () => [], 'dns_failed'],
      [
        '1,000 private addresses',
        async () => Array.from({ length: 1_000 }, (_, n) => `10.0.${n >> 8}.${n & 255}`),
        'blocked_ip',
      ],
      ['no such name', () => Promise.reject(new Error('ENOTFOUND')), 'dns_failed'],
      ['garbage', async () => ['not an address', '127.0.0.1.nip.io', ''], 'blocked_ip'],
      ['no answer', () => new Promise(() => {}), 'dns_failed'],
    ]
    for (const [name, resolve, code] of table)
      expect(await codeOf('http://hooks.example.com/', { resolve }), name).toBe(code)
  })

  test('S18 within the network, a port that listens is told as one that nobody listens on', async () => {
    await using listens = await answering()
    const nobody = hostileSink()
    await nobody[Symbol.asyncDispose]()
    const strict = settings({ WEBHOOK_ALLOW_HTTP: 'on' })
    const resolve = async () => ['127.0.0.1']
    for (const sink of [listens, nobody]) expect(await codeOf(at(sink), { resolve }, strict)).toBe('blocked_ip')
    expect(listens.connections()).toBe(0)
  })

  test('a port that nobody listens on is a failed attempt', async () => {
    const closed = hostileSink()
    await closed[Symbol.asyncDispose]()
    expect(await codeOf(closed.url)).toBe('connect_failed')
  })
})

describe('TLS', () => {
  const over = (certificate: { key: string; cert: string }) =>
    Bun.serve({ port: 0, tls: certificate, fetch: (incoming) => new Response(incoming.headers.get('host')) })

  test('the connection goes to the address; name, certificate and Host are those of the URL', async () => {
    const certificate = certificateFor('hooks.example.com')
    using server = over(certificate)
    const options = { resolve: async () => ['127.0.0.1'], ca: certificate.cert }
    const result = await dial(`https://hooks.example.com:${server.port}/`, options)
    expect(result).toMatchObject({ outcome: 'answered', head: { status: 200 } })
    expect(result.outcome === 'answered' && result.body.toString()).toBe(`hooks.example.com:${server.port}`)
  })

  test('S17 a certificate of another name, of nobody we trust, or expired, is refused before a byte of the request', async () => {
    const mine = certificateFor('hooks.example.com')
    const expired = certificateFor('hooks.example.com', { expired: true })
    const table: [string, { key: string; cert: string }, string | undefined][] = [
      ['another name', certificateFor('other.example.com'), undefined],
      ['self-signed', mine, undefined],
      ['expired', expired, expired.cert],
    ]
    for (const [name, certificate, ca] of table) {
      let requests = 0
      using server = Bun.serve({ port: 0, tls: certificate, fetch: () => new Response(`${++requests}`) })
      const trusted = ca ?? (name === 'another name' ? certificate.cert : undefined)
      const options = { resolve: async () => ['127.0.0.1'], ...(trusted === undefined ? {} : { ca: trusted }) }
      expect(await codeOf(`https://hooks.example.com:${server.port}/`, options), name).toBe('certificate_invalid')
      expect(requests, name).toBe(0)
    }
  })

  test('S17 a handshake that stalls ends with the time for connecting; a server that speaks no TLS with tls_failed', async () => {
    await using silent = hostileSink()
    const resolve = async () => ['127.0.0.1']
    expect(await codeOf(`https://hooks.example.com:${silent.port}/`, { resolve })).toBe('connect_timeout')
    const plain = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: { data: (socket) => void socket.end('HTTP/1.1 400 no\r\n\r\n') },
    })
    expect(await codeOf(`https://hooks.example.com:${plain.port}/`, { resolve })).toMatch(
      /^(tls_failed|certificate_invalid)$/,
    )
    plain.stop(true)
  })

  test('an address as the host is checked against the addresses of the certificate', async () => {
    const certificate = selfSigned()
    using server = over(certificate)
    expect(await codeOf(`https://127.0.0.1:${server.port}/`)).toBe('certificate_invalid')
  })
})

describe('answers', () => {
  const ok = 'HTTP/1.1 200 OK\r\n'
  const table: [string, Script, number | string][] = [
    ['a plain answer', (socket) => socket.write(`${ok}Content-Length: 2\r\n\r\nok`), 200],
    [
      'an answer in chunks',
      (socket) => socket.write(`${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`),
      200,
    ],
    ['an answer that ends with the connection', (socket) => void socket.end(`${ok}\r\nok`), 200],
    [
      'a byte at a time',
      (socket) => {
        let at = 0
        const all = `${ok}Content-Length: 2\r\n\r\nok`
        socket.data.timer = setInterval(() => at < all.length && socket.write(all[at++] ?? ''), 1)
      },
      200,
    ],
    [
      '100 Continue first',
      (socket) => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${ok}Content-Length: 0\r\n\r\n`),
      200,
    ],
    ['a flood of 1xx', (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'), 'protocol_error'],
    ['a switch of protocols', (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'), 'protocol_error'],
    ['HTTP/0.9', (socket) => socket.write('<html>hello</html>'), 'protocol_error'],
    ['SSH', (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'), 'protocol_error'],
    [
      'headers that never end',
      (socket) => {
        socket.write(ok)
        flood(socket, 'X-A: b\r\n', 5)
      },
      'timeout',
    ],
    [
      '100,000 headers',
      (socket) => {
        socket.write(ok)
        flood(socket, 'X-A: b\r\n'.repeat(100))
      },
      'headers_too_large',
    ],
    [
      'one header of a megabyte',
      (socket) => {
        socket.write(`${ok}X-A: `)
        flood(socket, 'b'.repeat(65_536))
      },
      'headers_too_large',
    ],
    ['nothing at all', () => {}, 'timeout'],
    ['a cut before the status', (socket) => void socket.end('HTTP/1.1 2'), 'cut'],
    ['a length that is no number', (socket) => socket.write(`${ok}Content-Length: -1\r\n\r\n`), 'protocol_error'],
    [
      'a body of 1 GB',
      (socket) => {
        socket.write(`${ok}Content-Length: 1073741824\r\n\r\n`)
        flood(socket, new Uint8Array(65_536))
      },
      200,
    ],
    [
      'a body without end in chunks',
      (socket) => {
        socket.write(`${ok}Transfer-Encoding: chunked\r\n\r\n`)
        flood(socket, `1000\r\n${'a'.repeat(4_096)}\r\n`)
      },
      200,
    ],
    [
      'a body of one byte a second',
      (socket) => {
        socket.write(`${ok}Content-Length: 1000\r\n\r\n`)
        flood(socket, '.', 100)
      },
      200,
    ],
    [
      'a gzip bomb',
      (socket) => {
        socket.write(`${ok}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`)
        socket.write(bomb)
      },
      200,
    ],
  ]
  for (const status of [301, 302, 303, 307, 308])
    table.push([
      `a ${status} into the network`,
      (socket) =>
        socket.write(`HTTP/1.1 ${status} Elsewhere\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n`),
      status,
    ])

  test.each(table)('S14, S17: the attempt ends in time and memory after %s', async (_, script, expected) => {
    await using sink = hostileSink(script)
    Bun.gc(true)
    const before = process.memoryUsage.rss()
    const began = performance.now()
    const result = await dial(sink.url)
    const got: string | number = result.outcome === 'failed' ? result.code : result.head.status
    expect(got).toBe(expected)
    expect(performance.now() - began).toBeLessThan(limits.totalMs + 500)
    if (result.outcome === 'answered') expect(result.body.length).toBeLessThanOrEqual(8_192)
    expect(process.memoryUsage.rss() - before).toBeLessThan(30_000_000)
    expect(sink.connections()).toBe(1)
  })

  test('a connection is used again for the same address, and a stale one is replaced', async () => {
    let answered = 0
    await using sink = hostileSink((socket) => {
      socket.write(`${ok}Content-Length: 2\r\n\r\nok`)
      if (++answered === 2) socket.end()
    })
    const dialer = createDialer(loopback, limits)
    for (let count = 0; count < 4; count++)
      expect(await dialer.exchange(request(sink.url))).toMatchObject({ outcome: 'answered' })
    dialer.close()
    expect(sink.connections()).toBe(2)
  })

  test('an answer that nobody asked for spoils its connection', async () => {
    await using sink = hostileSink((socket) =>
      socket.write(`${ok}Content-Length: 2\r\n\r\nok${ok}Content-Length: 4\r\n\r\nevil`),
    )
    const dialer = createDialer(loopback, limits)
    for (let count = 0; count < 3; count++) {
      const result = await dialer.exchange(request(sink.url))
      expect(result.outcome === 'answered' && result.body.toString()).toBe('ok')
    }
    dialer.close()
    expect(sink.connections()).toBe(3)
  })

  test('headers leave in the case and order they were given', async () => {
    const seen = Promise.withResolvers<string>()
    await using sink = hostileSink((socket, head) => {
      seen.resolve(head)
      socket.write(`${ok}Content-Length: 0\r\n\r\n`)
    })
    await dial(`${sink.url}a%20b?c=d#e`)
    expect(await seen.promise).toBe(
      `POST /a%20b?c=d HTTP/1.1\r\nHost: 127.0.0.1:${sink.port}\r\nWebhook-Id: wh_1\r\nContent-Length: 2\r\nAccept-Encoding: identity\r\nConnection: keep-alive\r\n\r\n{}`,
    )
  })

  test('a request of 256 KB arrives whole', async () => {
    using server = Bun.serve({ port: 0, fetch: async (incoming) => new Response(`${(await incoming.text()).length}`) })
    const dialer = createDialer(loopback, limits)
    const result = await dialer.exchange({
      url: `http://127.0.0.1:${server.port}/`,
      headers: [],
      body: 'ä'.repeat(131_072),
    })
    dialer.close()
    expect(result.outcome === 'answered' && result.body.toString()).toBe('131072')
  })

  test('an answer that is asked for whole comes whole, to its limit; without that, 8 KB of it', async () => {
    const long = 'x'.repeat(100_000)
    using server = Bun.serve({ port: 0, fetch: ({ method }) => new Response(method + long) })
    const dialer = createDialer(loopback, limits)
    const lengthOf = async (wholeBytes?: number) => {
      const url = `http://127.0.0.1:${server.port}/`
      const asked = { method: 'GET' as const, url, headers: [], body: '', ...(wholeBytes && { wholeBytes }) }
      const result = await dialer.exchange(asked)
      return result.outcome === 'answered' && result.body.toString().startsWith('GETx') && result.body.length
    }
    expect(await lengthOf(200_000)).toBe(100_003)
    expect(await lengthOf(50_000)).toBe(50_000)
    expect(await lengthOf()).toBe(8_192)
    dialer.close()
  })

  test('an aborted exchange ends at once', async () => {
    await using sink = hostileSink(() => abort.abort('stopping'))
    const abort = new AbortController()
    const dialer = createDialer(loopback, limits)
    expect(await dialer.exchange({ ...request(sink.url), signal: abort.signal })).toMatchObject({ code: 'aborted' })
    dialer.close()
  })
})
