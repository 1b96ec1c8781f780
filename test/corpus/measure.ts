// Mails of others, pasted and sent: how many of their pixels differ, and what is left out of them. `bun run corpus` prints each that is not
// the same, and the sums; it fails when one differs by more than 0.5 % beyond what is listed as left out.

import { compileContent } from '../../src/features/content/rendering/compile.ts'
import { fill } from '../../src/features/content/rendering/fill.ts'
import { compileMjml } from '../../src/features/content/rendering/own-html/compile-mjml.ts'
import { writeSource } from '../../src/features/content/rendering/own-html/write-source.ts'
import { openBrowser } from '../support/browser.ts'
import { openPixels } from '../support/pixels.ts'
import { type Letter, loadLetters } from './sources.ts'

const most = 0.005

interface Measured {
  name: string
  share: number
  look: string
  leftOut: string[]
  saysTheSame: boolean
}

const browser = await openBrowser()
try {
  const pixels = await openPixels(browser)
  const wanted = process.argv[2] ?? ''
  const measured: Measured[] = []
  for (const letter of loadLetters().filter(({ name }) => name.includes(wanted))) {
    const one = await measure(pixels, letter)
    measured.push(one)
    if (one.share > 0 || !one.saysTheSame)
      process.stdout.write(
        `${(100 * one.share).toFixed(3).padStart(7)} %  ${one.look.padEnd(10)} ${one.saysTheSame ? '' : 'WORDS '}${one.name}: ${one.leftOut.join(' ') || 'nothing is left out'}\n`,
      )
  }
  process.exitCode = report(measured) ? 0 : 1
} finally {
  await browser.close()
}

async function measure(
  pixels: Awaited<ReturnType<typeof openPixels>>,
  { name, kind, source }: Letter,
): Promise<Measured> {
  const unread = { name, share: 1, look: '', leftOut: ['unread'], saysTheSame: false }
  const given = kind === 'html' ? { html: source, issues: [] } : await compileMjml(source)
  if ('fault' in given) return unread
  const content = writeSource({ kind, source, footer: 'added', marks: false, ...given })
  if ('fault' in content) return unread
  const mail = { content, subject: 'A mail', locale: 'en', kind: 'transactional' as const }
  const sent = fill(compileContent(mail).html, {})
  const worst = (await pixels.differences(given.html, sent)).sort((a, b) => b.share - a.share)[0]
  const saysTheSame = (await pixels.words(given.html)) === (await pixels.words(sent))
  const leftOut = content.issues.map(({ message }) => message)
  return { name, share: worst?.share ?? 1, look: worst?.look ?? '', leftOut, saysTheSame }
}

function report(measured: Measured[]): boolean {
  const faulty = measured.filter(({ share }) => share > most)
  const unsaid = measured.filter(
    ({ share, saysTheSame, leftOut }) => leftOut.length === 0 && (share > most || !saysTheSame),
  )
  const lines = [
    `${measured.length} mails, at 640 and 360 pixels, by day and in the dark`,
    `${measured.filter(({ share }) => share === 0).length} are the same to the pixel`,
    `${faulty.length} differ by more than ${100 * most} %`,
    `${unsaid.length} differ in a way that no list of what is left out names`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  return faulty.length === 0 && unsaid.length === 0
}
