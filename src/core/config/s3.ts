// Access to an S3-compatible store, for settings that name a place in one: `s3://bucket/prefix`.

import { ConfigError, type Reader } from '../../kit/environment.ts'
import type { S3Config } from '../../kit/store/store.ts'
import { withoutEnd } from '../../kit/text.ts'
import { absolute } from './kinds.ts'

export const s3Settings = ['S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']

export function readS3({ text }: Reader): S3Config {
  const [keyId, secret] = [text('S3_ACCESS_KEY_ID'), text('S3_SECRET_ACCESS_KEY')]
  if ((keyId === undefined) !== (secret === undefined))
    throw new ConfigError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together')
  const region = text('S3_REGION') ?? 'us-east-1'
  if (!/^[a-z0-9-]{1,64}$/.test(region))
    throw new ConfigError(`S3_REGION must be like eu-central-1, or auto, not ${JSON.stringify(region)}`)
  return {
    endpoint: readEndpoint(text('S3_ENDPOINT') ?? `https://s3.${region}.amazonaws.com`),
    region,
    access: keyId === undefined || secret === undefined ? undefined : { keyId, secret },
  }
}

function readEndpoint(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash || url.username)
    throw new ConfigError(`S3_ENDPOINT must be an http or https address, not ${JSON.stringify(value)}`)
  return withoutEnd(value, '/')
}

const bucketAndPrefix = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[A-Za-z0-9._-]+)*\/?$/

/** A folder as an absolute path, or `s3://bucket/prefix` without a trailing slash. `name` is who says so. */
export function readStorePlace(name: string, value: string, { access }: S3Config, directory: string): string {
  if (!value.startsWith('s3://')) return absolute(value, directory)
  if (!bucketAndPrefix.test(value))
    throw new ConfigError(`${name} must be a folder, or s3://bucket/prefix, not ${JSON.stringify(value)}`)
  if (access === undefined)
    throw new ConfigError(`S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set for ${name}: it is ${value}`)
  return value.replace(/\/$/, '')
}
