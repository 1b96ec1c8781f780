// Templates that say their look themselves: what each would lose is shown before one, or all of them, follow the brand.

import { useState } from 'preact/hooks'
import { get, put } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { all } from '../../parts/all.ts'
import { announce } from '../../parts/announce.tsx'
import { usePlace } from '../../place.ts'
import { colon, comma } from '../../words.ts'
import { propertyName, typeName } from '../templates/property-words.ts'
import { asNodes, sourceIn } from '../templates/source.ts'
import { type TreeNode, withoutCopies } from '../templates/tree.ts'
import { words } from './brand-words.ts'
import { type OwnLook, withoutOwnLooks } from './own-looks.ts'

const list = '/v1/transactional'
const contentPath = '/v1/transactional/:templateId/content/:locale'

interface Content {
  locale: string
  revisionId: string
  nodes: TreeNode[]
  found: OwnLook[]
}

interface TemplateLooks {
  id: string
  name: string
  isSource: boolean
  /** Those in which something is said. */
  contents: Content[]
}

export function OwnLookList({ hasLogo }: { hasLogo: boolean }) {
  const { to } = usePlace()
  const act = useAct()
  const [owns, setOwns] = useState<TemplateLooks[] | null>(null)
  const [followed, setFollowed] = useState<ReadonlySet<string>>(new Set())
  const look = () =>
    act.run(async () => {
      setFollowed(new Set())
      setOwns(await load(hasLogo))
    })
  const follow = (some: TemplateLooks[]) =>
    act.run(async () => {
      for (const { id, contents } of some) {
        for (const { locale, revisionId, nodes } of contents) {
          const params = { templateId: id, locale }
          await put(contentPath, { params, body: { content: nodes, expectedRevisionId: revisionId } })
        }
        setFollowed((before) => new Set([...before, id]))
      }
      announce(words.followed)
    })
  const trees = (owns ?? []).filter(({ contents }) => contents.length > 0)
  const left = trees.filter(({ id }) => !followed.has(id))
  const sources = (owns ?? []).filter(({ isSource }) => isSource)
  return (
    <section aria-labelledby="own-looks">
      <h2 id="own-looks">{words.own}</h2>
      <p class="muted">{words.ownHow}</p>
      <div class="choices">
        <button type="button" disabled={act.isRunning} onClick={() => void look()}>
          {words.look}
        </button>
        {left.length > 1 && (
          <button type="button" disabled={act.isRunning} onClick={() => void follow(left)}>
            {words.followAll}
          </button>
        )}
      </div>
      <WhyNot act={act} />
      {owns !== null && trees.length === 0 && <p role="status">{words.none}</p>}
      <ul class="plain">
        {trees.map((one) => (
          <li key={one.id}>
            <a href={to(`/templates/${one.id}`)}>{one.name}</a>{' '}
            {followed.has(one.id) ? (
              <span class="status good">{words.followed}</span>
            ) : (
              <button
                type="button"
                disabled={act.isRunning}
                aria-label={`${words.follow}${colon}${one.name}`}
                onClick={() => void follow([one])}
              >
                {words.follow}
              </button>
            )}
            <LookLines looks={one.contents.flatMap(({ found }) => found)} />
          </li>
        ))}
      </ul>
      {sources.length > 0 && (
        <p class="muted">
          {words.sources} {sources.map(({ name }) => name).join(comma)}
        </p>
      )}
    </section>
  )
}

/** Each once, however often the template says it. */
function LookLines({ looks }: { looks: OwnLook[] }) {
  const lines = new Map(looks.map((look) => [JSON.stringify(look), look]))
  return (
    <ul class="muted">
      {[...lines].map(([key, { type, property, value }]) => (
        <li key={key}>
          {typeName(type)}
          {colon}
          {propertyName(property)} {words.instead} <code>{value}</code>
        </li>
      ))}
    </ul>
  )
}

async function load(hasLogo: boolean): Promise<TemplateLooks[]> {
  const templates = await all((query) => get(list, { query: { ...query, status: 'all' } }))
  const owns: TemplateLooks[] = []
  for (const { id, name, locales } of templates) {
    const contents: Content[] = []
    let isSource = false
    for (const locale of locales) {
      const { content, revisionId } = await get(contentPath, { params: { templateId: id, locale } })
      const given = asNodes(content)
      if (sourceIn(given)) isSource = true
      else {
        const { nodes, found } = withoutOwnLooks(withoutCopies(given), hasLogo)
        if (found.length > 0) contents.push({ locale, revisionId, nodes, found })
      }
    }
    owns.push({ id, name, isSource, contents })
  }
  return owns
}
