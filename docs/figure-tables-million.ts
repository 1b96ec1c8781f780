// The tables of docs/million.md: all of one run of `bun run bench million`.

import type { Row, Table } from './figure-tables.ts'

const beside = (what: string, name: string): Row => [
  'million',
  new RegExp(
    `beside ${name}: accepted p50 ([\\d.]+) p99 ([\\d.]+) ms; handed over p50 ([\\d.]+) p99 ([\\d.]+) ms; longest block (\\d+) ms; main thread (\\d+) %; (\\d+) MiB`,
  ),
  what,
  '$1, $2 ms',
  '$3, $4 ms',
  '$5 ms',
  '$6 %',
  '$7 MiB',
]
const segment = (what: string, name: string): Row => [
  'million',
  new RegExp(
    `segment, ${name}: (\\d+) people; preview p50 ([\\d.]+) .*?; built in ([\\d.]+) s; a page p50 ([\\d.]+) p95 ([\\d.]+)`,
  ),
  `${what}: $1`,
  '$2 ms',
  '$3 s',
  '$4, $5 ms',
  '{$4 <= 20} ms',
]
const listing = (what: string, name: string): Row => [
  'million',
  new RegExp(`, ${name}: first p50 ([\\d.]+) p95 ([\\d.]+) ms, page 100 p50 ([\\d.]+) p95 ([\\d.]+) ms`),
  what,
  '$1, $2 ms; $3, $4 ms',
  '{$2 <= 50} ms',
]
const command = (what: string, name: string): Row => [
  'million',
  new RegExp(`, ${name}: ([\\d.]+) s, ([\\d.]+) s of processor, (\\d+) MiB`),
  what,
  '$1 s',
  '$2 s of a processor, $3 MiB',
]
const size = (what: string, name: string): Row => [
  'million',
  new RegExp(`size of ${name}: (\\d+) MiB, (\\d+) of them indexes, (\\d+) bytes`),
  what,
  '$1 MiB',
  '$2 MiB',
  '$3 bytes',
]

export const millionTables: Record<string, Table> = {
  'million people': {
    head: ['', 'alone', 'beside a neighbour'],
    rows: [
      [
        'million',
        /import: (\d+) contacts, .*?(\d+) alone and (\d+) beside rows\/s/,
        'import of $1 contacts, by HTTP',
        '$2 rows/s',
        '$3 rows/s',
      ],
      [
        'million',
        /onto a list: (\d+) contacts, (\d+) alone and (\d+) beside rows\/s/,
        'the same file once more, onto a mailing list',
        '$2 rows/s',
        '$3 rows/s',
      ],
      [
        'million',
        /campaign: (\d+) of \d+ sent, .*?(\d+) alone and (\d+) beside\/s/,
        'a campaign to $1, from send to sent',
        '$2/s',
        '$3/s',
      ],
      [
        'million',
        /erasure: (\d+) rows, (\d+) alone and (\d+) beside rows\/s/,
        'the erasure of the workspace with all of it, $1 rows',
        '$2 rows/s',
        '$3 rows/s',
      ],
    ],
  },
  'million beside': {
    head: [
      'while there is',
      'accepted: p50, p99',
      'handed over: p50, p99',
      'longest block',
      'main thread busy',
      'memory at most',
    ],
    rows: [
      beside('nothing else', 'nothing'),
      beside('an import', 'an import'),
      beside('the same file onto a list', 'the same file onto a list'),
      beside('the building of three segments', 'three segments'),
      beside('a campaign to all', 'a campaign to all'),
      beside('an export', 'an export'),
      beside('a backup', 'a backup'),
      beside('a check of the backup', 'a check of the backup'),
      beside('a restore', 'a restore'),
      beside('the first base of an archive', 'the first base of an archive'),
      beside('the erasure of the workspace', 'the erasure of the workspace'),
    ],
  },
  'million segments': {
    head: ['segment: people', 'preview', 'built in', 'a page: p50, p95', 'goal'],
    rows: [
      segment('every other one, by a number', 'common'),
      segment('one in 20,000, by a word', 'rare'),
      segment('one in a hundred, by an event', 'event'),
    ],
  },
  'million pages': {
    head: ['', 'measured', 'goal'],
    rows: [
      listing('contacts: the first page and the hundredth: p50, p95', 'contacts'),
      listing('recipients of the campaign: the same', 'recipients'),
      [
        'million',
        /figures of the campaign: p50 ([\d.]+) p95 ([\d.]+)/,
        'figures of the campaign: p50, p95',
        '$1, $2 ms',
        '{$2 <= 50} ms',
      ],
      [
        'million',
        /export: (\d+) rows\/s, (\d+) MiB/,
        'export of all contacts, beside the neighbour',
        '$1 rows/s, $2 MiB',
        '',
      ],
      ['million', /events: (\d+) of as many people, (\d+)\/s/, 'events of $1 people', '$2/s', ''],
      ['million', /snapshot ([\d.]+) s/, 'the campaign: snapshot, while the first mails leave', '$1 s', '{$1 <= 60} s'],
      [
        'million',
        /second quarter (\d+)\/s, the last (\d+)\/s: ratio ([\d.]+)/,
        'its second quarter, its last; ratio',
        '$1/s, $2/s; $3',
        '{$3 <= 1.2}',
      ],
      ['million', /erase of one person: p50 ([\d.]+) p95 ([\d.]+)/, 'erasure of one person: p50, p95', '$1, $2 ms', ''],
      [
        'million',
        /erasure: \d+ rows, .*? rows\/s, (\d+) s/,
        'erasure of the workspace, until its last row',
        '$1 s',
        '',
      ],
    ],
  },
  'million copies': {
    head: ['', 'took', ''],
    rows: [
      command('`paquebot backup`, sealed, restored to a temporary place and checked', 'a backup'),
      ['million', /backup: sealed, (\d+) MiB of (\d+) MiB/, 'its size', '$1 MiB', 'of a file of $2 MiB'],
      command('`paquebot verify FILE`', 'a check of the backup'),
      command('`paquebot restore FILE`', 'a restore'),
      ['million', /its base after ([\d.]+) s, (\d+) MiB/, 'the first base of an archive', '$1 s', '$2 MiB'],
      [
        'million',
        /start as it was left: ready in (\d+) ms, (\d+) MiB/,
        'the start of the server: until it answers, and its memory idle',
        '$1 ms',
        '$2 MiB',
      ],
      [
        'million',
        /vacuum after the erasure: ([\d.]+) s, (\d+) MiB to (\d+) MiB/,
        '`VACUUM` of the file when the workspace is erased',
        '$1 s',
        'from $2 to $3 MiB',
      ],
    ],
  },
  'million size': {
    head: ['', 'with its indexes', 'indexes', 'a contact with one mail'],
    rows: [
      size('contacts', 'contacts'),
      size('their properties, to search by', 'contact_values'),
      size('where their consent came from', 'consent_records'),
      size('who is on the list', 'subscriptions'),
      size('mails', 'messages'),
      size('jobs that sent them', 'outbox_jobs'),
      size('attempts', 'outbox_attempts'),
      size('the journal of what left', 'send_journal'),
      size('recipients, and why', 'campaign_recipients'),
      size('who had a campaign lately', 'campaign_mails'),
      size('all other tables', 'others'),
      ['million', /size: (\d+) MiB, (\d+) bytes a contact/, 'the file', '$1 MiB', '', '$2 bytes'],
    ],
  },
}
