// One source, or a new one: the consent text, the lists that people join, and the form for one's own page.

import { useLocation, useRoute } from 'preact-iso'
import { get, patch, post, remove, toCall } from '../../api.ts'
import type { Source } from '../../nouns.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { all } from '../../parts/all.ts'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { asTyped, separated } from '../../parts/separated.ts'
import { usePlace } from '../../place.ts'
import { FormToCopy } from './form-to-copy.tsx'
import { words } from './words.ts'

const sources = '/v1/subscription-sources'
const path = `${sources}/:sourceId` as const

type Lists = { id: string; name: string }[]

export default function SourcePage() {
  const { sourceId } = useRoute().params
  const { to, workspace } = usePlace()
  const found = useLoaded(sourceId ?? '', async (signal) => {
    const [source, lists] = await Promise.all([
      sourceId === undefined ? null : get(path, { params: { sourceId } }, signal),
      all((query) => get('/v1/mailing-lists', { query }, signal)),
    ])
    return { source, lists }
  })
  return (
    <>
      <p>
        <a class="back" href={to('/lists/sources')}>
          {words.allSources}
        </a>
      </p>
      <Show of={found}>
        {({ source, lists }) => (
          <>
            <header class="title">
              <h1>{source?.name ?? words.newSource}</h1>
              {source && <CopyCurl call={toCall('GET', path, { params: { sourceId: source.id } })} />}
            </header>
            {source && (
              <p class="under">
                <Copy text={source.id} label={source.id} />{' '}
                <span class="muted">{words.consentVersion(String(source.consentTextVersion))}</span>
              </p>
            )}
            <Fields source={source} lists={lists} saved={found.reload} />
            {source && <FormToCopy source={source} />}
            {source && workspace.role !== 'viewer' && <End source={source} />}
          </>
        )}
      </Show>
    </>
  )
}

interface Props {
  source: Source | null
  lists: Lists
  saved: () => void
}

/** What keeps programs away from the form. */
function Guards({ source }: { source: Source | null }) {
  const { honeypot = null, leastSeconds = 0, proofOfWork = false } = source?.guards ?? {}
  return (
    <fieldset>
      <legend>{words.guards}</legend>
      <label class="check">
        <input type="checkbox" name="honeypot" defaultChecked={honeypot !== null} /> {words.honeypot}
      </label>
      <label class="check">
        <input type="checkbox" name="proofOfWork" defaultChecked={proofOfWork} /> {words.proofOfWork}
      </label>
      <label>
        {words.leastSeconds}
        <input type="number" name="leastSeconds" min={0} max={60} required defaultValue={String(leastSeconds)} />
      </label>
    </fieldset>
  )
}

function Fields({ source, lists, saved }: Props) {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const save = (form: FormData) =>
    act.run(async () => {
      const body = {
        name: String(form.get('name')).trim(),
        consentText: String(form.get('consentText')).trim(),
        allowedOrigins: separated(String(form.get('allowedOrigins'))),
        mailingListIds: form.getAll('mailingListIds').map(String),
        formRedirectUrl: String(form.get('formRedirectUrl')).trim() || null,
        guards: {
          honeypot: form.get('honeypot') === null ? null : (source?.guards.honeypot ?? 'website'),
          leastSeconds: Number(form.get('leastSeconds')),
          proofOfWork: form.get('proofOfWork') !== null,
        },
      }
      if (source === null) {
        const { id } = await post(`${sources}/create`, { body: { ...body, type: 'form' } })
        route(to(`/lists/sources/${id}`))
      } else {
        await patch(path, { params: { sourceId: source.id }, body })
        announce(words.saved)
        saved()
      }
    })
  return (
    <Form act={act} says={words.save} submit={save}>
      <label>
        {words.name}
        <input name="name" required maxLength={200} defaultValue={source?.name ?? ''} />
      </label>
      <label>
        {words.consent}
        <textarea name="consentText" rows={3} maxLength={10_000} defaultValue={source?.consentText ?? ''} />
      </label>
      {lists.length > 0 && (
        <fieldset>
          <legend>{words.joins}</legend>
          {lists.map(({ id, name }) => (
            <label key={id} class="check">
              <input
                type="checkbox"
                name="mailingListIds"
                value={id}
                defaultChecked={source?.mailingListIds.includes(id) ?? false}
              />{' '}
              {name}
            </label>
          ))}
        </fieldset>
      )}
      <label>
        {words.origins}
        <input name="allowedOrigins" defaultValue={asTyped(source?.allowedOrigins ?? [])} />
        <span>{words.originsHow}</span>
      </label>
      <label>
        {words.formLeadsTo}
        <input type="url" name="formRedirectUrl" pattern="https://.*" defaultValue={source?.formRedirectUrl ?? ''} />
        <span>{words.formLeadsToHow}</span>
      </label>
      <Guards source={source} />
    </Form>
  )
}

function End({ source }: { source: Source }) {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const removeIt = async () => {
    await remove(path, { params: { sourceId: source.id } })
    route(to('/lists/sources'))
  }
  return (
    <section>
      <WhyNot act={act} />
      <AskFirst
        act={act}
        does={words.remove}
        title={words.removeTitle}
        how={words.removeHow}
        typed={source.name}
        run={removeIt}
      />
    </section>
  )
}
