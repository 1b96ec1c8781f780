// What a person's yes lets go: exactly what was shown, and each mail that left is traced to the one yes that let it.

import { eq } from 'drizzle-orm'
import { simpleParser } from 'mailparser'
import { heldActions } from '../../db/tables/agents.ts'
import { mailboxDrafts } from '../../db/tables/mailboxes.ts'
import type { Json } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { refuseAll, waiting } from './attack.ts'
import { isAsked, type World } from './world.ts'

export interface Traced {
  approvalId: string
  to: string
  by: string
}

interface Outcome {
  approved: number
  /** Mails, but for those that ask people. */
  left: number
  traced: Traced[]
  /** What is not as it has to be; nothing: empty. */
  faults: string[]
}

/** Says yes to every second mail that waits and to the first campaign, and looks at what left. */
export async function approveSome(world: World): Promise<Outcome> {
  const { t, sink, person } = world
  const list = await waiting(world)
  const mails = list.filter(({ kind }) => kind !== 'action').filter((_, n) => n % 2 === 0)
  const details: Json[] = []
  for (const { id } of mails) details.push(await t.get(`/v1/approvals/${id}`, 200, await person()))
  const actions = await Promise.all(
    list
      .filter(({ kind }) => kind === 'action')
      .map(async ({ id }) => t.get(`/v1/approvals/${id}`, 200, await person())),
  )
  const campaign = actions.find(({ action }) => action.name === 'send_campaign')
  const chosen = campaign ? [...details, campaign] : details
  const approvals = chosen.map(({ id, contentHash }) => ({ id, contentHash }))
  const { results } = await t.post('/v1/approvals/approve', { approvals }, 200, await person())
  const refusals = (results as Json[]).filter(({ error }) => error !== null)
  const faults = refusals.map(({ id, error }) => `${id} was not approved: ${error.code}`)
  const agreed = details.filter(({ id }) => !refusals.some((refused) => refused.id === id))
  await allSent(world, agreed)
  const traced: Traced[] = []
  const total = sink.received.filter((mail) => !isAsked(mail)).length
  const left = sink.received.filter((mail) => !isAsked(mail))
  for (const shown of agreed) {
    const at = left.findIndex(({ raw }) => isMail(raw, shown))
    const [mail] = at < 0 ? [] : left.splice(at, 1)
    if (!mail) throw new Error(`${shown.id} did not leave`)
    faults.push(...(await differences(shown, mail.to, mail.raw)))
    traced.push({ approvalId: shown.id, to: mail.to.join(), by: await yesTo(world, shown.id) })
  }
  for (const { to, raw } of left) {
    const isCampaign = campaign !== undefined && /^r[0-2]@example\.net$/.test(to.join())
    const { subject = '', text = '' } = await simpleParser(raw)
    const [said] = campaign?.contents ?? []
    if (isCampaign && subject === said.subject && text.includes(said.content[0].text))
      traced.push({ approvalId: campaign.id, to: to.join(), by: await yesTo(world, campaign.id) })
    else faults.push(`a mail to ${to.join()} that nobody approved`)
  }
  await refuseAll(world)
  return { approved: results.length - refusals.length, left: total, traced, faults }
}

/** A mail whose receiver is slow to answer, as on a machine that is busy with other things, is put off: the clock goes on until it has left. */
async function allSent({ t, sink }: World, details: readonly Json[]): Promise<void> {
  await t.settle()
  const waiting = () => details.filter((shown) => !sink.received.some(({ raw }) => isMail(raw, shown)))
  const later = async () => {
    if (waiting().length > 0) await t.advance('1s')
    return waiting().map(({ id }) => id)
  }
  await eventually(later, 'did not leave').toEqual([])
}

function isMail(raw: Buffer, { id }: Json): boolean {
  return raw.includes(`Message-ID: <${id}@`)
}

async function differences(shown: Json, to: string[], raw: Buffer): Promise<string[]> {
  const { subject, text } = await simpleParser(raw)
  const said = shown.text ?? shown.contents[0].content[0].text
  return [
    ...(to.join() === shown.to ? [] : [`${shown.id} went to ${to.join()}, not to ${shown.to}`]),
    ...(subject === shown.subject ? [] : [`${shown.id} is called ${subject}, not ${shown.subject}`]),
    ...(text?.trimEnd() === said.trimEnd() ? [] : [`${shown.id} says\n${text}\nnot\n${said}`]),
  ]
}

/** The one person who said it, as the decision and the audit log have it. */
async function yesTo({ t, person }: World, id: string): Promise<string> {
  const { db } = t.app
  const mails = await db.select({ by: mailboxDrafts.decidedBy }).from(mailboxDrafts).where(eq(mailboxDrafts.id, id))
  const actions = await db.select({ by: heldActions.decidedBy }).from(heldActions).where(eq(heldActions.id, id))
  const [decided, ...more] = [...mails, ...actions]
  const { data } = await t.get(`/v1/audit?thing=${id}`, 200, await person())
  const yes = (data as Json[]).filter(({ operation }) => operation === 'grantApprovals')
  if (more.length > 0 || yes.length !== 1 || yes[0].actor.id !== decided?.by) throw new Error(`${id} has no one yes`)
  return yes[0].actor.name
}
