// The dashboard as the files that a browser loads, in one language: one script and one style sheet, those of the screens, each with its
// words, and two scripts for the frame of previews. Named by their language and what is in them, and compressed once.

import { basename, join } from 'node:path'
import { ownName, textsOf } from '../languages/catalogue.ts'
import { dashboardLanguages } from '../languages/generated/said-by-server.ts'
import { parseTree } from '../languages/parse.ts'
import { type BuiltFile, built } from './built.ts'

/** Throws where the sources cannot be built. */
export async function buildDashboard(language: string): Promise<BuiltFile[]> {
  const name = (kind: string) => `${kind}-${language}-[hash].[ext]`
  const languages = Object.fromEntries(dashboardLanguages.map((one) => [one, ownName(one)]))
  const outputs = await Promise.all([
    bundle({
      entrypoints: [join(import.meta.dir, 'main.tsx')],
      splitting: true,
      naming: { entry: name('dashboard'), chunk: name('screen'), asset: name('asset') },
      define: { spoken: JSON.stringify({ language, languages }), ...areasOf(language) },
    }),
    // No module: a document without an origin may not load one.
    bundle({ entrypoints: [join(import.meta.dir, 'preview-frame.ts')], format: 'iife', naming: name('frame') }),
    bundle({ entrypoints: [join(import.meta.dir, 'in-mail/editor.ts')], format: 'iife', naming: name('editor') }),
  ])
  return await Promise.all(
    outputs.flat().map(async (output) => built(basename(output.path), new Uint8Array(await output.arrayBuffer()))),
  )
}

/** `catalogue.campaigns.general` is its messages: whatever loads a screen loads its words, and no others. */
function areasOf(language: string): Record<string, string> {
  const areas: Record<string, string> = {}
  for (const [folder, words] of Object.entries(parseTree(textsOf(language, 'dashboard'))))
    for (const [area, messages] of Object.entries(words))
      areas[`catalogue.${folder}.${area}`] = JSON.stringify(messages)
  return areas
}

async function bundle({ define, ...options }: Bun.BuildConfig): Promise<Bun.BuildArtifact[]> {
  const production = { 'process.env.NODE_ENV': '"production"', ...define }
  return (await Bun.build({ target: 'browser', minify: true, define: production, ...options })).outputs
}
