// One mailbox: its received mail, its settings, and disabling or deleting it.

import { useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { visible } from '../../../src/kit/visible.ts'
import { type Got, get, patch, post, remove, toCall } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Code, Copy, CopyCurl } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Form } from '../../parts/form.tsx'
import { ListRows, SearchBy, useList } from '../../parts/list.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Once } from '../../parts/once.tsx'
import { AuthVerdict } from '../../parts/received.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { offerUndo } from '../../parts/undo.tsx'
import { usePlace } from '../../place.ts'
import { colon } from '../../words.ts'
import { LabelChips, LabelFilter } from './labels.tsx'
import { words } from './words.ts'
import { WritesTo } from './writes-to.tsx'

const path = '/v1/mailboxes/:mailboxId'
const messagesPath = `${path}/messages` as const
const lookAgainMs = 3_000

type Mailbox = Got<typeof path>
/** As it stands in an address; a word that is none is refused. */
type MailQuery = { q?: string; label?: string; unread?: 'true' | 'false' }

export default function MailboxPage() {
  const { mailboxId = '' } = useRoute().params
  const { to, workspace } = usePlace()
  const params = { mailboxId }
  const mailbox = useLoaded(mailboxId, (signal) => get(path, { params }, signal))
  useRepeat(lookAgainMs, mailbox.reload)
  return (
    <Show of={mailbox}>
      {(one) => (
        <>
          <p>
            <a class="back" href={to('/mailboxes')}>
              {words.all}
            </a>
          </p>
          <header class="title">
            <h1>{one.address}</h1>
            <CopyCurl call={toCall('GET', path, { params })} />
          </header>
          <p class="under">
            <Status status={one.status} /> {one.name} <Copy text={one.id} label={one.id} />
          </p>
          <Replies mailbox={one} reload={mailbox.reload} />
          <Mail mailbox={one} />
          <WritesTo key={JSON.stringify(one.writesTo)} mailbox={one} reload={mailbox.reload} />
          {workspace.role !== 'viewer' && <Change mailbox={one} reload={mailbox.reload} />}
        </>
      )}
    </Show>
  )
}

interface Props {
  mailbox: Mailbox
  reload: () => void
}

/** Either way back. */
function useSwitch({ mailbox, reload }: Props) {
  const params = { mailboxId: mailbox.id }
  const set = async (body: { status: Mailbox['status'] } | { holdReplies: boolean }) => {
    await patch(path, { params, body })
    reload()
  }
  return async (change: Parameters<typeof set>[0], before: Parameters<typeof set>[0], says: string) => {
    await set(change)
    offerUndo(says, () => set(before))
  }
}

function Replies(props: Props) {
  const { to, workspace } = usePlace()
  const act = useAct()
  const change = useSwitch(props)
  const { holdReplies } = props.mailbox
  const toggle = () =>
    act.run(() => change({ holdReplies: !holdReplies }, { holdReplies }, holdReplies ? words.releases : words.holds))
  return (
    <>
      <WhyNot act={act} />
      <p class="actions">
        <span>
          {words.replies}
          {colon}
          <strong>{holdReplies ? words.held : words.atOnce}</strong>
        </span>
        {workspace.role !== 'viewer' && (
          <button type="button" disabled={act.isRunning} onClick={() => void toggle()}>
            {holdReplies ? words.release : words.hold}
          </button>
        )}
        <a href={to('/approvals')}>{words.waiting}</a>
      </p>
    </>
  )
}

function Mail({ mailbox: { id: mailboxId, address } }: Pick<Props, 'mailbox'>) {
  const { to } = usePlace()
  const params = { mailboxId }
  const screen = `/mailboxes/${mailboxId}`
  const list = useList({
    screen,
    path: messagesPath,
    params,
    filters: ['q', 'label', 'unread'],
    load: (query, signal) => get(messagesPath, { params, query: query as MailQuery }, signal),
  })
  useRepeat(list.cursor === '' ? lookAgainMs : null, list.page.reload)
  return (
    <section>
      <h2>{words.mail}</h2>
      <SearchBy of={list} name="q" label={words.search} hint={words.searchHint} />
      <LabelFilter of={list} mailboxId={mailboxId} />
      <ListRows
        of={list}
        empty={
          <Empty says={words.none} act={null}>
            <Code>{mailFor(address)}</Code>
          </Empty>
        }
        emptyFiltered={words.nothingFound}
      >
        {({ data }) => (
          <Table
            caption={words.mail}
            rows={data}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => to(`${screen}/messages/${id}`)}
            columns={[
              {
                name: words.state,
                show: ({ readAt }) => (
                  <span class={`status ${readAt === null ? 'warn' : ''}`}>
                    {readAt === null ? words.unread : words.read}
                  </span>
                ),
              },
              { name: words.subject, show: ({ subject }) => visible(subject) || words.noSubject, isLink: true },
              { name: words.labels, show: ({ labels }) => <LabelChips labels={labels} /> },
              { name: words.from, show: ({ from }) => visible(from.name || from.address) },
              { name: words.sender, show: ({ auth }) => <AuthVerdict name="dmarc" auth={auth} /> },
              { name: words.when, show: ({ receivedAt }) => <Time at={receivedAt} /> },
            ]}
          />
        )}
      </ListRows>
    </section>
  )
}

/** As another server would bring it; the port is the operator's choice. */
function mailFor(address: string): string {
  return `printf 'From: ada@example.net\\r\\nTo: ${address}\\r\\nSubject: Hello\\r\\n\\r\\nAre you there?\\r\\n' |
  curl -s smtp://127.0.0.1:$INBOUND_SMTP_PORT --mail-from ada@example.net --mail-rcpt ${address} -T -`
}

function Change({ mailbox, reload }: Props) {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const [inbound, setInbound] = useState<string | null>(null)
  const change = useSwitch({ mailbox, reload })
  const { id: mailboxId, address, name, status } = mailbox
  const params = { mailboxId }
  const rename = (form: FormData) =>
    act.run(async () => {
      await patch(path, { params, body: { name: String(form.get('name')) } })
      announce(words.saved)
      reload()
    })
  const toggle = () => {
    const [next, says] =
      status === 'active' ? (['disabled', words.disabled] as const) : (['active', words.enabled] as const)
    return act.run(() => change({ status: next }, { status }, says))
  }
  const renew = async () => setInbound((await post(`${path}/inbound-address`, { params })).inboundUrl)
  const removeIt = async () => {
    await remove(path, { params })
    route(to('/mailboxes'))
  }
  return (
    <section>
      <h2>{words.change}</h2>
      <Form act={act} says={words.save} submit={rename}>
        <label>
          {words.name}
          <input name="name" maxLength={100} autocomplete="off" defaultValue={name} />
          <span>{words.nameHow}</span>
        </label>
      </Form>
      {inbound !== null && (
        <Once title={`${words.inboundMade}.`} how={words.inboundOnce}>
          {inbound}
        </Once>
      )}
      <div class="actions">
        <button type="button" disabled={act.isRunning} onClick={() => void toggle()}>
          {status === 'active' ? words.disable : words.enable}
        </button>
        <AskFirst act={act} does={words.inbound} title={words.inboundTitle} how={words.inboundHow} run={renew} />
        <AskFirst
          act={act}
          does={words.remove}
          title={words.removeTitle}
          how={words.removeHow}
          typed={address}
          run={removeIt}
        />
      </div>
    </section>
  )
}
