// The tables that pages hold of the kept run of the benchmarks: each row takes its numbers from a line of performance.json, `$1` the first that
// its pattern finds. `{$1 >= 2}` is a goal, and says whether it was missed. A row whose line is gone stops the writing (figures.ts).

import { millionTables } from './figure-tables-million.ts'
import type kept from './performance.json'

export type Benchmark = keyof typeof kept
export type Row = [benchmark: Benchmark, line: RegExp, ...cells: string[]]
export interface Table {
  head: string[]
  rows: Row[]
}

const accepting = (what: string, inFlight: number): Row => [
  'send',
  new RegExp(
    `send, ${inFlight} in flight: (\\d+)/s .*?p99 ([\\d.]+) ms\\), floor (\\d+)/s \\(p99 ([\\d.]+) ms\\): ratio ([\\d.]+) \\(at least ([\\d.]+)`,
  ),
  what,
  '$1/s, p99 $2 ms',
  '$3/s, $4 ms',
  '$5',
  '{$5 >= $6}',
]
const event = (what: string, inFlight: number, endpoints: number): Row => [
  'events',
  new RegExp(
    `events, ${inFlight} in flight, ${endpoints} endpoints: (\\d+)/s \\(p99 ([\\d.]+) ms\\), floor of the same rows (\\d+)/s \\(p99 ([\\d.]+) ms\\): ratio ([\\d.]+) \\(at least ([\\d.]+)`,
  ),
  what,
  '$1/s, p99 $2 ms',
  '$3/s, $4 ms',
  '$5',
  '{$5 >= $6}',
]
const server = (milliseconds: number, processes: number, accepted: string, delivered: string): Row => [
  'server',
  new RegExp(
    `server, ${milliseconds} ms, ${processes} process\\w*: (\\d+)/s accepted(?: \\(([\\d.]+) of \\w+\\))?, (\\d+)/s delivered(?: \\(([\\d.]+) of \\w+\\))?;.*? (\\d+) \\+ (\\d+) us a send, (\\d+) \\+ (\\d+) us a mail`,
  ),
  `${milliseconds} ms, ${processes}`,
  '$1/s',
  accepted,
  '$3/s',
  delivered,
  '$5 + $6 µs',
  '$7 + $8 µs',
]
const neighbour = (what: string, name: string): Row => [
  'neighbours',
  new RegExp(
    `neighbours, ${name}: accept p99 ([\\d.]+) -> ([\\d.]+) \\(([\\d.]+)\\).*?hand-over p99 ([\\d.]+) -> ([\\d.]+) \\(([\\d.]+)\\).*?longest block (\\d+) ms`,
  ),
  what,
  '$1 → $2',
  '$3 of {$3 <= 2}',
  '$4 → $5',
  '$6 of {$6 <= 2}',
  '$7 of {$7 <= 50} ms',
]
const tenants = (what: string, name: string): Row => [
  'tenants',
  new RegExp(`${name} ([\\d.]+) -> ([\\d.]+) \\(([\\d.]+)\\)`),
  what,
  '$1',
  '$2',
  '$3',
  '{$3 <= 1.3}',
]
const rendering = (what: string, line: string): Row => [
  'rendering',
  new RegExp(`${line} +([\\d.]+) µs +([\\d.]+) × floor`),
  what,
  '$1 µs',
  '$2',
]
const claim = (order: string): Row => [
  'claim',
  new RegExp(
    `due times ${order}\\): ([\\d.]+) ms of 10,000, ([\\d.]+) ms of .*?: ratio ([\\d.]+) \\(at most ([\\d.]+)\\); scheduling ([\\d.]+) and ([\\d.]+) us a job: ratio ([\\d.]+) \\(at most ([\\d.]+)\\)`,
  ),
  `due times ${order === 'random' ? order : 'in order'}`,
  '$1 ms',
  '$2 ms',
  '$3',
  '{$3 <= $4}',
  '$5 and $6 µs: $7',
  '{$7 <= $8}',
]

export const tables: Record<string, Table> = {
  ...millionTables,
  process: {
    head: ['', 'measured', 'goal'],
    rows: [
      ['process', /ready in (\d+) ms \(at most (\d+)/, 'Ready to answer, from a checkout', '$1 ms', '{$1 <= $2} ms'],
      [
        'binary',
        /ready in (\d+) ms \(at most (\d+)\), ([\d.]+) of/,
        'Ready to answer, the binary; beside a checkout in the same run',
        '$1 ms; $3',
        '{$1 <= $2} ms',
      ],
      ['process', /(\d+) MiB idle \(at most (\d+)/, 'Memory, idle, from a checkout', '$1 MiB', '{$1 <= $2} MiB'],
      [
        'binary',
        /(\d+) MiB idle \(at most (\d+)\), of which (\d+) MiB/,
        'Memory, idle, the binary; without pages of its file, which the system drops when it needs room',
        '$1 MiB; $3 MiB',
        '{$1 <= $2} MiB',
      ],
      [
        'process',
        /(\d+) MiB while accepting and delivering (\d+) mails \(at most (\d+)/,
        'Memory, accepting and delivering $2 mails',
        '$1 MiB',
        '{$1 <= $3} MiB',
      ],
    ],
  },
  accepting: {
    head: ['', 'ours', 'floor', 'ratio', 'goal'],
    rows: [
      accepting('`send`, 64 in flight', 64),
      accepting('`send`, 200 in flight', 200),
      event('event with a rule, 64 in flight', 64, 0),
      event('the same, 200 in flight', 200, 0),
      event('told to a webhook, 64 in flight', 64, 1),
      event('the same, 200 in flight', 200, 1),
      [
        'batch',
        /batch of 100: (\d+) mails\/s accepted, (\d+) µs .*? ([\d.]+) of the floor \((\d+)\/s/,
        '`POST /emails/batch` of 100',
        '$1 mails/s, $2 µs of the main thread a mail',
        'one insert a request: $4/s',
        '$3',
        '',
      ],
    ],
  },
  delivering: {
    head: ['', 'ours', 'peer', 'ratio', 'goal'],
    rows: [
      [
        'deliver',
        /: (\d+)\/s from the outbox.*?pool (\d+)\/s: ratio ([\d.]+) \(at least ([\d.]+)/,
        '`deliver`: 10 KB mails from the outbox, every state journalled',
        '$1/s',
        'nodemailer pool of 10: $2/s',
        '$3',
        '{$3 >= $4}',
      ],
      [
        'campaign',
        /\((\d+) recipients, 10 KB.*?: (\d+)\/s .*?pool of 10 (\d+)\/s: ratio ([\d.]+) \(at least ([\d.]+)\).*?; (\d+) us of the main/,
        '`campaign`: $1 recipients, from send to sent, with guardrails and ledger; $6 µs of the main thread a mail',
        '$2/s',
        'nodemailer pool of 10: $3/s',
        '$4',
        '{$4 >= $5}',
      ],
      [
        'campaign',
        /bare socket (\d+)\/s: share ([\d.]+)/,
        'the same beside a bare socket that only writes bytes',
        '',
        '$1/s',
        '$2',
        '',
      ],
      [
        'campaign',
        /signed \(RSA-2048 and Ed25519\): (\d+)\/s; Bun makes (\d+) .*?: ratio ([\d.]+) \(at least ([\d.]+)\); a mail makes ([\d.]+) statements and ([\d.]+) commits/,
        'the same, signed twice (RSA-2048 and Ed25519), $5 statements and $6 commits a mail; beside the RSA signatures that Bun makes',
        '$1/s',
        '$2/s',
        '$3',
        '{$3 >= $4}',
      ],
      [
        'smtp',
        /ours (\d+)\/s, with DKIM (\d+)\/s, nodemailer (\d+)\/s: ratio ([\d.]+) \(at least ([\d.]+)\), with DKIM ([\d.]+)/,
        '`smtp`: our client alone, without and with two DKIM signatures',
        '$1/s, $2/s',
        'nodemailer without: $3/s',
        '$4, $6',
        '{$4 >= $5}',
      ],
      [
        'webhooks',
        /(\d+) delivered\/s .*?, (\d+)\/s of bare .*?: ratio ([\d.]+) \(at least ([\d.]+)\), (\d+) endpoints/,
        '`webhooks`: $5 endpoints, with log and attempts',
        '$1/s',
        'bare `fetch` and HMAC: $2/s',
        '$3',
        '{$3 >= $4}',
      ],
      [
        'postfix',
        /not signed.*?: ours (\d+)\/s accepted, (\d+)\/s handed on; postfix (\d+)\/s accepted, (\d+)\/s handed on: ratio ([\d.]+)/,
        '`postfix`: mails accepted and handed on, each on the disk before it is accepted; not signed',
        '$1/s, $2/s',
        'Debian’s postfix: $3/s, $4/s',
        'handed on $5',
        '',
      ],
      [
        'postfix',
        /10 KB, signed.*?: ours (\d+)\/s accepted, (\d+)\/s handed on; postfix with opendkim (\d+)\/s accepted, (\d+)\/s handed on: ratio ([\d.]+)/,
        'the same, signed (ours RSA-2048 and Ed25519, opendkim’s RSA-2048)',
        '$1/s, $2/s',
        '$3/s, $4/s',
        'handed on $5',
        '',
      ],
      [
        'submission',
        /ours (\d+)\/s accepted, (\d+)\/s handed on, ([\d.]+) ms of CPU a mail; postfix (\d+)\/s accepted, (\d+)\/s handed on/,
        '`submission`: the same mails over SMTP, 10 connections; $3 ms of a processor a mail',
        '$1/s accepted, $2/s handed on',
        'Debian’s postfix: $4/s, $5/s',
        '',
        '',
      ],
    ],
  },
  sequences: {
    head: ['sequences', 'measured', 'goal'],
    rows: [
      [
        'sequences',
        /: (\d+) steps\/s \(at least ([\d,]+)\), (\d+) us .*? bare (\d+)\/s: ratio ([\d.]+)/,
        'steps of people who wait; the main thread a step; beside the same rows written bare',
        '$1/s, $3 µs; $5 of $4/s',
        '{$1 >= $2}/s',
      ],
      [
        'sequences',
        /; (\d+) mails\/s from their step to its end, (\d+) us of the main thread and ([\d.]+) statements/,
        'mails from their step to its end; the main thread and statements a mail',
        '$1/s, $2 µs, $3',
        '',
      ],
      ['sequences', /put in by a segment in ([\d.]+) s/, '100,000 put in by a segment', '$1 s', '{$1 <= 30} s'],
      [
        'sequences',
        /meanwhile ([\d.]+) ms .*?, without ([\d.]+) ms .*?: ([\d.]+)x \(at most ([\d.]+)/,
        'p99 of a transactional mail of the same workspace meanwhile; without; ratio',
        '$1 ms; $2 ms; $3',
        '{$3 <= $4}',
      ],
      [
        'sequences',
        /waiting: idle server ([\d.]+) % of a core \(at most (\d+)/,
        'a million who wait: the idle server, of a core',
        '$1 %',
        '{$1 <= $2} %',
      ],
      [
        'sequences',
        /waited for with p50 ([\d.]+) ms, p99 ([\d.]+) ms \(at most (\d+)/,
        'from an event to the arrival of the mail that waited for it: p50, p99',
        '$1 ms, $2 ms',
        '{$2 <= $3} ms',
      ],
    ],
  },
  queue: {
    head: ['', 'ours', 'graphile-worker on PostgreSQL', 'ratio', 'goal'],
    rows: [
      [
        'queue',
        /(\d+) no-op jobs.*?worker (\d+) jobs\/s as it comes, (\d+) with .*?: ratio ([\d.]+) \(at least (\d+)\), ([\d.]+)/,
        'no-op jobs',
        '$1/s',
        '$2/s as it comes, $3/s with concurrency 10',
        '$4, $6',
        '{$4 >= $5}',
      ],
      [
        'queue',
        /(\d+) single durable enqueues.*?(\d+) enqueues\/s: .*?enqueue ([\d.]+) \(at least (\d+)/,
        'single durable enqueues, 16 clients',
        '$1/s',
        '$2/s',
        '$3',
        '{$3 >= $4}',
      ],
    ],
  },
  claim: {
    head: ['claim of 250', 'of 10,000 pending', 'of 1,000,000', 'ratio', 'goal', 'scheduling a job', 'goal'],
    rows: [claim('in order'), claim('random')],
  },
  archive: {
    head: ['', 'with', 'without', 'ratio', 'goal'],
    rows: [
      [
        'archive',
        /CPU (\d+) ms per 1,000, ([\d.]+) of (\d+) without \(at most ([\d.]+)/,
        'processor per 1,000, at 2,000 units a second',
        '$1 ms',
        '$3 ms',
        '$2',
        '{$2 <= $4}',
      ],
      [
        'archive',
        /as fast as they go (\d+) a second, ([\d.]+) of (\d+) without \(at least ([\d.]+)/,
        'as fast as they go, 64 in flight',
        '$1/s',
        '$3/s',
        '$2',
        '{$2 >= $4}',
      ],
      [
        'archive',
        /at (\d+) units a second p99 ([\d.]+) ms, ([\d.]+) of ([\d.]+) ms without \(at most ([\d.]+)/,
        'p99 at $1 units a second',
        '$2 ms',
        '$4 ms',
        '$3',
        '{$3 <= $5}',
      ],
    ],
  },
  restore: {
    head: ['', 'measured', 'goal'],
    rows: [
      [
        'restore',
        /restore: ([\d.]+) GB of pages in (\d+) commits, ([\d.]+) GB in (\d+) segments, to a database of ([\d.]+) GB, checked: ([\d.]+) s \(at most (\d+)/,
        'time, for $1 GB of pages in $2 commits ($3 GB in $4 segments) over $5 GB',
        '$6 s',
        '{$6 <= $7} s',
      ],
      ['restore', /([\d.]+) s of processor/, 'processor', '$1 s', ''],
      ['restore', /, (\d+) MB \(at most (\d+)/, 'memory at most', '$1 MB', '{$1 <= $2} MB'],
    ],
  },
  server: {
    head: [
      'away, processes',
      'accepted',
      'ratio of goal',
      'delivered',
      'ratio of goal',
      'processor a send: ours + the server’s',
      'a mail',
    ],
    rows: [
      server(0, 1, 'of {$1 >= 4,000}', 'of {$3 >= 1,000}'),
      server(0, 2, '$2 of {$2 >= 0.8}', '$4 of {$4 >= 0.8}'),
      server(0, 4, '$2', '$4'),
      server(2, 1, '', ''),
      server(2, 2, '$2', '$4'),
      server(2, 4, '$2', '$4'),
      server(5, 1, 'of {$1 >= 2,000}', 'of {$3 >= 500}'),
      server(5, 2, '$2 of {$2 >= 1.5}', '$4 of {$4 >= 1.25}'),
      server(5, 4, '$2', '$4'),
    ],
  },
  contacts: {
    head: ['', 'measured', 'goal'],
    rows: [
      [
        'contacts',
        /page everybody: first p50 [\d.]+ p95 ([\d.]+) ms.*?\(at most (\d+)/,
        'the first page of everybody: p95',
        '$1 ms',
        '{$1 <= $2} ms',
      ],
      [
        'contacts',
        /pages of \d+: at most ([\d.]+) times those of 10000 \(at most ([\d.]+)/,
        'any page, beside the same of 10,000 contacts',
        '$1 times as long at most',
        '{$1 <= $2}',
      ],
      [
        'contacts',
        /create p50 ([\d.]+) ms, find p50 ([\d.]+) ms, update p50 ([\d.]+) ms \(at most (\d+)/,
        'find, create, update',
        '$2, $1, $3 ms',
        '{$3 <= $4} ms',
      ],
    ],
  },
  activity: {
    head: ['', 'measured', 'goal'],
    rows: [
      ['activity', /slowest p95 ([\d.]+) ms \(at most (\d+)/, 'the slowest search: p95', '$1 ms', '{$1 <= $2} ms'],
      [
        'activity',
        /: (\d+) mails\/s with the wait for its job, (\d+) bytes a mail/,
        'the index, behind the sends',
        '$1 mails/s, $2 bytes a mail',
        '',
      ],
    ],
  },
  rendering: {
    head: ['', 'measured', 'ratio to the floor'],
    rows: [
      rendering('`replaceAll` over the HTML: the floor', 'replaceAll of the HTML'),
      rendering('fill the HTML', 'fill the HTML'),
      rendering('fill the text', 'fill the text'),
      rendering('compile, once per revision', 'compile'),
    ],
  },
  neighbours: {
    head: ['beside', 'accepted, ms', 'ratio of goal', 'handed over, ms', 'ratio of goal', 'longest block of goal'],
    rows: [
      neighbour('an import of 50,000 rows', 'import'),
      neighbour('eight exports', 'eight exports'),
      neighbour('a campaign', 'campaign'),
      neighbour('a replay of 10,000 webhooks', 'replay'),
      neighbour('erasures', 'erasure'),
      neighbour('sends with 15 MB of attachments', 'attachments'),
      neighbour('a tarpit', 'tarpit'),
      neighbour('95 endpoints told of each of 20 events a second', 'partitions'),
    ],
  },
  tenants: {
    head: ['p99 of 495 workspaces', 'alone, ms', 'beside five, ms', 'ratio', 'goal'],
    rows: [
      tenants('accepted', 'accept p99'),
      tenants('handed over', 'hand-over p99'),
      ['tenants', /longest block (\d+) ms/, 'the longest block of the event loop', '', '$1', '', '{$1 <= 50} ms'],
      ['tenants', /; (\d+) -> (\d+) MiB/, 'memory', '$1 MiB', '$2 MiB', '', ''],
    ],
  },
  limits: {
    head: ['sends accepted', 'without limits', 'with limits of mails a day, mails a month and contacts', 'ratio'],
    rows: [
      [
        'tenants',
        /limits: (\d+)\/s accepted without limits, (\d+)\/s .*?: ratio ([\d.]+)/,
        'of one workspace, 64 in flight',
        '$1/s',
        '$2/s',
        '$3',
      ],
    ],
  },
}
