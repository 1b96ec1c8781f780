// A place for files that are written once: a folder, or an S3-compatible store (`s3://bucket/prefix`). Backups are kept there.

export interface Store {
  /** As its operator wrote it. */
  readonly where: string
  /** A folder on the disk of the store, or near, for work that ends in `put`. */
  readonly workFolder: string
  /** The file of that name; null where it must be brought by `get`. */
  pathOf(name: string): string | null
  /** The names in it that begin so, sorted. */
  list(prefix: string): Promise<string[]>
  /** Stores the file, which may become the stored one, under a name that is free. `taken`: something else has that name. */
  put(name: string, path: string): Promise<'stored' | 'taken'>
  /** All of it, or these bytes. Throws `not_found`, at the first byte. */
  get(name: string, part?: Part): AsyncIterable<Uint8Array>
  delete(name: string): Promise<void>
}

/** From the first byte to the last, both counted from 0. */
export interface Part {
  from: number
  to: number
}

export interface S3Config {
  /** Without a trailing slash; buckets are the first part of the path. */
  endpoint: string
  region: string
  /** Undefined = no place may be in a store. */
  access: { keyId: string; secret: string } | undefined
}

/** The whole of a small file. Throws `not_found`. */
export async function readWhole(store: Store, name: string): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(store.get(name)))
}
