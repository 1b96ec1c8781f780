// What leads from captured mail to the first real campaign: each step is ticked by what is there, and the next one says how and has a
// button. It goes when all is done, or when somebody has enough of it.

import { Circle, CircleCheck } from 'lucide'
import type { ComponentChild } from 'preact'
import { get } from '../../api.ts'
import { type Act, useAct, WhyNot } from '../../parts/act.tsx'
import { FirstMail } from '../../parts/first-mail.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useLoaded } from '../../parts/load.tsx'
import { hiddenSteps, usePreferences } from '../../parts/preferences.ts'
import { useRepeat } from '../../parts/repeat.ts'
import { usePlace } from '../../place.ts'
import { colon, inLanguage } from '../../words.ts'

const words = inLanguage(catalogue.home.firstSteps)

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
  const { preferences, keep } = usePreferences()
  const act = useAct()
  const isHidden = preferences?.has(hiddenSteps)
  const isOff = isHidden !== false || !mayChange || workspace.test
  const found = useLoaded(`first steps ${workspace.id} ${isOff}`, async (signal) => (isOff ? null : await look(signal)))
  useRepeat(isOff ? null : lookEveryMs, found.reload)
  if (isOff) return isHidden === undefined && mayChange && !workspace.test ? undefined : null
  if (!found.value) return undefined
  const { contacts, domain, campaign } = found.value
  const done: Record<Step, boolean> = {
    mail: hasMail,
    contacts,
    relay: !isCaptured,
    domain,
    campaign: campaign && !isCaptured,
  }
  return steps.every((step) => done[step]) ? null : (
    <FirstSteps done={done} act={act} hide={() => act.run(() => keep(hiddenSteps, 'yes'))} />
  )
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

interface StepsProps {
  done: Record<Step, boolean>
  act: Act
  hide: () => Promise<boolean>
}

function FirstSteps({ done, act, hide }: StepsProps) {
  const next = steps.find((step) => !done[step])
  const ticked = steps.filter((step) => done[step]).length
  return (
    <section class="first-steps">
      <header class="title">
        <h2>
          {words.title} <span class="status">{words.progress({ done: ticked, all: steps.length })}</span>
        </h2>
        <button type="button" class="quiet" disabled={act.isRunning} onClick={() => void hide()}>
          {words.hide}
        </button>
      </header>
      <WhyNot act={act} />
      <ol>
        {steps.map((step) => (
          <li key={step} class={done[step] ? 'is-done' : undefined}>
            <Icon of={done[step] ? CircleCheck : Circle} />
            <div>
              <h3>
                {words[step].does}
                {done[step] && <span class="unseen">{colon + words.done}</span>}
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
