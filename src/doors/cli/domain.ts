// paquebot domain add | verify | remove, and vouch | withdraw: the operator's decision about who owns a domain, in place of a DNS
// record.

import { write } from '../../core/app.ts'
import { parseAddress } from '../../kit/email-address.ts'
import { AppError } from '../../kit/error.ts'
import { findOwner, isNamedByOperator, vouchFor, withdraw as withdrawDomain } from '../../people/domain-owners.ts'
import { getWorkspaceBySlug, listWorkspaces } from '../../people/workspaces.ts'
import { columns, defineCommand, UsageError } from './command.ts'
import { type Answer, type Api, cells, fieldLines, rowsOf, withApi } from './with-api.ts'
import { withApp } from './with-app.ts'

const domainFlag = {
  type: 'string',
  value: 'DOMAIN',
  required: true,
  says: 'the exact name; a subdomain is a separate domain',
} as const

/** In lower-case ASCII, as domains are compared. */
function readDomain(text: string): string {
  const parsed = parseAddress(`postmaster@${text}`)
  if (parsed.ok && parsed.domain.includes('.')) return parsed.domain
  throw new UsageError(`a domain is a name like mail.example.com, not ${text}`)
}

const vouch = defineCommand({
  name: 'domain vouch',
  says: 'Assigns a domain to a workspace, which may then send from it and receive at it without a DNS record. Takes it from the workspace that had it.',
  flags: {
    workspace: { type: 'string', value: 'SLUG', required: true, says: 'the workspace that it belongs to' },
    domain: domainFlag,
  },
  run: ({ workspace: slug, domain: text }, config) => {
    const domain = readDomain(text)
    return withApp(config(), async (app) => {
      const { id: workspaceId } = await getWorkspaceBySlug(app, slug)
      const former = await write(app, async (tx) => {
        const before = await findOwner(tx, domain)
        await vouchFor(tx, { workspaceId, domain })
        return before === null || before.workspaceId === workspaceId ? null : before.workspaceId
      })
      const formerSlug = (await listWorkspaces(app)).find(({ id }) => id === former)?.slug ?? null
      const open = isNamedByOperator(app.config, domain)
        ? [`MAIL_FROM or INBOUND_DOMAIN names ${domain}, so every workspace may use it anyway.`]
        : []
      return {
        json: { domain, workspace: slug, proof: 'operator', former: formerSlug },
        lines: [`${domain} is ${slug}'s${formerSlug === null ? '' : `, no longer ${formerSlug}'s`}.`, ...open],
      }
    })
  },
})

const withdraw = defineCommand({
  name: 'domain withdraw',
  says: 'Takes a domain from the workspace that has it. A workspace can get it back with a DNS record.',
  flags: { domain: domainFlag },
  run: ({ domain: text }, config) => {
    const domain = readDomain(text)
    return withApp(config(), async (app) => {
      if (!(await write(app, (tx) => withdrawDomain(tx, domain))))
        throw new AppError('not_found', `no workspace owns ${domain}`)
      return { json: { domain }, lines: [`No workspace owns ${domain} now.`] }
    })
  },
})

const workspaceFlag = {
  type: 'string',
  value: 'SLUG',
  required: true,
  says: 'the workspace that it belongs to',
} as const
const path = '/v1/sending-domains'

/** One record a line, ready for a DNS panel. */
function recordLines({ dnsRecords }: Answer): string[] {
  const records: Answer[] = Array.isArray(dnsRecords) ? dnsRecords : []
  return columns(records.map((one) => cells(one, ['name', 'type', 'value'])))
}

const add = defineCommand({
  name: 'domain add',
  says: 'Adds a sending domain with fresh DKIM keys, and prints the DNS records to publish.',
  flags: { workspace: workspaceFlag, domain: domainFlag },
  run: ({ workspace: slug, domain }, config) =>
    withApi(config(), slug, async (api) => {
      const json = await api('POST', path, { domain })
      return { json, lines: recordLines(json) }
    }),
})

/** Throws not_found. */
async function findByName(api: Api, slug: string, domain: string): Promise<Answer> {
  const found = rowsOf(await api('GET', path)).find((one) => one['domain'] === domain.toLowerCase())
  if (!found) throw new AppError('not_found', `${slug} has no sending domain ${domain}`)
  return found
}

const verify = defineCommand({
  name: 'domain verify',
  says: 'Checks in the DNS whether a sending domain is set up.',
  flags: { workspace: workspaceFlag, domain: domainFlag },
  run: ({ workspace: slug, domain }, config) =>
    withApi(config(), slug, async (api) => {
      const { id } = await findByName(api, slug, domain)
      const json = await api('POST', `${path}/${id}/verify`)
      return { json, lines: columns(fieldLines(json)) }
    }),
})

const remove = defineCommand({
  name: 'domain remove',
  says: 'Removes a sending domain and its keys; waiting mail from it is not sent.',
  flags: { workspace: workspaceFlag, domain: domainFlag },
  run: ({ workspace: slug, domain }, config) =>
    withApi(config(), slug, async (api) => {
      const { id } = await findByName(api, slug, domain)
      const json = await api('DELETE', `${path}/${id}`)
      return { json, lines: [String(json.message)] }
    }),
})

export const domainCommands = [add, verify, remove, vouch, withdraw]
