// Whose the rows of each table are (db/workspace-rows.ts): every table is in one list, and what the lists name exists and can be found.

import { expect, test } from 'bun:test'
import { modelTables } from '../db/model.ts'
import { findOwned, listedColumns, ownedTables, partsOf } from '../db/workspace-rows.ts'

const tables = new Map(modelTables().map((table) => [table.name, table]))

test('every table belongs to a workspace, to a person or to the installation', () => {
  const owned = ownedTables()
  expect(owned.map(({ table }) => table.name).sort()).toEqual([...tables.keys()].sort())
  expect(owned.length).toBeGreaterThan(100)
})

test('a table that names a workspace is of workspaces, and of the installation only while it is empty between transactions', () => {
  const others = ownedTables().filter(({ of, table }) => of !== 'workspace' && table.columns.includes('workspace_id'))
  expect(others.map(({ table }) => table.name)).toEqual(['audit_pending'])
})

test('the lists name tables and columns that exist, and each way is found by an index', () => {
  const missing = listedColumns().filter(
    ({ table, column }) => !(column === '' ? tables.has(table) : tables.get(table)?.columns.includes(column)),
  )
  expect(missing).toEqual([])
  const ways = ownedTables().flatMap((owned) => (owned.of === 'part' ? owned.ways : []))
  const slow = ways.filter(([, parent, its]) => {
    const table = tables.get(parent)
    return !table?.found.includes(its) && !table?.key.includes(its)
  })
  // Found by an index of those that have pieces.
  expect(slow).toEqual([['source_id', 'captured_mails', 'source_id']])
})

test('the rows of a workspace are found by an index in every table that may be large', () => {
  const found = ownedTables().flatMap((owned) =>
    owned.of === 'workspace' || owned.of === 'part' ? [[owned.table.name, findOwned(owned).by] as const] : [],
  )
  const walked = found.flatMap(([name, by]) => (by === 'all rows' ? [name] : []))
  expect(walked.sort()).toEqual([
    'activity_changes',
    'approval_links',
    'domain_checks',
    'domain_owners',
    'mailbox_tokens',
    'media_uses',
    'receiver_replies',
    'sending_faults',
  ])
  // What is part of something goes with it, by each way that leads there.
  const parts = ownedTables().flatMap((owned) =>
    owned.of === 'part' && !walked.includes(owned.table.name)
      ? owned.ways.map(([, parent]) => `${owned.table.name} of ${parent}`)
      : [],
  )
  const hung = [...tables.keys()].flatMap((name) => partsOf(name).map(({ table }) => `${table.name} of ${name}`))
  expect(hung.sort()).toEqual(parts.sort())
  const wholes = new Map(found)
  expect(parts.filter((part) => wholes.get(part.split(' of ')[1] ?? '') === 'all rows')).toEqual([])
})
