// The check before a campaign is sent: who would get it and who not, when it would finish, and the approval of exactly what was shown.

import { useState } from 'preact/hooks'
import { ownValue } from '../../../src/kit/own-value.ts'
import { get, type Posted, post, Refusal, toCall } from '../../api.ts'
import type { Campaign } from '../../nouns.ts'
import { type Act, useAct } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { Differences } from '../../parts/difference.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { MailFrame } from '../../parts/mail-frame.tsx'
import { Shares } from '../../parts/shares.tsx'
import { statusWord } from '../../parts/status.tsx'
import { usePlace } from '../../place.ts'
import { colon, moment } from '../../words.ts'
import { lastMailWords } from './forecast.tsx'
import { words } from './words.ts'

const path = '/v1/campaigns/:campaignId'
const sendPath = `${path}/send` as const
/** The time zone of the person, which the picker uses. */
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const sendable = ['draft', 'approved', 'scheduled']

type Flight = Posted<typeof sendPath>

interface Props {
  campaign: Campaign
  act: Act
  reload: () => void
}

export function PreFlight(props: Props) {
  const { workspace } = usePlace()
  const { campaign } = props
  if (!sendable.includes(campaign.status)) return null
  const dryRun = { params: { campaignId: campaign.id }, body: { dryRun: true } }
  return (
    <section>
      <header class="title">
        <h2>{words.preflight}</h2>
        <CopyCurl call={toCall('POST', sendPath, dryRun)} />
      </header>
      {workspace.role === 'viewer' ? (
        <p class="muted">{words.forMembers}</p>
      ) : (
        <>
          <p class="muted">{words.preflightHow}</p>
          <Looked {...props} />
        </>
      )}
    </section>
  )
}

function Looked({ campaign, act, reload }: Props) {
  const { to } = usePlace()
  const params = { campaignId: campaign.id }
  const flight = useLoaded(campaign.id + campaign.contentHash, () => post(sendPath, { params, body: { dryRun: true } }))
  if (flight.error instanceof Refusal && flight.value === undefined)
    return (
      <p class="notice bad">
        <strong>{words.refused}.</strong> {flight.error.message}
      </p>
    )
  return (
    <Show of={flight}>
      {(found) => (
        <>
          {found.warnings.map(({ code, message }) => (
            <p key={code + message} class="notice">
              {message}
            </p>
          ))}
          <Shares caption={words.preflight} shares={sharesOf(found, to)} />
          <p>
            {[
              lastMailWords(found),
              found.capRemaining !== null && words.left(found.capRemaining),
              !found.exact && words.estimated,
            ]
              .filter(Boolean)
              .join(' ')}
          </p>
          <div class="two">
            <div>
              <Approval campaign={campaign} act={act} reload={reload} />
              <Launch campaign={campaign} flight={found} act={act} reload={reload} />
            </div>
            <AsSeen campaign={campaign} />
          </div>
        </>
      )}
    </Show>
  )
}

function sharesOf({ campaignId, recipients, skipped }: Flight, to: (path: string) => string) {
  return Object.entries({ recipients, ...skipped }).map(([key, n]) => ({
    key,
    name: key === 'recipients' ? words.wouldGet : statusWord(key),
    why: ownValue(words.why.outcomes, key) ?? '',
    count: n,
    href: to(`/campaigns/${campaignId}/audience?outcome=${key}`),
  }))
}

function Approval({ campaign, act, reload }: Props) {
  const { id: campaignId, contentHash, approvedAt, approvedBy, status } = campaign
  const members = useLoaded(approvedBy ?? '', (signal) => get('/v1/members', {}, signal))
  const who = members.value?.data.find(({ userId }) => userId === approvedBy)
  const approve = () =>
    act.run(async () => {
      await post(`${path}/approve`, { params: { campaignId }, body: { contentHash } })
      announce(words.approved)
      reload()
    })
  const isApproved = approvedAt !== null && status !== 'draft'
  const params = { approvalId: campaignId }
  const changes = useLoaded(`${campaignId} ${contentHash} ${status}`, async (signal) =>
    isApproved ? null : (await get('/v1/approvals/:approvalId', { params }, signal)).changes,
  )
  return (
    <section>
      <h2>{words.approval}</h2>
      <p>
        {isApproved
          ? words.approvedBy({ who: who?.name ?? who?.email ?? approvedBy ?? '', at: moment(approvedAt) })
          : words.notApproved}
      </p>
      {changes.value && (
        <>
          <h3>{words.sinceApproval}</h3>
          <Differences of={changes.value} />
        </>
      )}
      <p class="actions">
        {!isApproved && (
          <button type="button" disabled={act.isRunning} onClick={() => void approve()}>
            {words.approve}
          </button>
        )}
        <span class="muted">
          {words.hash}
          {colon}
          <code>{contentHash.slice(0, 12)}</code> <Copy text={contentHash} />
        </span>
      </p>
    </section>
  )
}

/** The mail itself, beside what sends it. */
function AsSeen({ campaign: { id: campaignId, contentHash } }: Pick<Props, 'campaign'>) {
  const mail = useLoaded(campaignId + contentHash, () => post(`${path}/preview`, { params: { campaignId }, body: {} }))
  return (
    <section>
      <h2>{words.asSeen}</h2>
      <Show of={mail}>{({ html, text }) => <MailFrame title={words.asSeen} html={html} text={text} />}</Show>
    </section>
  )
}

/** A local time stays as it was picked; any other is one of the person who picks. */
function readSchedule(form: FormData): { scheduledAt: string; inRecipientZone?: true } {
  const local = String(form.get('scheduledAt'))
  if (form.has('inRecipientZone')) return { scheduledAt: local, inRecipientZone: true }
  const at = new Date(local)
  if (at.getTime() > Date.now()) return { scheduledAt: at.toISOString() }
  throw new Refusal(422, { detail: words.hasPassed, errors: [{ path: 'scheduledAt', message: words.hasPassed }] })
}

/** Exactly what was seen is sent, or nothing. */
function Launch({ campaign, flight, act, reload }: Props & { flight: Flight }) {
  const [isAsking, setAsking] = useState(false)
  const scheduling = useAct()
  const { contentHash } = campaign
  const params = { campaignId: campaign.id }
  const after = (work: () => Promise<unknown>) =>
    act.run(async () => {
      await work()
      reload()
    })
  const schedule = (form: FormData) =>
    scheduling.run(async () => {
      await post(`${path}/schedule`, { params, body: { contentHash, ...readSchedule(form) } })
      reload()
    })
  return (
    <>
      <div class="actions">
        <button type="button" class="main" disabled={act.isRunning} onClick={() => setAsking(true)}>
          {words.send}
        </button>
      </div>
      <Form act={scheduling} says={words.schedule} submit={schedule}>
        <label>
          {words.scheduleAt(zone)}
          <input type="datetime-local" name="scheduledAt" required />
          <span>{words.thenGet(flight.recipients)}</span>
        </label>
        <label class="check">
          <input type="checkbox" name="inRecipientZone" /> {words.inRecipientZone}
        </label>
        <p class="muted">{words.inRecipientZoneHow}</p>
      </Form>
      {isAsking && (
        <Confirm
          title={words.sendTitle(flight.recipients)}
          does={words.send}
          close={() => setAsking(false)}
          run={() => void after(() => post(sendPath, { params, body: { contentHash } }))}
        >
          <p>
            <strong>{campaign.subject}</strong>
          </p>
          <p>{lastMailWords(flight)}</p>
          <p>{words.sendHow}</p>
        </Confirm>
      )}
    </>
  )
}
