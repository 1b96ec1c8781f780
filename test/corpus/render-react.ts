// Renders the examples of React Email in a folder, with the packages that are installed there: `bun render-react.ts FOLDER`.

import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder = ''] = process.argv.slice(2)
const { render } = await import(Bun.resolveSync('react-email', folder))
const { createElement } = await import(Bun.resolveSync('react', folder))
const rendered: Record<string, string> = {}
for (const file of globSync('emails/**/*.tsx', { cwd: folder }).sort()) {
  const { default: Mail } = await import(join(folder, file))
  // Fonts and themes are no mails.
  if (typeof Mail !== 'function' || /-fonts|theme/.test(file)) continue
  rendered[file] = await render(createElement(Mail, Mail.PreviewProps))
}
writeFileSync(join(folder, 'rendered.json'), JSON.stringify(rendered))
