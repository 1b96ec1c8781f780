// One's own sign-in: sessions, password, second factor and passkeys. It concerns nobody else.

import { get, type Listed, post, remove } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { comma } from '../../words.ts'
import { SecondFactor } from './second-factor.tsx'
import { words } from './sign-in-words.ts'
import { Tabs } from './tabs.tsx'
import { words as settings } from './words.ts'

const sessions = '/v1/auth/sessions'
const passkeys = '/v1/auth/passkeys'

type Session = Listed<typeof sessions>

export default function SignIn() {
  const open = useLoaded('', (signal) => get(sessions, {}, signal))
  return (
    <>
      <header class="title">
        <h1>{settings.tabs.signIn}</h1>
      </header>
      <Tabs at="signIn" />
      <Show of={open}>{({ data }) => <Sessions sessions={data} reload={open.reload} />}</Show>
      <div class="two">
        <Password changed={open.reload} />
        <SecondFactor />
      </div>
      <Passkeys />
    </>
  )
}

function Sessions({ sessions: open, reload }: { sessions: Session[]; reload: () => void }) {
  const act = useAct()
  const end = (work: () => Promise<unknown>, says: string) => () =>
    void act.run(async () => {
      await work()
      announce(says)
      reload()
    })
  const endOne = (sessionId: string) => remove(`${sessions}/:sessionId`, { params: { sessionId } })
  return (
    <section>
      <header class="title">
        <h2>{words.sessions}</h2>
        {open.length > 1 && (
          <button type="button" disabled={act.isRunning} onClick={end(() => remove(sessions), words.othersEnded)}>
            {words.endOthers}
          </button>
        )}
      </header>
      <WhyNot act={act} />
      <Table
        caption={words.sessions}
        rows={open}
        keyOf={({ id }) => id}
        columns={[
          { name: words.browser, show: (one) => <Browser session={one} /> },
          { name: words.from, show: ({ ip }) => ip },
          { name: words.by, show: ({ signedInBy }) => (signedInBy === null ? '' : words.ways[signedInBy]) },
          { name: words.began, isFigure: true, show: ({ createdAt }) => <Time at={createdAt} /> },
          { name: words.lastSeen, isFigure: true, show: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
          {
            name: settings.action,
            show: ({ id, current }) =>
              !current && (
                <button
                  type="button"
                  class="quiet"
                  disabled={act.isRunning}
                  onClick={end(() => endOne(id), words.ended)}
                >
                  {words.end}
                </button>
              ),
          },
        ]}
      />
    </section>
  )
}

function Browser({ session: { userAgent, current } }: { session: Session }) {
  return (
    <span title={userAgent ?? ''}>
      {userAgent === null ? words.unknown : toName(userAgent)} {current && <span class="status">{words.thisOne}</span>}
    </span>
  )
}

/** In this order: most call themselves by the names of others, too. */
const browsers = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari', 'curl']
const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'CrOS', 'Linux']

/** `Chrome, Linux` */
function toName(userAgent: string): string {
  const found = [browsers, systems].flatMap((names) => names.find((name) => userAgent.includes(name)) ?? [])
  return found.length === 0 ? userAgent : found.join(comma)
}

function Password({ changed }: { changed: () => void }) {
  const act = useAct()
  const change = (form: FormData) => {
    const [currentPassword = '', newPassword = ''] = ['current', 'new'].map((name) => String(form.get(name)))
    return act.run(async () => {
      await post('/v1/auth/password', { body: { currentPassword, newPassword } })
      announce(words.passwordChanged)
      changed()
    })
  }
  return (
    <section>
      <h2>{words.password}</h2>
      <p class="muted">{words.passwordHow}</p>
      <Form act={act} says={words.changePassword} submit={change} isOwn>
        <label>
          {words.current}
          <input type="password" name="current" required autocomplete="current-password" maxLength={1_024} />
        </label>
        <label>
          {words.new}
          <input type="password" name="new" required autocomplete="new-password" minLength={8} maxLength={1_024} />
        </label>
      </Form>
    </section>
  )
}

/** They are added, named and removed on a page of their own, which may ask the device. */
function Passkeys() {
  const found = useLoaded('', (signal) => get(passkeys, {}, signal))
  return (
    <section>
      <h2>{words.passkeys}</h2>
      <p class="muted">{words.passkeysHow}</p>
      <Show of={found}>
        {({ data, unavailable }) => (
          <>
            {data.length > 0 && (
              <ul>
                {data.map(({ id, name, lastUsedAt }) => (
                  <li key={id}>
                    {name} <span class="muted">{lastUsedAt === null ? words.notUsed : <Time at={lastUsedAt} />}</span>
                  </li>
                ))}
              </ul>
            )}
            {unavailable !== null && <p class="notice">{unavailable}</p>}
            <p>
              <a href="/passkeys">{words.passkeysGo}</a>
            </p>
          </>
        )}
      </Show>
    </section>
  )
}
