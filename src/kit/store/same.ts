// Whether what is stored is what was to be stored: then a former attempt, of which nobody heard, had come through.

import { createReadStream } from 'node:fs'

export async function isSame(stored: AsyncIterable<Uint8Array>, path: string): Promise<boolean> {
  const [one, other] = await Promise.all([digest(stored), digest(createReadStream(path))])
  return one === other
}

async function digest(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = new Bun.SHA256()
  for await (const chunk of bytes) hash.update(chunk)
  return hash.digest('hex')
}
