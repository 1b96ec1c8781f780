// Home: is it well, what happened last, and what to do first.

import { get } from '../../api.ts'
import { Attention } from '../../parts/attention.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FirstMail } from '../../parts/first-mail.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Mails } from '../../parts/mails.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { usePlace } from '../../place.ts'
import { inLanguage } from '../../words.ts'
import { Sending } from './sending.tsx'

const words = inLanguage({
  en: {
    last: 'Last mails',
    all: 'All activity',
    first: 'Send your first mail',
    firstHow:
      'Write it here as a template, and send it to yourself. Or let a program do it, with an API key (paquebot key create).',
    write: 'Write the first mail',
    trust: (level: string) => `Trust level ${level}`,
    trustHow: 'How many campaign mails may leave in a day',
  },
  de: {
    last: 'Letzte Mails',
    all: 'Alle Aktivität',
    first: 'Die erste Mail schicken',
    firstHow:
      'Schreib sie hier als Vorlage, und schick sie dir selbst. Oder lass es ein Programm tun, mit einem API-Schlüssel (paquebot key create).',
    write: 'Die erste Mail schreiben',
    trust: (level: string) => `Vertrauensstufe ${level}`,
    trustHow: 'Wie viele Kampagnenmails am Tag hinausdürfen',
  },
})

const shownAtMost = 8
/** What needs attention may be over, or begin. */
const lookEveryMs = 10_000

export default function Home() {
  const { workspace, to } = usePlace()
  const page = useLoaded(workspace.id, async (signal) => {
    const [attention, mails, place] = await Promise.all([
      get('/v1/attention', {}, signal),
      get('/v1/activity', { query: { perPage: shownAtMost } }, signal),
      get('/v1/workspace', {}, signal),
    ])
    return { attention: attention.data, mails: mails.data, place }
  })
  useRepeat(lookEveryMs, page.reload)
  return (
    <>
      <header class="title">
        <h1>{workspace.name}</h1>
      </header>
      <Show of={page}>
        {({ attention, mails, place }) => (
          <>
            <p class="under muted">
              {words.trust(place.trustLevel)}: <a href="/docs/campaigns#trust-levels">{words.trustHow}</a>
            </p>
            <Attention items={attention} changed={page.reload} />
            {mails.length === 0 ? (
              <section>
                <h2>{words.first}</h2>
                <Empty says={words.firstHow} act={{ to: '/templates', says: words.write }}>
                  <FirstMail />
                </Empty>
              </section>
            ) : (
              <>
                <Sending workspaceId={workspace.id} />
                <section>
                  <header class="title">
                    <h2>{words.last}</h2>
                    <a href={to('/activity')}>{words.all}</a>
                  </header>
                  <Mails caption={words.last} mails={mails} />
                </section>
              </>
            )}
          </>
        )}
      </Show>
    </>
  )
}
