// Contacts, listed or searched over REST. It stands here because who is in a segment may be searched, too.

import { Elysia, t } from 'elysia'
import type { App } from '../../../core/app.ts'
import { extension } from '../../../core/http/operation.ts'
import { pageQuery, readPage, writePage } from '../../../core/http/pagination.ts'
import { invalidField } from '../../../kit/error.ts'
import { auth } from '../../../people/access/auth.ts'
import { listContacts, suppressedAmong } from '../list.ts'
import { contactFilter, contactPage, toContactView } from '../schema.ts'
import { type ContactSearch, isSearch, searchContacts } from '../search.ts'
import { segmentSql } from './compile.ts'
import { findSegment } from './segments.ts'

const path = '/v1/contacts'

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
      query: t.Object({ ...contactFilter, ...pageQuery }),
      response: contactPage,
      detail: extension(
        'listContacts',
        'List contacts, or search by text, list, state, property, suppression or segment',
        'What is given must all hold; only `email`, the beginning of an address, is a search of its own. By `email`, by `property`, or by `listId` and `state`, an index answers however many contacts there are, with the total. By `segmentId` those are walked through who are in the segment, and alone it tells the total. With `q`, `suppressed` or several of them contacts are walked through, the newest first, at most 100,000 in a request (some 50 ms, and 120 ms for letters beyond ASCII): a page may have fewer contacts than it has room for, even none, and still a next one, and `totalResults` counts what was found up to there.',
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
