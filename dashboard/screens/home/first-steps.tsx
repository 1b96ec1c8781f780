// What leads from captured mail to the first real campaign: each step is ticked by what is there, and the next one says how and has a
// button. It goes when all is done, or when somebody has enough of it.

import { Circle, CircleCheck } from 'lucide'
import type { ComponentChild } from 'preact'
import { useState } from 'preact/hooks'
import { get } from '../../api.ts'
import { FirstMail } from '../../parts/first-mail.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useLoaded } from '../../parts/load.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { usePlace } from '../../place.ts'
import { inLanguage } from '../../words.ts'

const words = inLanguage({
  en: {
    title: 'First steps',
    progress: (done: number, all: number) => `${done} of ${all} done`,
    done: 'done',
    hide: 'Hide them',
    program: 'How a program does it',
    mail: {
      does: 'Send your first mail',
      how: 'Write it here as a template, and send it to yourself. Or let a program do it, with an API key (paquebot key create).',
      act: 'Write the first mail',
    },
    contacts: {
      does: 'Bring in your contacts',
      how: 'From a file: you see first what becomes of each row, and why a row is left out.',
      act: 'Bring a file',
    },
    relay: {
      does: 'Connect a mail server',
      how: 'A relay, with the user and password that your provider gave you. Until then nothing leaves this machine.',
      act: 'Add a relay',
    },
    domain: {
      does: 'Show that your domain is yours',
      how: 'Add it, publish the DNS records that are named there, and have them checked.',
      act: 'Add a domain',
    },
    campaign: {
      does: 'Send your first campaign',
      how: 'Write it, see who would get it and who would not, and send it.',
      act: 'Write a campaign',
    },
  },
  de: {
    title: 'Die ersten Schritte',
    progress: (done: number, all: number) => `${done} von ${all} getan`,
    done: 'getan',
    hide: 'Ausblenden',
    program: 'Wie es ein Programm macht',
    mail: {
      does: 'Die erste Mail schicken',
      how: 'Schreib sie hier als Vorlage, und schick sie dir selbst. Oder lass es ein Programm tun, mit einem API-Schlüssel (paquebot key create).',
      act: 'Die erste Mail schreiben',
    },
    contacts: {
      does: 'Kontakte hereinholen',
      how: 'Aus einer Datei: Du siehst vorher, was aus jeder Zeile wird und warum eine wegbleibt.',
      act: 'Datei bringen',
    },
    relay: {
      does: 'Einen Mailserver anschließen',
      how: 'Ein Relay, mit Benutzer und Passwort deines Anbieters. Bis dahin verlässt nichts diese Maschine.',
      act: 'Relay anlegen',
    },
    domain: {
      does: 'Zeigen, dass die Domain deine ist',
      how: 'Leg sie an, veröffentliche die DNS-Einträge, die dort stehen, und lass sie prüfen.',
      act: 'Domain anlegen',
    },
    campaign: {
      does: 'Die erste Kampagne schicken',
      how: 'Schreib sie, sieh, wer sie bekäme und wer nicht, und schick sie ab.',
      act: 'Kampagne schreiben',
    },
  },
})

type Step = 'mail' | 'contacts' | 'relay' | 'domain' | 'campaign'
const leadsTo: Record<Step, string> = {
  mail: '/templates',
  contacts: '/contacts/import',
  relay: '/relays/new',
  domain: '/domains',
  campaign: '/campaigns/new',
}
const steps = Object.keys(leadsTo) as Step[]

interface Props {
  hasMail: boolean
  isCaptured: boolean
  lookEveryMs: number
}

/**
 * Null where they are not shown: to viewers, in a test workspace, after the last one, or once somebody has hidden them. Undefined until
 * that is known.
 */
export function useFirstSteps({ hasMail, isCaptured, lookEveryMs }: Props): ComponentChild {
  const { workspace, mayChange } = usePlace()
  const hidden = useHidden()
  const isOff = hidden.is || !mayChange || workspace.test
  const found = useLoaded(`first steps ${workspace.id} ${isOff}`, async (signal) => (isOff ? null : await look(signal)))
  useRepeat(isOff ? null : lookEveryMs, found.reload)
  if (isOff) return null
  if (!found.value) return undefined
  const { contacts, domain, campaign } = found.value
  const done: Record<Step, boolean> = {
    mail: hasMail,
    contacts,
    relay: !isCaptured,
    domain,
    campaign: campaign && !isCaptured,
  }
  return steps.every((step) => done[step]) ? null : <FirstSteps done={done} hide={hidden.set} />
}

async function look(signal: AbortSignal) {
  const [contacts, domains, campaigns] = await Promise.all([
    get('/v1/contacts', { query: { perPage: 1 } }, signal),
    get('/v1/sending-domains', {}, signal),
    get('/v1/campaigns', { query: { status: 'sent', perPage: 1 } }, signal),
  ])
  return {
    contacts: contacts.data.length > 0,
    domain: domains.data.some(({ status }) => status === 'verified'),
    campaign: campaigns.data.length > 0,
  }
}

/** By this person, in this browser, of this workspace. */
function useHidden() {
  const { member, workspace } = usePlace()
  const key = `first steps hidden ${workspace.id} ${member.email}`
  const [is, setHidden] = useState(localStorage.getItem(key) !== null)
  const set = () => {
    localStorage.setItem(key, 'yes')
    setHidden(true)
  }
  return { is, set }
}

function FirstSteps({ done, hide }: { done: Record<Step, boolean>; hide: () => void }) {
  const next = steps.find((step) => !done[step])
  const ticked = steps.filter((step) => done[step]).length
  return (
    <section class="first-steps">
      <header class="title">
        <h2>
          {words.title} <span class="status">{words.progress(ticked, steps.length)}</span>
        </h2>
        <button type="button" class="quiet" onClick={hide}>
          {words.hide}
        </button>
      </header>
      <ol>
        {steps.map((step) => (
          <li key={step} class={done[step] ? 'is-done' : undefined}>
            <Icon of={done[step] ? CircleCheck : Circle} />
            <div>
              <h3>
                {words[step].does}
                {done[step] && <span class="unseen">: {words.done}</span>}
              </h3>
              {step === next && <p class="muted">{words[step].how}</p>}
              {step === 'mail' && step === next && (
                <details>
                  <summary>{words.program}</summary>
                  <FirstMail />
                </details>
              )}
            </div>
            {!done[step] && <Do step={step} isNext={step === next} />}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** A relay is for those whose the installation is. */
function Do({ step, isNext }: { step: Step; isNext: boolean }) {
  const { to, workspace } = usePlace()
  if (step === 'relay' && !workspace.operator) return null
  return (
    <a class={isNext ? 'button main' : 'button'} href={to(leadsTo[step])}>
      {words[step].act}
    </a>
  )
}
