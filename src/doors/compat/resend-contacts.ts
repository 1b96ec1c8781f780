// Resend: contacts, audiences (segments by their newer name; they are mailing lists) and domains, as its SDK asks for them.

import { Elysia, t } from 'elysia'
import { type App, type Reader, write } from '../../core/app.ts'
import { refusing } from '../../core/http/unknown-fields.ts'
import { type Contact, findContactByEmail, getContact } from '../../features/contacts/consent/find-contact.ts'
import { byRequest } from '../../features/contacts/consent/ledger.ts'
import { listSubscriptions } from '../../features/contacts/consent/subscriptions.ts'
import { changeContact, deleteContact, upsertContact } from '../../features/contacts/contacts.ts'
import { readContactFields } from '../../features/contacts/fields.ts'
import { listContacts } from '../../features/contacts/list.ts'
import { archiveList, createList, getList, listLists, updateList } from '../../features/lists/lists.ts'
import { checkStanding, getDomain } from '../../features/sending/domains/checks.ts'
import { createDomain, deleteDomain, listDomains } from '../../features/sending/domains/keys.ts'
import { domainViews, newDomainView } from '../../features/sending/domains/routes.ts'
import { AppError } from '../../kit/error.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import { auth, type Caller } from '../../people/access/auth.ts'
import { anyName, hidden, id, page, readPage, root, toPage } from './resend-mail.ts'

export function resendContactRoutes(app: App) {
  return new Elysia().use(contactRoutes(app)).use(membershipRoutes(app)).use(audienceRoutes(app)).use(domainRoutes(app))
}

const person = {
  first_name: t.Optional(t.Union([t.String(), t.Null()])),
  last_name: t.Optional(t.Union([t.String(), t.Null()])),
  unsubscribed: t.Optional(t.Boolean()),
  properties: t.Optional(t.Record(anyName, t.Union([t.String(), t.Number(), t.Boolean(), t.Null()]))),
}
const newContact = refusing(
  t.Object({ email: t.String(), ...person, segments: t.Optional(t.Array(t.Object({ id }), { maxItems: 100 })) }),
)
const changedContact = refusing(t.Object(person))

type Person = typeof changedContact.static

function toFields({ first_name, last_name, unsubscribed, properties }: Person, more: Record<string, unknown>) {
  const names = withoutUndefined({ firstName: first_name, lastName: last_name })
  const consent = unsubscribed === undefined ? {} : { subscribed: !unsubscribed }
  return readContactFields({ ...properties, ...names, ...consent, ...more }).fields
}

/** By its id or its address. Throws 404. */
async function getNamedContact(reader: Reader, workspaceId: string, idOrEmail: string): Promise<Contact> {
  if (!idOrEmail.includes('@')) return await getContact(reader, workspaceId, idOrEmail)
  const found = await findContactByEmail(reader, workspaceId, idOrEmail)
  if (!found) throw new AppError('not_found', 'Contact not found')
  return found
}

const reading = { auth: 'contacts.read' } as const
const writing = { auth: 'contacts.write' } as const

/** With `/audiences/:listId` in front, the contact is put on that list, or taken off it. */
function contactRoutes(app: App) {
  const create = async ({ workspace, credential }: Caller, body: typeof newContact.static, lists: string[]) => {
    const mailingLists = Object.fromEntries(lists.map((list) => [list, true]))
    const fields = toFields(body, { email: body.email, mailingLists })
    const evidence = byRequest(credential, `POST ${root}/contacts`)
    const { contact } = await write(app, (tx) => upsertContact(tx, workspace.id, fields, evidence))
    return { object: 'contact', id: contact.id }
  }
  const change = async ({ workspace, credential }: Caller, idOrEmail: string, more: [Person, object]) => {
    const fields = toFields(more[0], { ...more[1] })
    const evidence = byRequest(credential, `PATCH ${root}/contacts`)
    const { id } = await write(app, async (tx) =>
      changeContact(tx, await getNamedContact(tx, workspace.id, idOrEmail), fields, evidence),
    )
    return { object: 'contact', id }
  }
  const get = async ({ workspace }: Caller, idOrEmail: string) =>
    toContact(await getNamedContact(app, workspace.id, idOrEmail))
  return new Elysia({ prefix: root, ...hidden })
    .use(auth)
    .post(
      '/contacts',
      ({ body, caller }) =>
        create(
          caller,
          body,
          (body.segments ?? []).map((one) => one.id),
        ),
      {
        ...writing,
        body: newContact,
      },
    )
    .post('/audiences/:listId/contacts', ({ body, params, caller }) => create(caller, body, [params.listId]), {
      ...writing,
      body: newContact,
    })
    .get('/contacts', ({ workspace, query }) => contactPage(app, workspace.id, query), { ...reading, query: page })
    .get(
      '/segments/:listId/contacts',
      async ({ workspace, params, query }) => {
        const { id: listId } = await getList(app, workspace.id, params.listId)
        return await contactPage(app, workspace.id, { ...query, listId })
      },
      { ...reading, query: page },
    )
    .get('/contacts/:contactId', ({ params, caller }) => get(caller, params.contactId), reading)
    .get('/audiences/:listId/contacts/:contactId', ({ params, caller }) => get(caller, params.contactId), reading)
    .patch('/contacts/:contactId', ({ body, params, caller }) => change(caller, params.contactId, [body, {}]), {
      ...writing,
      body: changedContact,
    })
    .patch(
      '/audiences/:listId/contacts/:contactId',
      ({ body, params, caller }) => change(caller, params.contactId, [body, {}]),
      { ...writing, body: changedContact },
    )
    .delete(
      '/contacts/:contactId',
      async ({ workspace, params }) => {
        const contact = await write(app, async (tx) => {
          const found = await getNamedContact(tx, workspace.id, params.contactId)
          await deleteContact(tx, found)
          return found.id
        })
        return { object: 'contact', contact, deleted: true }
      },
      writing,
    )
    .delete(
      '/audiences/:listId/contacts/:contactId',
      async ({ params, caller }) => {
        const { id: contact } = await change(caller, params.contactId, [
          {},
          { mailingLists: { [params.listId]: false } },
        ])
        return { object: 'contact', contact, deleted: true }
      },
      writing,
    )
}

/** The lists that a contact is on, for now or once it has confirmed. */
function membershipRoutes(app: App) {
  const move = async ({ workspace, credential }: Caller, { contactId, listId }: Membership, isOn: boolean) => {
    const evidence = byRequest(credential, `${isOn ? 'POST' : 'DELETE'} ${root}/contacts/segments`)
    await write(app, async (tx) => {
      const contact = await getNamedContact(tx, workspace.id, contactId)
      await getList(tx, workspace.id, listId)
      await changeContact(tx, contact, readContactFields({ mailingLists: { [listId]: isOn } }).fields, evidence)
    })
  }
  const path = '/:contactId/segments/:listId'
  return new Elysia({ prefix: `${root}/contacts`, ...hidden })
    .use(auth)
    .get(
      '/:contactId/segments',
      async ({ workspace, params, query }) => {
        const { most, after } = readPage(query)
        const contact = await getNamedContact(app, workspace.id, params.contactId)
        const on = (await listSubscriptions(app, contact.id)).filter(({ status }) => /^(active|pending)$/.test(status))
        const lists = await Promise.all(on.map(({ mailingListId }) => getList(app, workspace.id, mailingListId)))
        lists.sort((one, other) => (one.id < other.id ? 1 : -1))
        return toPage(after === undefined ? lists : lists.filter(({ id }) => id < after), most, toAudience)
      },
      { ...reading, query: page },
    )
    .post(
      path,
      async ({ params, caller }) => {
        await move(caller, params, true)
        return { id: params.listId }
      },
      writing,
    )
    .delete(
      path,
      async ({ params, caller }) => {
        await move(caller, params, false)
        return { id: params.listId, audienceId: params.listId, deleted: true }
      },
      writing,
    )
}

interface Membership {
  contactId: string
  listId: string
}

async function contactPage(
  app: App,
  workspaceId: string,
  { listId, ...query }: typeof page.static & { listId?: string },
) {
  const { most, after } = readPage(query)
  const filter = { listId, after: after === undefined ? undefined : `id ${after}`, limit: most + 1 }
  const { rows } = await listContacts(app, workspaceId, filter)
  return toPage(rows, most, ({ contact }) => toContact(contact))
}

function toContact({ id, email, firstName, lastName, subscribed, createdAt, properties }: Contact) {
  const typed = Object.entries(properties).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, { type: typeof value, value }]] : [],
  )
  return {
    object: 'contact',
    id,
    email,
    first_name: firstName,
    last_name: lastName,
    created_at: createdAt.toISOString(),
    unsubscribed: !subscribed,
    properties: Object.fromEntries(typed),
  }
}

const audienceBody = refusing(t.Object({ name: t.String({ minLength: 1, maxLength: 200 }) }))

type List = Awaited<ReturnType<typeof getList>>

const toAudience = ({ id, name, createdAt }: List) => ({
  object: 'segment',
  id,
  name,
  created_at: createdAt.toISOString(),
})

function audienceRoutes(app: App) {
  const reading = { auth: 'lists.read' } as const
  return new Elysia({ prefix: `${root}/segments`, ...hidden })
    .use(auth)
    .get(
      '',
      async ({ workspace, query }) => {
        const { most, after } = readPage(query)
        return toPage(await listLists(app, workspace.id, { after, limit: most + 1 }), most, toAudience)
      },
      { ...reading, query: page },
    )
    .get(
      '/:listId',
      async ({ workspace, params }) => toAudience(await getList(app, workspace.id, params.listId)),
      reading,
    )
    .post(
      '',
      async ({ workspace, body, set }) => {
        set.status = 201
        return toAudience(await write(app, (tx) => createList(tx, workspace.id, body)))
      },
      { auth: 'lists.write', body: audienceBody },
    )
    .patch(
      '/:listId',
      async ({ workspace, params: { listId: id }, body }) => {
        await write(app, (tx) => updateList(tx, workspace.id, id, body))
        return { object: 'segment', id }
      },
      { auth: 'lists.write', body: audienceBody },
    )
    .delete(
      '/:listId',
      async ({ workspace, params: { listId: id } }) => {
        await write(app, (tx) => archiveList(tx, workspace.id, id))
        return { object: 'segment', id, deleted: true }
      },
      { auth: 'lists.write' },
    )
}

function domainRoutes(app: App) {
  type View = Awaited<ReturnType<typeof domainViews>>[number]
  const toDomain = ({ id, domain: name, status, createdAt }: View) => ({
    id,
    name,
    status,
    created_at: createdAt,
    region: '',
  })
  const withRecords = (view: View) => {
    const records = view.dnsRecords.map((record) => ({
      ...record,
      record: record.type,
      ttl: 'Auto',
      status: view.status,
    }))
    return { object: 'domain', ...toDomain(view), records }
  }
  const writing = { auth: 'domains.write' } as const
  return new Elysia({ prefix: `${root}/domains`, ...hidden })
    .use(auth)
    .post(
      '',
      async ({ workspace, body, set }) => {
        set.status = 201
        return withRecords(await newDomainView(app, await createDomain(app, workspace.id, body.name)))
      },
      { ...writing, body: refusing(t.Object({ name: t.String({ maxLength: 253 }) })) },
    )
    .post(
      '/:domainId/verify',
      async ({ workspace, params }) => {
        const row = await getDomain(app, workspace.id, params.domainId)
        await checkStanding(app, row, 0)
        return { object: 'domain', id: row.id }
      },
      writing,
    )
    .delete(
      '/:domainId',
      async ({ workspace, params }) => {
        const row = await getDomain(app, workspace.id, params.domainId)
        await write(app, (tx) => deleteDomain(tx, row))
        return { object: 'domain', id: row.id, deleted: true }
      },
      writing,
    )
    .get(
      '',
      async ({ workspace }) => {
        const views = await domainViews(app, await listDomains(app, workspace.id))
        return { object: 'list', has_more: false, data: views.map(toDomain) }
      },
      { auth: 'domains.read' },
    )
    .get(
      '/:domainId',
      async ({ workspace, params }) => {
        const [view] = await domainViews(app, [await getDomain(app, workspace.id, params.domainId)])
        if (!view) throw new AppError('not_found', 'Domain not found')
        return withRecords(view)
      },
      { auth: 'domains.read' },
    )
}
