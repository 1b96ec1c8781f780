// The rules of the house, each with its reason. The length of functions is Biome's part (biome.json). Every rule is tried on a
// small bad sample first, so that none of them can pass by being broken.

import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { promises, testsOf } from './crash/run.ts'

const root = join(import.meta.dir, '..')

interface Source {
  /** From the root of the repository. */
  path: string
  text: string
}

/** Folders and files in import order, out of the page that tells of them: one imports only from those above it, and from its own. */
const order = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| `(src|db)\//.test(line))
  .flatMap((line) => Array.from((line.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g), ([, path = '']) => path))

interface Rule {
  says: string
  because: string
  /** What is wrong with one file, as lines. */
  faults: (source: Source) => string[]
  /** One it must flag. */
  bad: Source
  in: (path: string) => boolean
}

const code = (path: string) => /^(src|db)\//.test(path) && !path.endsWith('.d.ts') && path !== 'db/migrations/list.ts'
/** Tables and generated lists aside: what ships, and what makes it. */
const anyCode = (path: string) =>
  code(path) ||
  (/^(dashboard|languages|clients|tools|docs)\//.test(path) &&
    !/\/(generated|dist)\/|\.d\.ts$|^docs\/figure-tables/.test(path))
const tests = (path: string) => /^test\//.test(path) && path !== 'test/tidy.test.ts'
const quickTests = (path: string) => tests(path) && !/^test\/(bench|crash)\//.test(path)

/** `path:line` of each line in which the pattern occurs, outside of comments. */
function linesWith(pattern: RegExp) {
  return ({ path, text }: Source) =>
    text.split('\n').flatMap((line, index) => {
      const bare = line.replace(/\/\/.*$|^\s*\*.*$|^\s*\/\*.*$/, '')
      return pattern.test(bare) ? [`${path}:${index + 1}: ${line.trim()}`] : []
    })
}

/** The longest entry that fits; -1: none. */
function place(path: string): number {
  const fitting = order.filter((entry) => path === entry || (entry.endsWith('/') && path.startsWith(entry)))
  return order.indexOf(fitting.sort((one, other) => other.length - one.length)[0] ?? '')
}

/** What a file imports from files of this repository that fit, as lines. */
function importsFrom({ path, text }: Source, fits: (target: string) => boolean): string[] {
  const imports = [...text.matchAll(/(?:from|import) '(\.[^']+)'|import\('(\.[^']+)'\)/g)]
  return imports
    .map((match) => normalize(join(dirname(path), match[1] ?? match[2] ?? '')))
    .filter(fits)
    .map((target) => `${path} imports ${target}`)
}

function importsFromBelow(source: Source): string[] {
  return importsFrom(source, (target) => /^(src|db)\//.test(target) && place(target) > place(source.path))
}

/** Where a table of words (`const x: Record<string, …>` of a file) is indexed. */
function bareLookUps(source: Source): string[] {
  const tables = [...source.text.matchAll(/^(?:export )?const (\w+): (?:Partial<)?Record<string,/gm)]
  return tables.flatMap(([, name]) => linesWith(new RegExp(`(?<![\\w.])${name}\\[`))(source))
}

/** Where one of these tables is used otherwise than to read its columns: whatever is handed a table may write it. */
function writesTo(file: string, tables: Record<string, string>) {
  return ({ path, text }: Source): string[] => {
    const imported = new RegExp(`import \\{([^}]*)\\} from '[./]*db/tables/${file}'`).exec(text)?.[1] ?? ''
    const names = Object.keys(tables).filter((name) => new RegExp(`\\b${name}\\b`).test(imported))
    const uses = names.flatMap((name) => [
      ...text
        .replace(`{${imported}}`, '')
        .matchAll(new RegExp(`(?<!(from|Join)\\(\\s*|select\\(\\{[^}]*)\\b${name}\\b(?!\\.)`, 'g')),
    ])
    const inSql = new RegExp(`\\b(INTO|UPDATE|DELETE FROM)\\s+["\`]?(${Object.values(tables).join('|')})\\b`, 'gi')
    const renamed = / as /.test(imported) ? [`${path}: a table of ${file} under another name`] : []
    return [...uses, ...text.matchAll(inSql)].map(([found]) => `${path}: ${found}`).concat(renamed)
  }
}

const writesToOutbox = writesTo('outbox.ts', {
  outboxJobs: 'outbox_jobs',
  outboxAttempts: 'outbox_attempts',
  sendJournal: 'send_journal',
  processes: 'processes',
  sendingFaults: 'sending_faults',
})
const writesToRevisions = writesTo('content-revisions.ts', { contentRevisions: 'content_revisions' })

const words = 'textContent|innerText|inputValue|allTextContents|allInnerTexts'
/** Arguments of a call, which may hold two more calls inside each other. */
const given = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`
const chain = String.raw`\bawait\s+\w+(?:\s*\.\w+(?:${given})?)*?\s*\.`
const kept = new RegExp(String.raw`(?:=|\bgoto\()\s*[([\s]*${chain}(?:${words}|count)\(`, 'g')
const expected = new RegExp(
  String.raw`\bexpect\([^\n]*?\s*${chain}(?:${words}|count|getAttribute|title|is[A-Z]\w+|evaluate)\(`,
  'g',
)

/** Where what a page shows goes into a variable, or is expected as it is just then. */
function readOnce({ path, text }: Source): string[] {
  const found = [kept, expected].flatMap((pattern) => [...text.matchAll(pattern)])
  return found.map(({ index, 0: read }) => `${path}:${text.slice(0, index).split('\n').length}: ${read}`)
}

/** Words that say of a thing what happened to it, or that it is one, and not what it is. */
const vagueTypes = new Set(
  `Asked Asker Asking Known Told Tell Said Says Shown Given Found Wanted Made Gone Taken Kept Held Seen Left Sent Named Stored Written
  Place Parts One Ours Theirs Row Draft Letter Verdict Look Thing Some Of About At By From To Own Others`.split(/\s+/),
)
const vagueValues = new Set(
  'asked known told said says shown given found wanted made gone taken kept seen named place parts one ours theirs plain within'.split(
    ' ',
  ),
)

/** Top-level names of a file: those of types first, then those of functions and constants. */
function vagueNames({ path, text }: Source): string[] {
  const types = [...text.matchAll(/^(?:export )?(?:declare )?(?:type|interface|class|enum) (\w+)/gm)]
  const values = [...text.matchAll(/^(?:export )?(?:default )?(?:async )?(?:function\*?|const|let) (\w+)/gm)].map(
    ([, name = '']) => name,
  )
  return [
    ...types.flatMap(([, name = '']) => (vagueTypes.has(name) ? [name] : [])),
    // A component of the dashboard begins with a capital, like a type.
    ...values.filter((name) => vagueValues.has(name) || vagueTypes.has(name)),
  ].map((name) => `${path}: ${name}`)
}

/** A token that only the named files may hold. */
function only(says: string, pattern: RegExp, allowed: RegExp, because: string, bad: string): Rule {
  return {
    says,
    because,
    faults: linesWith(pattern),
    bad: { path: 'src/x/y.ts', text: bad },
    in: (path) => code(path) && !allowed.test(path),
  }
}

const rules: Rule[] = [
  {
    says: 'a file imports only from folders above its own',
    because: 'then no feature can need another in a circle, and a reader knows where to look',
    faults: importsFromBelow,
    bad: { path: 'src/kit/a.ts', text: "import { App } from '../core/app.ts'" },
    in: (path) => code(path),
  },
  {
    says: 'only tests import from test/',
    because: 'what ships, or makes what ships, must not break with a test; what both need is in tools/',
    faults: (source) => importsFrom(source, (target) => target.startsWith('test/')),
    bad: { path: 'tools/a.ts', text: "import { testApp } from '../test/support/app.ts'" },
    in: (path) => !path.startsWith('test/'),
  },
  {
    says: 'every file of src has its place in the order',
    because: 'a folder that is not in the list is checked by nobody',
    faults: ({ path }) => (place(path) < 0 ? [path] : []),
    bad: { path: 'src/elsewhere/a.ts', text: '' },
    in: code,
  },
  {
    says: 'a file has at most 400 lines',
    because: 'a longer one answers for more than one thing',
    faults: ({ path, text }) => (text.split('\n').length > 401 ? [`${path} has ${text.split('\n').length} lines`] : []),
    bad: { path: 'src/a.ts', text: '\n'.repeat(402) },
    in: anyCode,
  },
  {
    says: 'a file of tests has at most 600 lines',
    because: 'whoever looks for the test of something finds it by the name of a file',
    faults: ({ path, text }) => (text.split('\n').length > 601 ? [`${path} has ${text.split('\n').length} lines`] : []),
    bad: { path: 'test/a.test.ts', text: '\n'.repeat(602) },
    in: (path) => path.startsWith('test/'),
  },
  {
    says: 'a file opens with what it answers for',
    because: 'a stranger reads the first line first',
    faults: ({ path, text }) => (/^(#!.*\n)?\/\/ \S/.test(text) ? [] : [path]),
    bad: { path: 'src/a.ts', text: "import 'x'" },
    in: anyCode,
  },
  {
    says: 'a file is named after what is in it',
    because: 'these names mean "anything", and anything collects there',
    faults: ({ path }) =>
      /\/(utils?|helpers?|common|types|services?|repository|controller|manager|index)\.ts$/.test(path) ? [path] : [],
    bad: { path: 'src/core/http/utils.ts', text: '' },
    // A package is entered by its index.
    in: (path) => (anyCode(path) || tests(path)) && path !== 'clients/typescript/src/index.ts',
  },
  {
    says: 'a type, a function or a constant is named after what it is',
    because:
      '`Asked` was a request, a query and a batch, each in a file of its own: a reader had to look it up every time',
    faults: vagueNames,
    bad: { path: 'src/a.ts', text: 'interface Asked {\n  id: string\n}' },
    in: (path) => /^(src|db|dashboard|languages|clients|tools)\//.test(path),
  },
  {
    says: 'JSON of strangers is read by src/kit/json.ts',
    because: 'JSON.parse takes seconds for 4 MB of open brackets',
    faults: linesWith(/\bJSON\.parse\(/),
    bad: { path: 'src/mail/a.ts', text: 'JSON.parse(body)' },
    in: (path) =>
      /^src\/(mail|doors\/(compat|mcp|smtp)|features\/(contacts\/imports|events|lists|mailboxes|sending\/(domains|feedback|tracking))|people\/sign-in\/passkeys\/webauthn)\b/.test(
        path,
      ),
  },
  only(
    'no clock but the port',
    /\bDate\.now\(|new Date\(\)/,
    /^src\/kit\/clock\.ts$/,
    'a test moves time; nothing may look past it',
    'const a = Date.now()',
  ),
  only(
    'a number of a query is wholeNumber()',
    /\bt\.Numeric\(/,
    /^$/,
    'what the router’s own refuses, it refuses without a name',
    'limit: t.Numeric({ minimum: 1 })',
  ),
  only(
    'no environment but config',
    /process\.env|Bun\.env/,
    /^src\/(core\/config|main)\.ts$/,
    'a setting that is read elsewhere is not checked at the start',
    'process.env.A',
  ),
  {
    says: 'only the outbox writes its tables',
    because: 'a job that is changed behind its back is seen by no dispatcher and told to no kind',
    faults: writesToOutbox,
    bad: {
      path: 'src/a.ts',
      text: "import { outboxJobs } from '../db/tables/outbox.ts'\nawait tx.db\n  .update(outboxJobs)\n  .set({ state: 'held' })",
    },
    in: (path) => code(path) && !/^src\/core\/outbox\/|^db\/tables\/outbox\.ts$/.test(path),
  },
  {
    says: 'only addRevision() writes a content revision',
    because: 'it never changes, and says whose it is',
    faults: writesToRevisions,
    bad: {
      path: 'src/a.ts',
      text: "import { contentRevisions } from '../db/tables/content-revisions.ts'\nawait tx.db.insert(contentRevisions).values(row)",
    },
    in: (path) =>
      code(path) &&
      !/^src\/features\/content\/templates\/revisions\.ts$|^db\/tables\/content-revisions\.ts$/.test(path),
  },
  only('no console', /\bconsole\./, /^$/, 'logs are structured and go through the Log port', 'console.log(1)'),
  only(
    'no asynchronous …Of',
    /\basync function \w+Of\b/,
    /^$/,
    'what asks somebody says how: find may miss, get throws, list, load, count; …Of is for what is made of its arguments',
    'async function ownerOf(reader: Reader) {}',
  ),
  only(
    'no randomness but the port',
    /Math\.random\(|getRandomValues|randomUUID/,
    /^src\/kit\/random\.ts$/,
    'a simulation must be able to replay its seed',
    'Math.random()',
  ),
  only(
    'no outbound HTTP',
    /\bfetch\(/,
    /^(src\/(kit\/outbound\/dialer|kit\/store\/s3|doors\/listen|doors\/cli\/(move-over|top))|db\/server)\.ts$/,
    'only the dialer may connect, to a checked address; the database, the store of backups, the server that is watched, and the one to which a workspace moves, are where the operator says',
    'await fetch(url)',
  ),
  only(
    'a cache is made by app.own() or prepared()',
    /\bnew WeakMap\b/,
    /^(db\/(audit|expecting|handle|prepared)|src\/(core\/http\/(body-budget|body-check|client-ip|served-at)|doors\/(mcp\/transport|ui\/docs)|features\/(content\/rendering\/variables|sending\/(at-base|compose|deliver-message|sent-bytes|tracking\/links))|kit\/trace|mail\/dkim|people\/access\/auth))\.ts$/,
    'what belongs to an app or to a connection is found in one way; these belong to a request, a job, a mail, a schema, or are that way',
    'const caches = new WeakMap<object, string>()',
  ),
  only(
    'a whole mail is taken by SMTP alone',
    /\bmimeContent\(/,
    /^src\/(doors\/smtp\/accept|features\/sending\/own-content)\.ts$/,
    'raw HTML never leaves by another door (docs/decisions/0033-html-written-anew.md)',
    'await mimeContent(app, raw)',
  ),
  only(
    'no BEGIN but the writer',
    /['"`]BEGIN/,
    /^db\/(local|lock|log-keeper|server|copy-file|copy-ends)\.ts$/,
    'write() is the only way to a transaction',
    "db.run('BEGIN')",
  ),
  {
    says: 'no any, no double cast, no non-null assertion',
    because: 'each of them is a place where the compiler was told to look away',
    faults: linesWith(/:\s*any\b|\bas any\b|<any>|as unknown as|\w!\.|\w!\)|\w!;|\w!$/),
    bad: { path: 'src/a.ts', text: 'const a = b as unknown as C' },
    in: anyCode,
  },
  {
    says: 'a table is asked by ownValue()',
    because: 'a word of a caller may be `toString`, which every table inherits',
    faults: bareLookUps,
    bad: { path: 'src/a.ts', text: 'const codes: Record<string, string> = {}\nconst a = codes[word]' },
    in: anyCode,
  },
  {
    says: 'nothing is left for later',
    because: 'what is not done belongs into an issue, where it is seen',
    faults: linesWith(/\bTODO\b|\bFIXME\b|\bXXX\b/),
    bad: { path: 'src/a.ts', text: 'const a = 1 + TODO' },
    in: (path) => anyCode(path) || tests(path),
  },
  {
    says: 'a body is refused, not repaired: no type that takes text for a number, a date or an object',
    because: "`t.Integer()` and its like of the router take '5' for 5; `Type.Integer()` does not",
    faults: linesWith(/\bt\.(Integer|Numeric|NumericEnum|Date|BooleanString|ObjectString|ArrayString|ArrayQuery)\(/),
    bad: { path: 'src/a.ts', text: 't.Integer({ minimum: 0 })' },
    in: anyCode,
  },
  {
    says: 'no test is left out or alone',
    because: 'a test that does not run asserts nothing',
    faults: linesWith(/\b(test|describe|it)\.(only|todo|skip)\(/),
    bad: { path: 'test/a.test.ts', text: "test.only('a', () => {})" },
    in: tests,
  },
  {
    says: 'what is expected of a promise is waited for',
    because: 'else the test may be over before it is known',
    faults: linesWith(/^\s*expect\(.*\.(rejects|resolves)\b/),
    bad: { path: 'test/a.test.ts', text: "expect(work()).rejects.toThrow('no')" },
    in: tests,
  },
  {
    says: 'a test has no less time than the run gives to each (120 s): what must be quick is measured in it',
    because: 'two files share two cores with whatever else the machine does, and a minute is soon over',
    faults: ({ text }) => text.match(/^ *\},\s+([1-9]|\d\d|10\d|11\d)_000,?\s*\)$/gm) ?? [],
    bad: { path: 'test/a.test.ts', text: "test('a', async () => {\n}, 60_000)" },
    in: tests,
  },
  {
    says: 'no mocks, no spies, no database in memory',
    because: 'they test what we believe of the thing, and not the thing',
    faults: linesWith(/\bmock\(|\bspyOn\(|mock\.module|:memory:/),
    bad: { path: 'test/a.test.ts', text: "new SQLite(':memory:')" },
    in: tests,
  },
  {
    says: 'what a page shows is awaited, never read once',
    because:
      'a page follows a moment later: read once, it is as expected on a quick machine alone (support/eventually.ts)',
    faults: readOnce,
    bad: {
      path: 'test/x.test.ts',
      text: "const keys = (\n  await page\n    .locator('.code code', { hasText: /a/ })\n    .first()\n    .textContent()\n) ?? ''",
    },
    in: quickTests,
  },
  {
    says: 'the focus goes where it belongs as a page is drawn, in useLayoutEffect',
    because: 'useEffect comes a moment later: a key that is pressed meanwhile goes to another place',
    faults: ({ path, text }) =>
      Array.from(
        text.matchAll(/\buseEffect\(\(\) => (?:(?!\n {2}\}|\n\n)[\s\S])*\.(?:focus|showModal)\(/g),
        ([found]) => `${path}: ${found}`,
      ),
    bad: {
      path: 'dashboard/x.tsx',
      text: 'useEffect(() => {\n    if (isOpen)\n      field.current?.focus()\n  }, [])',
    },
    in: (path) => path.startsWith('dashboard/'),
  },
  {
    says: 'a number before a noun or a verb is said by counted()',
    because: '`1 rows` is read by everybody who has one of something; counted() asks for both forms',
    faults: linesWith(
      /\$\{n\} (?!(?:of|von|a|in|by|durch|ms|KB)\b)(?!(?:geklärt|resolved|more|weitere|times)\b)\p{L}/u,
    ),
    bad: { path: 'dashboard/words.ts', text: `found: (n: number) => \`\${n} contacts\`,` },
    in: (path) => path.startsWith('dashboard/'),
  },
  {
    says: 'no sleeps in tests',
    because: 'a sleep is too short on a slow machine and too long on every other; wait for what happens',
    faults: linesWith(/Bun\.sleep|setTimeout\(resolve|waitForTimeout/),
    bad: { path: 'test/a.test.ts', text: 'await Bun.sleep(10)' },
    in: quickTests,
  },
]

function sources(): Source[] {
  return ['src', 'db', 'test', 'tools', 'dashboard', 'languages', 'docs', 'clients']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(root, file), text: readFileSync(file, 'utf8') }))
}

describe('the rules of the house', () => {
  const all = sources()
  for (const rule of rules) {
    test(`${rule.says}: ${rule.because}`, () => {
      expect(rule.faults(rule.bad), 'the bad sample must be flagged').not.toEqual([])
      const checked = all.filter(({ path }) => rule.in(path))
      expect(checked.length).toBeGreaterThan(10)
      expect(checked.flatMap(rule.faults)).toEqual([])
    })
  }
})

test('no two files need each other, not even by way of others: each can be read by itself', () => {
  const files = sources().filter(({ path }) => anyCode(path))
  const paths = new Set(files.map(({ path }) => path))
  const needs = (source: Source) =>
    importsFrom(source, (target) => paths.has(target)).map((line) => line.split(' imports ')[1] ?? '')
  expect(circles(new Map(files.map((source) => [source.path, needs(source)])))).toEqual([])
  expect(
    circles(
      new Map([
        ['a', ['b']],
        ['b', ['c']],
        ['c', ['a']],
        ['d', ['a']],
      ]),
    ),
  ).toEqual([['a', 'b', 'c']])
})

/** What remains when files that need nothing that remains are taken away, and files that nothing that remains needs. */
function circles(needs: Map<string, string[]>): string[][] {
  let left = [...needs.keys()]
  for (let before = -1; before !== left.length; ) {
    before = left.length
    left = left.filter((path) => needs.get(path)?.some((one) => left.includes(one)))
    left = left.filter((path) => left.some((other) => needs.get(other)?.includes(path)))
  }
  return left.length > 0 ? [left] : []
}

test('only the newest snapshot of the tables is kept: a migration is made by comparing with it, and with no other', () => {
  const kept = readdirSync(join(root, 'db/migrations/meta')).filter((file) => file.endsWith('_snapshot.json'))
  const newest = readdirSync(join(root, 'db/migrations'))
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .at(-1)
  expect(kept).toEqual([`${newest?.slice(0, 4)}_snapshot.json`])
})

test('a decision has a number of its own: others refer to it by that', () => {
  const numbers = readdirSync(join(root, 'docs/decisions')).map((name) => name.slice(0, 4))
  expect(numbers).toEqual([...new Set(numbers)])
})

test('src has at most eight folders, and every place of the order is there', () => {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.length).toBeLessThanOrEqual(8)
  expect(order.length).toBeGreaterThan(50)
  expect(order.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('the top level holds what ARCHITECTURE.md says, and nothing else', () => {
  const expected = [
    '.ci',
    '.github',
    '.gitignore',
    'ARCHITECTURE.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'Dockerfile',
    'LICENSE',
    'README.md',
    'biome.json',
    'bun.lock',
    'dashboard',
    'bunfig.toml',
    'clients',
    'compose.yaml',
    'db',
    'docs',
    'languages',
    'package.json',
    'src',
    'test',
    'tools',
    'tsconfig.json',
  ]
  const { stdout } = Bun.spawnSync(['git', 'ls-files'], { cwd: root })
  const tracked = new Set(
    stdout
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((path) => path.split('/')[0] ?? ''),
  )
  if (tracked.size > 0) expect([...tracked].sort()).toEqual(expected.sort())
})

/** The files and packages that are loaded with these. */
function loadedWith(...paths: string[]) {
  const imported = /^(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?'([^']+)'/gm
  const packages = new Set<string>()
  const files = new Set<string>()
  const walk = (path: string) => {
    if (files.has(path)) return
    files.add(path)
    if (!path.endsWith('.ts')) return
    for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(imported)) {
      if (name.startsWith('.')) walk(join(dirname(path), name))
      else if (!/^(node|bun):|^bun$/.test(name)) packages.add(name.replace(/^((?:@[^/]+\/)?[^/]+).*/, '$1'))
    }
  }
  for (const path of paths) walk(join(root, path))
  return { files, packages: [...packages].sort() }
}

test('a database is reached through the packages that ARCHITECTURE.md names, and no others', () => {
  const [, storage = ''] =
    /\n## Storage\n([\s\S]*?)\n## /.exec(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')) ?? []
  const named = [...storage.matchAll(/`(bun:sqlite|@libsql\/[\w-]+)`/g)].map(([, name = '']) => name)
  const imported = /^import (?!type\b).*'(bun:sqlite|@libsql\/[^']+)'$/gm
  const used = ['db', 'src'].flatMap((folder) =>
    [...new Bun.Glob(`${folder}/**/*.ts`).scanSync(root)].flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(imported)].map(([, name = '']) => name),
    ),
  )
  expect([...new Set(used)].sort()).toEqual(named.sort())
})

test('a start loads the packages that it needs, and no others: they are memory and time (docs/decisions/0012-start.md)', () => {
  const { files, packages } = loadedWith('src/main.ts', 'src/doors/cli/serve.ts')
  expect(files.size).toBeGreaterThan(200)
  const needed = ['@levischuck/tiny-cbor', '@sinclair/typebox', 'croner', 'drizzle-orm', 'elysia', 'swagger-ui-dist']
  expect(packages).toEqual(needed)
})

test('a command line loads no command but its own, so that the version needs no server', () => {
  const { files, packages } = loadedWith('src/main.ts', 'src/doors/cli/version.ts')
  // What reads a setting checks its schedule.
  expect(packages).toEqual(['croner'])
  expect([...files].filter((path) => path.startsWith(join(root, 'db/')))).toEqual([])
  expect(files.size).toBeLessThan(50)
})

test('every promise of reliability (R1 to R22) has a test whose name begins with it', () => {
  const ids = Array.from({ length: 22 }, (_, index) => `R${index + 1}`)
  expect(Object.keys(promises)).toEqual(ids)
  expect(ids.filter((id) => testsOf(id).length === 0)).toEqual([])
})
