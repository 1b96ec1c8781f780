// What may be set of a relay, as the fields of a form, and what the form says of it.

import { usePlace } from '../../place.ts'
import { type Relay, type Stream, streams } from './in-words.tsx'
import { words } from './words.ts'

const mostWeight = 1_000
const mostPerSecond = 10_000
const mostPerDay = 1_000_000_000

/** `relay`: what it is so far. */
export function RelayFields({ relay }: { relay?: Relay }) {
  return (
    <>
      <label>
        {words.name}
        <input
          name="name"
          required
          maxLength={100}
          autocomplete="off"
          placeholder={words.nameHint}
          defaultValue={relay?.name}
        />
      </label>
      <ServerFields address={relay?.address ?? null} />
      <label>
        {words.weight}
        <input type="number" name="weight" required min={0} max={mostWeight} defaultValue={relay?.weight ?? 1} />
        <span>{words.weightHow}</span>
      </label>
      <label>
        {words.mostPerSecond}
        <input
          type="number"
          name="mostPerSecond"
          min={1}
          max={mostPerSecond}
          defaultValue={relay?.mostPerSecond ?? undefined}
        />
      </label>
      <label>
        {words.mostPerDay}
        <input type="number" name="mostPerDay" min={1} max={mostPerDay} defaultValue={relay?.mostPerDay ?? undefined} />
        <span>{words.mostHow}</span>
      </label>
      <label>
        {words.warmUpSince}
        <input type="date" name="warmUpSince" defaultValue={relay?.warmUpSince?.slice(0, 10)} />
        <span>{words.warmUpHow}</span>
      </label>
      <fieldset>
        <legend>{words.streams}</legend>
        {streams.map((one) => (
          <label key={one}>
            <input type="checkbox" name="streams" value={one} defaultChecked={relay?.streams?.includes(one)} />
            {words.streamNames[one]}
          </label>
        ))}
        <span class="muted">{words.streamsHow}</span>
      </fieldset>
      <Whose workspaceId={relay?.workspaceId ?? null} />
    </>
  )
}

/** The password has a field of its own, so that it is neither seen nor kept in this browser. */
function ServerFields({ address }: { address: string | null }) {
  return (
    <>
      <label>
        {words.url}
        <input
          name="url"
          inputMode="url"
          required={address === null}
          maxLength={2_000}
          autocomplete="off"
          placeholder={address ?? 'smtp://smtp.example.com:587'}
        />
        <span>{address === null ? words.urlHow : words.urlChangeHow(address)}</span>
      </label>
      <label>
        {words.user}
        <input name="user" maxLength={300} autocomplete="off" />
      </label>
      <label>
        {words.password}
        <input type="password" name="password" maxLength={1_000} autocomplete="new-password" />
        <span>{words.passwordHow}</span>
      </label>
    </>
  )
}

function Whose({ workspaceId }: { workspaceId: string | null }) {
  const { workspaces } = usePlace()
  const real = workspaces.filter(({ test }) => !test)
  return (
    <label>
      {words.whose}
      <select name="workspaceId" value={workspaceId ?? ''}>
        <option value="">{words.everybodys}</option>
        {workspaceId !== null && !real.some(({ id }) => id === workspaceId) && (
          <option value={workspaceId}>{workspaceId}</option>
        )}
        {real.map(({ id, name }) => (
          <option key={id} value={id}>
            {words.ofOne(name)}
          </option>
        ))}
      </select>
      <span>{words.whoseHow}</span>
    </label>
  )
}

/** As the API takes it; without a server where none was given. */
export function settingsIn(form: FormData) {
  const said = (name: string) => String(form.get(name) ?? '').trim()
  const limit = (name: string) => (said(name) === '' ? null : Number(said(name)))
  const password = String(form.get('password') ?? '')
  // A sign-in without a server is refused by the API, at the field of the server.
  const isServerGiven = said('url') + said('user') + password !== ''
  const chosen = streams.filter((one) => form.getAll('streams').includes(one))
  return {
    name: said('name'),
    weight: Number(said('weight')),
    mostPerSecond: limit('mostPerSecond'),
    mostPerDay: limit('mostPerDay'),
    warmUpSince: said('warmUpSince') === '' ? null : `${said('warmUpSince')}T00:00:00Z`,
    streams: streamsChosen(chosen),
    workspaceId: said('workspaceId') || null,
    ...(isServerGiven && { url: withSignIn(said('url'), said('user'), password) }),
  }
}

/** All of them is no choice. */
export function streamsChosen(chosen: Stream[]): Stream[] | null {
  return chosen.length === 0 || chosen.length === streams.length ? null : chosen
}

/** What is no URL goes as it is: the API says what is wrong with it. */
function withSignIn(text: string, user: string, password: string): string {
  if (user + password === '' || !URL.canParse(text)) return text
  const url = new URL(text)
  url.username = encodeURIComponent(user)
  url.password = encodeURIComponent(password)
  return url.href
}
