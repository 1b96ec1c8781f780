// Wire shapes of the files in which workspaces travel.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { refusing } from '../../core/http/unknown-fields.ts'
import { nullableText, nullableTime, oneOf, time } from '../../core/http/wire.ts'
import type { Transfer } from './transfers.ts'

export const exportBody = refusing(
  t.Object({
    movesTo: t.Optional(
      t.Union([t.String({ maxLength: 2_000 }), t.Null()], {
        description:
          '`BASE_URL` of the installation to which it moves: from the answer on its links lead there, and it cannot be resumed here. Null, or left out: a copy to read.',
        examples: ['https://mail.example.org'],
      }),
    ),
  }),
)

const states = ['none', 'waiting', 'done', 'failed'] as const
const state = oneOf(states, '`none`: there is none, or its day is over. `waiting`: it is being made.')
const detail = t.Union([t.String(), t.Null()], { description: 'Why it failed, or is tried again.' })

export const exportView = t.Object({
  workspaceId: t.String(),
  state,
  detail,
  movesTo: nullableText,
  sizeBytes: Type.Integer({ description: 'Of the file; 0 until it is whole.' }),
  sha256: t.Union([t.String(), t.Null()], { description: 'Of the file, in hexadecimal digits.' }),
  url: t.Union([t.String(), t.Null()], { description: 'Where the file is, for the same credential.' }),
  expiresAt: nullableTime,
  createdAt: nullableTime,
  updatedAt: nullableTime,
})

export function toExportView(workspaceId: string, row: Transfer | null, baseUrl: string) {
  const state: (typeof states)[number] = row?.state ?? 'none'
  return {
    workspaceId,
    state,
    detail: row?.detail ?? null,
    movesTo: row?.movesTo ?? null,
    sizeBytes: row?.sizeBytes ?? 0,
    sha256: row?.sha256 ?? null,
    url: state === 'done' ? `${baseUrl}/v1/workspaces/${workspaceId}/export/file` : null,
    expiresAt: row?.expiresAt.toISOString() ?? null,
    createdAt: row?.createdAt.toISOString() ?? null,
    updatedAt: row?.updatedAt.toISOString() ?? null,
  }
}

export const importQuery = t.Object({
  slug: t.Optional(t.String({ maxLength: 64, description: 'Another slug, where its own is taken.' })),
})

const importStates = ['waiting', 'done', 'failed'] as const

export const importView = t.Object({
  id: t.String(),
  state: oneOf(importStates, '`failed`: nothing of the workspace is here.'),
  detail,
  workspaceId: t.Union([t.String(), t.Null()], { description: 'Once it is here.' }),
  slug: nullableText,
  sizeBytes: Type.Integer(),
  createdAt: time,
  updatedAt: time,
})

export function toImportView({ id, state, detail, workspaceId, slug, sizeBytes, createdAt, updatedAt }: Transfer) {
  return {
    ...{ id, state, detail, workspaceId, slug, sizeBytes },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
