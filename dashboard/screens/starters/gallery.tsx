// Finished mails that a template may start from, each as it would be sent; found by what they are for, and taken by one click.

import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { get, type Listed, post } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { MailThumbnail } from '../../parts/mail-frame.tsx'
import { usePlace } from '../../place.ts'
import { colon, language } from '../../words.ts'
import { keepTestData } from '../templates/typed-data.ts'
import { words } from './words.ts'

const path = '/v1/template-starters'
type Starter = Listed<typeof path>

export function Gallery() {
  const [typed, setTyped] = useState('')
  const starters = useLoaded('', (signal) => get(path, { query: { locale: language } }, signal))
  return (
    <>
      <label class="field">
        {words.search}
        <input type="search" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
      <Show of={starters}>{({ data }) => <Cards starters={data.filter((one) => isFor(one, typed))} />}</Show>
    </>
  )
}

/** All words of it, in any order. */
function isFor({ name, purpose, kind }: Starter, typed: string): boolean {
  const says = `${name} ${purpose} ${words[kind]}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => says.includes(word))
}

function Cards({ starters }: { starters: Starter[] }) {
  const { route } = useLocation()
  const { to, workspace, mayChange } = usePlace()
  const act = useAct()
  const begin = (starterId: string) =>
    act.run(async () => {
      const params = { starterId }
      const { id, primaryLocale } = await post(`${path}/:starterId/use`, { params, body: {} })
      const { dataVariables } = await get(`${path}/:starterId`, { params, query: { locale: primaryLocale } })
      keepTestData(workspace.id, id, dataVariables)
      route(to(`/templates/${id}`))
    })
  return (
    <>
      <WhyNot act={act} />
      {starters.length === 0 && <p role="status">{words.nothing}</p>}
      <ul class="starters">
        {starters.map(({ id, name, purpose, kind }) => (
          <li key={id}>
            <Thumbnail id={id} name={name} />
            <strong>{name}</strong>
            <p>
              <bdi>{purpose}</bdi> <span class="status">{words[kind]}</span>
            </p>
            {mayChange && (
              <button
                type="button"
                disabled={act.isRunning}
                aria-label={`${words.start}${colon}${name}`}
                onClick={() => void begin(id)}
              >
                {words.start}
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Rendered once somebody comes near it. */
function Thumbnail({ id, name }: { id: string; name: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const watch = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && setNear(true), {
      rootMargin: '300px',
    })
    if (place.current) watch.observe(place.current)
    return () => watch.disconnect()
  }, [])
  return (
    <div ref={place} class="thumbnail">
      {isNear && <Rendered id={id} name={name} />}
    </div>
  )
}

function Rendered({ id, name }: { id: string; name: string }) {
  const query = { locale: language }
  const shown = useLoaded(id, (signal) => get(`${path}/:starterId`, { params: { starterId: id }, query }, signal))
  return <Show of={shown}>{({ html }) => <MailThumbnail title={name} html={html} />}</Show>
}
