// The shapes of pictures on the wire.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { pageOf, pageQuery } from '../../../core/http/pagination.ts'
import { refusing } from '../../../core/http/unknown-fields.ts'
import { oneOf, time } from '../../../core/http/wire.ts'
import { invalidField } from '../../../kit/error.ts'
import { type PictureKind, pictureKinds } from '../../../kit/picture/read.ts'
import { hasControls, isOneLine, notOneLine } from '../../../kit/text.ts'
import { deletions } from './media.ts'
import type { MediaRow } from './store.ts'
import type { Labels } from './upload.ts'
import { type User, userKinds } from './uses.ts'

const maxNameChars = 200
const maxAltChars = 1_000
const name = t.String({ minLength: 1, maxLength: maxNameChars, description: 'What it is called in the library.' })
const alt = t.String({
  maxLength: maxAltChars,
  description: 'What it shows, for those who do not see it; a component that shows it starts with this text.',
})

export const uploadQuery = t.Object({ name: t.Optional(name), alt: t.Optional(alt) })
export const labelBody = refusing(t.Object({ name: t.Optional(name), alt: t.Optional(alt) }))
export const listQuery = t.Object({
  search: t.Optional(
    t.String({ maxLength: maxNameChars, description: 'Part of the name or of the alternative text.' }),
  ),
  ...pageQuery,
})
export const deleteQuery = t.Object({
  force: t.Optional(
    oneOf(['true', 'false'], '`true` deletes the file whatever shows it, also in mails that were sent.'),
  ),
})

const fields = {
  id: t.String(),
  url: t.String({ description: 'For `src` of an image, or as `logoUrl`: it never changes.' }),
  name: t.String(),
  alt: t.String(),
  contentType: oneOf(pictureKinds.map(typeOf)),
  bytes: Type.Integer(),
  width: Type.Integer({ description: 'In pixels, the way up it is shown.' }),
  height: Type.Integer(),
  animated: t.Boolean(),
  createdAt: time,
  updatedAt: time,
}
export const mediaView = t.Object(fields)
const user = t.Object({ kind: oneOf(userKinds), id: t.String(), name: t.String() })
export const usedView = t.Object({
  ...fields,
  usedBy: t.Array(user, {
    description:
      'What shows it in mail that is yet to be sent: templates, campaigns that have not ended, those that recur, the brand. At most 50 of each.',
  }),
})
export const mediaPage = Type.Object({
  ...pageOf(mediaView).properties,
  storage: t.Object({
    usedBytes: Type.Integer({
      description: 'Of all pictures, also those that are only kept for mails that were sent.',
    }),
    limitBytes: Type.Integer({ description: 'Set by the operator: MEDIA_WORKSPACE_MB.' }),
  }),
})
export const deletionView = t.Object({
  success: t.Literal(true),
  outcome: oneOf(deletions),
  message: t.String(),
})

export function typeOf(kind: PictureKind): `image/${PictureKind}` {
  return `image/${kind}`
}

/** The part of its address behind the origin. */
export function mediaPath({ key, kind }: Pick<MediaRow, 'key' | 'kind'>): string {
  return `/media/${key}.${kind}`
}

export function toMediaView(row: MediaRow, baseUrl: string) {
  const { id, name, alt, kind, sizeBytes, width, height, animated } = row
  return {
    ...{
      id,
      url: baseUrl + mediaPath(row),
      name,
      alt,
      contentType: typeOf(kind),
      bytes: sizeBytes,
      width,
      height,
      animated,
    },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function toUsedView(row: MediaRow, usedBy: User[], baseUrl: string) {
  return { ...toMediaView(row, baseUrl), usedBy }
}

/** Throws 422. */
export function checkedLabels<T extends Partial<Labels>>(labels: T): T {
  if (labels.name !== undefined && (labels.name.trim() === '' || !isOneLine(labels.name)))
    throw invalidField('name', labels.name.trim() === '' ? 'name must not be empty' : `name ${notOneLine}`)
  if (labels.alt !== undefined && hasControls(labels.alt))
    throw invalidField('alt', 'alt must not contain control characters')
  return labels
}
