// Compares what is stored with what was to be stored: if they are the same, an earlier attempt whose reply was lost had succeeded.

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
