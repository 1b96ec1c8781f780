// Mails of others that a corpus is made of: where they are, at which commit, and under which licence. None of them is kept here: they are
// cloned into a folder (CORPUS, default: one beside the temporary files) by `bun run corpus`.

import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Repository {
  name: string
  commit: string
  licence: string
  files: string
}

const repositories: Repository[] = [
  {
    name: 'mjmlio/email-templates',
    commit: '69b6157f1475fa20d529ee65da8f8caa00e8fa6b',
    licence: 'none named; by the makers of MJML, for everybody',
    files: 'templates/*.mjml',
  },
  {
    name: 'ActiveCampaign/postmark-templates',
    commit: 'fa73527acb4eb59cf673a54572d213e908f1515c',
    licence: 'MIT',
    files: 'templates-inlined/*/*/content.html',
  },
  {
    name: 'mailchimp/email-blueprints',
    commit: '4d4daa85a8107baf128b88dd3baaf16137befb8e',
    licence: 'CC BY-SA 3.0',
    files: '*templates*/*.html',
  },
  {
    name: 'sendwithus/templates',
    commit: 'f555e49038ed9ac05a39bf7048a73616f69680ac',
    licence: 'Apache-2.0',
    files: 'templates/*/*.html',
  },
  {
    name: 'konsav/email-templates',
    commit: 'f0a29dae21533af2c4737ffcb01863fc8c038046',
    licence: 'MIT',
    files: '*.html',
  },
]

/** React Email (MIT), whose examples are rendered by the package that they are of. */
const reactEmail: Repository = {
  name: 'resend/react-email',
  commit: 'ffe605819782b31d7f946e30f938b1b63e6b239c',
  licence: 'MIT',
  files: 'apps/demo/emails/**/*.ts*',
}
const reactPackages = ['react-email@6.11.13', 'react@19.2.0', 'react-dom@19.2.0']

export interface Letter {
  name: string
  kind: 'html' | 'mjml'
  source: string
}

/** All of them. Clones what is not there yet. */
export function loadLetters(): Letter[] {
  const folder = process.env.CORPUS ?? join(tmpdir(), 'paquebot-corpus')
  mkdirSync(folder, { recursive: true })
  const cloned = repositories.flatMap((repository) => {
    const at = cloneInto(folder, repository)
    return globSync(repository.files, { cwd: at })
      .sort()
      .map((file) => toLetter(`${repository.name}/${file}`, readFileSync(join(at, file), 'utf8')))
  })
  return [...cloned, ...renderedIn(join(folder, 'rendered'), cloneInto(folder, reactEmail))]
}

/** Only what is looked at. */
function cloneInto(folder: string, { name, commit, files }: Repository): string {
  const at = join(folder, name.replace('/', '+'))
  if (existsSync(at)) return at
  run(['git', 'clone', '--quiet', '--no-checkout', `https://github.com/${name}`, at], folder)
  run(['git', 'checkout', '--quiet', commit, '--', `:(glob)${files}`], at)
  return at
}

function renderedIn(folder: string, checkout: string): Letter[] {
  const made = join(folder, 'rendered.json')
  if (!existsSync(made)) {
    cpSync(join(checkout, 'apps/demo'), folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{}')
    run(['bun', 'add', ...reactPackages], folder)
    run(['bun', join(import.meta.dir, 'render-react.ts'), folder], folder)
  }
  const rendered: Record<string, string> = JSON.parse(readFileSync(made, 'utf8'))
  return Object.entries(rendered).map(([file, html]) => toLetter(`${reactEmail.name}/${file}`, html))
}

function run(command: string[], cwd: string): void {
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd, env: { ...process.env, VERCEL_URL: 'demo.react.email' } })
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr}`)
}

/** Pictures are where their author would put them. Placeholders of other services are words here: what becomes of them is not a matter of looks. */
function toLetter(name: string, source: string): Letter {
  const said = source
    .replace(/\b(href|src)="[^"]*(?:\{\{|\{%|\*\|)[^"]*"/g, '$1="https://example.com/x"')
    .replace(/\bsrc="(?!https?:)([\w./-]+)"/g, 'src="https://example.com/$1"')
    .replace(/\{%[^%]*%\}/g, '')
    .replace(/\{\{\{?[^{}]*\}?\}\}|\*\|[^|]*\|\*/g, 'word')
  return { name, kind: name.endsWith('.mjml') ? 'mjml' : 'html', source: said }
}
