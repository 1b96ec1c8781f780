// Contacts, listed or searched over REST. It stands here because who is in a segment may be searched, too.

import { Elysia, t } from 'elysia'
import type { App } from '../../../core/app.ts'
import { extension } from '../../../core/http/operation.ts'
import { pageQuery, readPage, writePage } from '../../../core/http/pagination.ts'
import { sortQuery } from '../../../core/http/sorting.ts'
import { invalidField } from '../../../kit/error.ts'
import { auth } from '../../../people/access/auth.ts'
import { contactOrders, listContacts, suppressedAmong } from '../list.ts'
import { contactFilter, contactPage, toContactView } from '../schema.ts'
import { type ContactSearch, isSearch, searchContacts } from '../search.ts'
import { segmentSql } from './compile.ts'
import { findSegment } from './segments.ts'

const path = '/v1/contacts'
const sorted = ' With `email`, `email` is the default and the only one; with any other filter it is not possible.'

export function contactListRoutes(app: App) {
  return new Elysia().use(auth).get(
    path,
    async ({ workspace, query }) => {
      const request = { workspaceId: workspace.id, path, query }
      const bounds = await readPage(app, request)
      const { perPage: _, cursor: __, suppressed, segmentId, ...filter } = query
      const search = {
        ...filter,
        suppressed: suppressed === undefined ? undefined : suppressed === 'true',
        ...(segmentId === undefined ? {} : await inSegment(app, workspace.id, segmentId)),
      }
      const { after, limit } = bounds
      const found = isSearch(search)
        ? await searchContacts(app, workspace.id, { ...search, after, limit })
        : await listContacts(app, workspace.id, { ...search, after, limit: limit + 1 })
      const page = await writePage(app, request, bounds, { ...found, view: toContactView })
      return { ...page, suppressed: await suppressedAmong(app, workspace.id, found.rows) }
    },
    {
      auth: { scope: 'contacts.read', session: true },
      query: t.Object({ ...contactFilter, ...sortQuery(contactOrders, sorted), ...pageQuery }),
      response: contactPage,
      detail: extension(
        'listContacts',
        'List contacts, or search by text, list, state, property, suppression or segment',
        'A contact must match all the filters that are given; only `email`, the beginning of an address, cannot be combined with others. Filtering by `email`, by `property`, or by `listId` and `state` uses an index: it is fast for any number of contacts and returns the total. `segmentId` scans the members of the segment, and alone it returns the total. With `q`, `suppressed` or a combination of filters, contacts are scanned in order, at most 100,000 per request (some 50 ms, or 120 ms for letters beyond ASCII): a page may then hold fewer than `perPage` contacts, even none, although more pages follow, and `totalResults` counts the contacts found so far.',
      ),
    },
  )
}

/** Who is in it, or, until that is known, what it asks. */
async function inSegment(
  app: App,
  workspaceId: string,
  segmentId: string,
): Promise<Pick<ContactSearch, 'among' | 'where'>> {
  const segment = await findSegment(app, workspaceId, segmentId)
  if (!segment) throw invalidField('segmentId', 'there is no such segment', 'unknown_segment')
  if (segment.building === null) return { among: segment }
  return { where: segmentSql(segment.filter, app.clock.now()) }
}
