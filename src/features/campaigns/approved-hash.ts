// The hash that an approval binds. It covers the compiled mail of each locale and every value that is the same for all recipients. The
// values come from the function that fills mails, so a new one cannot be forgotten. Also says which changes are watched once a campaign is
// approved.

import { eq } from 'drizzle-orm'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import type { Watched } from '../../../db/tables/campaigns.ts'
import { mailingLists } from '../../../db/tables/lists.ts'
import type { Reader } from '../../core/app.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { getWorkspace, type Workspace } from '../../people/workspaces.ts'
import { compileContent } from '../content/rendering/compile.ts'
import { camelContactName } from '../content/rendering/segments.ts'
import type { VariableUse } from '../content/rendering/variables.ts'
import { brandLook } from '../content/templates/resolve.ts'
import { fixedValues } from '../sending/values.ts'
import type { Campaign } from './campaign.ts'
import { type CampaignContent, effectiveContents } from './contents.ts'
import { variantContents } from './variant-contents.ts'

interface Rendered {
  digest: string
  uses: VariableUse[]
}

const maxCached = 200
/** Compiling is most of the cost, and a list of approvals asks for many. */
const renderedContents = prepared((_: ReadDb) => new Map<string, Rendered>())

function rendered(reader: Reader, content: CampaignContent, { brand }: Workspace): Rendered {
  const cache = renderedContents(reader.db)
  const { revisionId, locale, subject, previewText } = content
  const key = JSON.stringify([revisionId, locale, subject, previewText, brandLook(brand)])
  const known = cache.get(key)
  if (known) return known
  const mail = compileContent({ ...content, kind: 'marketing', brand: brandLook(brand) })
  const { html, text, subject: line, uses } = mail
  const one = { digest: sha256Hex(JSON.stringify([line, html, text])), uses }
  cache.set(key, one)
  const [oldest] = cache.keys()
  if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest)
  return one
}

/** Of all that every recipient sees, and of how recipients are chosen. */
export async function approvedHash(reader: Reader, campaign: Campaign): Promise<string> {
  const { fromName, fromEmail, replyTo, locale: ownLocale, test } = campaign
  const { mailingListId, audienceFilter, segmentFilter, ignoreGuardrail } = campaign
  const workspace = await getWorkspace(reader, campaign.workspaceId)
  const mailsOf = (contents: CampaignContent[], senderName: string | null) =>
    contents.map((content) => {
      const { locale } = content
      const values = fixedValues(workspace, { locale, fromName: senderName })
      return [locale, rendered(reader, content, workspace).digest, values]
    })
  const mails = mailsOf(await effectiveContents(reader, campaign), fromName)
  const sender = [fromName, fromEmail, replyTo]
  const recipients = [mailingListId, audienceFilter, segmentFilter, ignoreGuardrail]
  const all: unknown[] = [mails, sender, ownLocale, workspace.primaryLocale, recipients]
  if (test === null) return sha256Hex(JSON.stringify(all))
  const variants = []
  for (const variant of test.variants) {
    const contents = await variantContents(reader, campaign, variant)
    variants.push(mailsOf(contents, variant.fromName ?? fromName))
  }
  return sha256Hex(JSON.stringify([...all, test, variants]))
}

/** The hash of what a person saw: the same, plus the size of the list, so that a list that has grown by a tenth gives another hash. */
export async function contentHash(reader: Reader, campaign: Campaign): Promise<string> {
  return sha256Hex(`${await approvedHash(reader, campaign)} ${sizeOf(await countMembers(reader, campaign))}`)
}

/** Of its list, whatever its filters. */
export async function countMembers(reader: Reader, { mailingListId }: Campaign): Promise<number> {
  const [list] = await reader.db
    .select({ members: mailingLists.contactCount })
    .from(mailingLists)
    .where(eq(mailingLists.id, mailingListId))
  return list?.members ?? 0
}

/** The same number for sizes that are less than a tenth apart, and not for any that are more. */
function sizeOf(members: number): number {
  return members === 0 ? -1 : Math.floor(Math.log(members) / Math.log(1.1))
}

export type Counted = Pick<Watched, 'audience' | 'recipients'>

/** What of its audience is watched from its approval on. */
export async function loadWatched(reader: Reader, campaign: Campaign, counted: Counted): Promise<Watched> {
  const workspace = await getWorkspace(reader, campaign.workspaceId)
  const contents = await effectiveContents(reader, campaign)
  for (const variant of campaign.test?.variants ?? [])
    contents.push(...(await variantContents(reader, campaign, variant)))
  const uses = contents.flatMap((one) => rendered(reader, one, workspace).uses)
  const shown = uses.flatMap(({ name }) => (name.startsWith('contact.') ? [fieldOf(name)] : []))
  const asked = fieldsIn([campaign.audienceFilter, campaign.segmentFilter])
  return { ...counted, shown: [...new Set(['email', 'locale', ...shown])], asked }
}

const fieldOf = (name: string) => (camelContactName(name) ?? name).slice('contact.'.length)

/** The fields that conditions name, at any depth. */
function fieldsIn(filter: unknown): string[] {
  if (typeof filter !== 'object' || filter === null) return []
  return Object.entries(filter).flatMap(([name, value]) =>
    name === 'field' && typeof value === 'string' ? [value === 'domain' ? 'email' : value] : fieldsIn(value),
  )
}
