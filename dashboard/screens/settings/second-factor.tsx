// The second factor: set up with a secret for an authenticator app, enabled by a code from it, disabled by another one.

import { useState } from 'preact/hooks'
import { encode } from 'uqr'
import { get, type Posted, post, remove } from '../../api.ts'
import { useAct } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Once } from '../../parts/once.tsx'
import { count, moment } from '../../words.ts'
import { words } from './sign-in-words.ts'

const path = '/v1/auth/second-factor'

export function SecondFactor() {
  const state = useLoaded('', (signal) => get(path, {}, signal))
  const [codes, setCodes] = useState<string[] | null>(null)
  return (
    <section>
      <h2>{words.factor}</h2>
      <p class="muted">{words.factorHow}</p>
      {codes && (
        <Once title={words.recovery} how={words.recoveryHow}>
          {codes.join('\n')}
        </Once>
      )}
      <Show of={state}>
        {({ enabled, since, recoveryCodesLeft }) =>
          enabled ? (
            <>
              <p>
                {words.factorOn(since === null ? '' : moment(since))} {words.codesLeft(count(recoveryCodesLeft))}
              </p>
              <TurnOff done={state.reload} />
            </>
          ) : (
            <TurnOn
              done={(made) => {
                setCodes(made)
                state.reload()
              }}
            />
          )
        }
      </Show>
    </section>
  )
}

type Begun = Posted<typeof path>

function TurnOn({ done }: { done: (recoveryCodes: string[]) => void }) {
  const act = useAct()
  const [begun, setBegun] = useState<Begun | null>(null)
  const begin = (form: FormData) =>
    act.run(async () => {
      const currentPassword = String(form.get('current'))
      setBegun(await post(path, { body: currentPassword === '' ? {} : { currentPassword } }))
    })
  const confirm = (form: FormData) =>
    act.run(async () => {
      const { recoveryCodes } = await post(`${path}/confirm`, { body: { code: toCode(form) } })
      announce(words.turnedOn)
      done(recoveryCodes)
    })
  if (begun === null)
    return (
      <Form act={act} says={words.turnOn} submit={begin} isOwn>
        <label>
          {words.ownPassword}
          <input type="password" name="current" autocomplete="current-password" maxLength={1_024} />
          <span>{words.ownPasswordHow}</span>
        </label>
      </Form>
    )
  return (
    <>
      <p>{words.scan}</p>
      <QrCode text={begun.uri} />
      <p>
        <code>{begun.secret}</code> <Copy text={begun.secret} />
      </p>
      <Form act={act} says={words.confirm} submit={confirm} isOwn>
        <CodeField says={words.code} />
      </Form>
    </>
  )
}

function TurnOff({ done }: { done: () => void }) {
  const act = useAct()
  const turnOff = (form: FormData) =>
    act.run(async () => {
      await remove(path, { body: { code: toCode(form) } })
      announce(words.turnedOff)
      done()
    })
  return (
    <Form act={act} says={words.turnOff} submit={turnOff} isOwn>
      <CodeField says={words.codeOrRecovery} />
    </Form>
  )
}

function CodeField({ says }: { says: string }) {
  return (
    <label>
      {says}
      <input name="code" required autocomplete="one-time-code" maxLength={40} />
    </label>
  )
}

const toCode = (form: FormData) => String(form.get('code')).trim()

/** Dark on light in either scheme, with the quiet edge that cameras look for. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={words.qr} shape-rendering="crispEdges">
      <rect width={size} height={size} />
      <path d={path} />
    </svg>
  )
}
