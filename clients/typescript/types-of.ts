// The types of a client, made from an OpenAPI document. Run with its file, it prints them: in a process of its own, for the generator needs
// the compiler of an older TypeScript under the name of ours.

import { plugin } from 'bun'

// biome-ignore lint/suspicious/noExplicitAny: a document of OpenAPI, however it was made
type Document = any

plugin({
  name: 'the older TypeScript',
  setup(build) {
    build.module('typescript', async () => ({ exports: { ...(await import('typescript-5')) }, loader: 'object' }))
  },
})

export async function typesOf(document: Document): Promise<string> {
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  return astToString(await openapiTS(document))
}

if (import.meta.main) process.stdout.write(await typesOf(await Bun.file(process.argv[2] ?? '').json()))
