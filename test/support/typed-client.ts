// Prints the types of a client, made from the OpenAPI document whose file is named. Run by a test in a process of its own: the
// generator needs the compiler of an older TypeScript under the name of ours.

import { plugin } from 'bun'

plugin({
  name: 'the older TypeScript',
  setup(build) {
    build.module('typescript', async () => ({ exports: { ...(await import('typescript-5')) }, loader: 'object' }))
  },
})

const { default: openapiTS, astToString } = await import('openapi-typescript')
const document = await Bun.file(process.argv[2] ?? '').json()
process.stdout.write(astToString(await openapiTS(document)))
