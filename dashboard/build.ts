// The dashboard as the files that a browser loads: for each language one script and one style sheet, and those of the screens, each with its
// words in that language; and one script for the frame of previews. Named by what is in them and compressed once.

import { basename, join } from 'node:path'
import { offered, ownName, textsOf } from '../languages/catalogue.ts'
import { parseTree } from '../languages/parse.ts'
import { type BuiltFile, built } from './built.ts'

/** Throws where the sources cannot be built. */
export async function buildDashboard(): Promise<BuiltFile[]> {
  const languages = offered('dashboard')
  const outputs = await Promise.all([
    ...languages.map((language) => buildIn(language, languages)),
    // No module: a document without an origin may not load one.
    bundle({ entrypoints: [join(import.meta.dir, 'preview-frame.ts')], format: 'iife', naming: 'frame-[hash].[ext]' }),
  ])
  return await Promise.all(
    outputs.flat().map(async (output) => built(basename(output.path), new Uint8Array(await output.arrayBuffer()))),
  )
}

function buildIn(language: string, languages: string[]): Promise<Bun.BuildArtifact[]> {
  const name = (kind: string) => `${kind}-${language}-[hash].[ext]`
  return bundle({
    entrypoints: [join(import.meta.dir, 'main.tsx')],
    splitting: true,
    naming: { entry: name('dashboard'), chunk: name('screen'), asset: name('asset') },
    define: {
      spoken: JSON.stringify({ language, languages: Object.fromEntries(languages.map((one) => [one, ownName(one)])) }),
      ...areasOf(language),
    },
  })
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
