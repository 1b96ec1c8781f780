// One picture: what it is called and shows, its address, where it is shown, and its end.

import { useLocation, useRoute } from 'preact-iso'
import { type Got, get, patch, remove, toCall } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { localAddress } from '../../parts/picture-upload.tsx'
import { bytes, words } from '../../parts/picture-words.ts'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { colon, comma } from '../../words.ts'

const path = '/v1/media/:mediaId'

type Picture = Got<typeof path>
type User = Picture['usedBy'][number]

export default function OnePicture() {
  const { mediaId = '' } = useRoute().params
  const { to } = usePlace()
  const loaded = useLoaded(mediaId, (signal) => get(path, { params: { mediaId } }, signal))
  return (
    <>
      <p>
        <a class="back" href={to('/media')}>
          {words.all}
        </a>
      </p>
      <Show of={loaded}>{(picture) => <Details picture={picture} changed={loaded.reload} />}</Show>
    </>
  )
}

function Details({ picture, changed }: { picture: Picture; changed: () => void }) {
  const { mayChange } = usePlace()
  const { id, name, alt } = picture
  return (
    <>
      <header class="title">
        <h1>{name}</h1>
        <CopyCurl call={toCall('GET', path, { params: { mediaId: id } })} />
      </header>
      <div class="two">
        <section>
          <img class="large-picture" src={localAddress(picture)} alt={alt} />
        </section>
        <div>
          <section>
            <Labels picture={picture} changed={changed} />
          </section>
          <section>
            <Facts picture={picture} />
          </section>
          <section>
            <h2>{words.usedBy}</h2>
            <Users users={picture.usedBy} />
            {mayChange && <Delete picture={picture} />}
          </section>
        </div>
      </div>
    </>
  )
}

function Labels({ picture: { id, name, alt }, changed }: { picture: Picture; changed: () => void }) {
  const act = useAct()
  const save = (form: FormData) =>
    act.run(async () => {
      const [newName = '', newAlt = ''] = ['name', 'alt'].map((field) => String(form.get(field)).trim())
      await patch(path, { params: { mediaId: id }, body: { name: newName, alt: newAlt } })
      announce(words.saved)
      changed()
    })
  return (
    <Form act={act} says={words.save} submit={save}>
      <label>
        {words.name}
        <input name="name" required maxLength={200} defaultValue={name} />
      </label>
      <label>
        {words.alt}
        <textarea name="alt" rows={3} maxLength={1000} defaultValue={alt} />
        <span>{words.whatItShowsHow}</span>
      </label>
    </Form>
  )
}

function Facts({ picture }: { picture: Picture }) {
  const { url, width, height, contentType, animated, createdAt } = picture
  const moves = animated ? `${comma}${words.moves}` : ''
  return (
    <dl class="facts">
      <div>
        <dt>{words.address}</dt>
        <dd>
          <code>{url}</code> <Copy text={url} />
        </dd>
      </div>
      <div>
        <dt>{words.size}</dt>
        <dd>
          {[words.pixels({ width, height }), bytes(picture.bytes), contentType].join(comma)}
          {moves}
        </dd>
      </div>
      <div>
        <dt>{words.since}</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
      </div>
    </dl>
  )
}

const screens: Record<User['kind'], (id: string) => string> = {
  template: (id) => `/templates/${id}`,
  campaign: (id) => `/campaigns/${id}`,
  recurringCampaign: (id) => `/campaigns/recurring/${id}`,
  brand: () => '/settings',
}

function Users({ users }: { users: User[] }) {
  const { to } = usePlace()
  if (users.length === 0) return <p class="muted">{words.usedByNothing}</p>
  return (
    <ul class="plain">
      {users.map(({ kind, id, name }) => (
        <li key={kind + id}>
          {words.kinds[kind]}
          {colon}
          <a href={to(screens[kind](id))}>{name}</a>
        </li>
      ))}
    </ul>
  )
}

function Delete({ picture: { id, name, usedBy } }: { picture: Picture }) {
  const act = useAct()
  const { route } = useLocation()
  const { to } = usePlace()
  const erase = async () => {
    const query = usedBy.length > 0 ? { force: 'true' as const } : {}
    const { outcome } = await remove(path, { params: { mediaId: id }, query })
    announce(words[outcome])
    route(to('/media'))
  }
  const isUsed = usedBy.length > 0
  return (
    <>
      <div class="actions">
        <AskFirst
          act={act}
          does={isUsed ? words.erase : words.remove}
          title={name}
          how={isUsed ? words.eraseHow(usedBy.length) : words.removeHow}
          {...(isUsed && { typed: name })}
          run={erase}
        />
      </div>
      <WhyNot act={act} />
    </>
  )
}
